# shellcheck shell=bash
#
# For the security-auth-* cases, after lib.sh: keys of clients, and a target that wants
# them.

secrets=$(mktemp -d)
defer "rm -rf $secrets"
keys=$secrets/keys
# shellcheck disable=SC2034 # for start_target
target_trust=(--key-file "$keys")

# new_key NAME: the target knows it, as another one if there was one already.
new_key()
{
	rbdctl key generate "$1" --file "$keys"
}

# give_key NAME [FILE]: the newest key of that name, to the kernel of this host.
give_key()
{
	rbdctl key add "$1" --file "${2:-$keys}" &&
		defer "rbdctl key remove $1 2>/dev/null"
}

# daemon_says REGEX: in the daemon's log, since the last log_begins.
daemon_says()
{
	grep -qE "$1" \
		< <(tail -c "+$((log_start + 1))" "$RDMABLK_ARTIFACTS/rdmablkd.log")
}

log_begins()
{
	log_start=$(stat -c %s "$RDMABLK_ARTIFACTS/rdmablkd.log" 2>/dev/null || echo 0)
}
log_begins

# client [ARGUMENT]... COMMAND...: the client that can say wrong things.
client()
{
	local options=()

	while [[ $1 == --* ]]; do
		options+=("$1" "$2")
		shift 2
	done
	rdmablk-client "${options[@]}" "$RDMABLK_TARGET" disk "$@"
}
