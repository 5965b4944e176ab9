# shellcheck shell=bash
#
# Saying what was found in TAP, the Test Anything Protocol. Sourced by lib.sh,
# and by tests that run on the machine itself.

tap_count=0
tap_output=$(mktemp)

# plan N, or plan skip REASON, which ends the case.
plan()
{
	if [ "$1" = skip ]; then
		printf '1..0 # SKIP %s\n' "${*:2}"
		exit 0
	fi
	printf '1..%d\n' "$1"
}

# The plan of a case that cannot count its checks beforehand: its last line.
done_testing()
{
	printf '1..%d\n' "$tap_count"
}

diag()
{
	printf '%s\n' "$*" | sed 's/^/# /'
}

# bail REASON: there is no use in going on; the other cases do.
bail()
{
	printf 'Bail out! %s\n' "$*"
	exit 1
}

pass()
{
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s\n' "$tap_count" "$1"
}

# fail DESCRIPTION [WHY]: returns 1, as the checks do that fail.
fail()
{
	tap_count=$((tap_count + 1))
	printf 'not ok %d - %s\n' "$tap_count" "$1"
	[ -z "${2:-}" ] || diag "$2"
	return 1
}

# skip N REASON: stands for N checks that cannot be made here.
skip()
{
	local n

	for ((n = 0; n < $1; n++)); do
		tap_count=$((tap_count + 1))
		printf 'ok %d # SKIP %s\n' "$tap_count" "${*:2}"
	done
}

# ok DESCRIPTION COMMAND...: the command succeeds.
ok()
{
	local status=0

	"${@:2}" >"$tap_output" 2>&1 || status=$?
	if [ "$status" -eq 0 ]; then
		pass "$1"
	else
		fail "$1" "${*:2}: status $status
$(cat "$tap_output")"
	fi
}

# fails DESCRIPTION COMMAND...: the command says no, rather than crash.
fails()
{
	local status=0

	"${@:2}" >"$tap_output" 2>&1 || status=$?
	if [ "$status" -gt 0 ] && [ "$status" -lt 124 ]; then
		pass "$1"
	else
		fail "$1" "${*:2}: status $status
$(cat "$tap_output")"
	fi
}

# is GOT EXPECTED DESCRIPTION
is()
{
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3" "     got: $1
expected: $2"
	fi
}

# like GOT REGEX DESCRIPTION
like()
{
	if [[ $1 =~ $2 ]]; then
		pass "$3"
	else
		fail "$3" "             got: $1
does not match: $2"
	fi
}

# need DESCRIPTION COMMAND...: a check without which the rest means nothing.
need()
{
	ok "$@" || exit 1
}
