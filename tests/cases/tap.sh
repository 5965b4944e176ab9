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

# tap_try COMMAND...: sets tap_status to how it ends; $tap_output has what it says.
tap_try()
{
	if "$@" >"$tap_output" 2>&1; then
		tap_status=0
	else
		tap_status=$?
	fi
}

# tap_blame DESCRIPTION COMMAND...: the check failed by what was tried last.
tap_blame()
{
	fail "$1" "${*:2}: status $tap_status
$(cat "$tap_output")"
}

# ok DESCRIPTION COMMAND...: the command succeeds.
ok()
{
	tap_try "${@:2}"
	if [ "$tap_status" -eq 0 ]; then
		pass "$1"
	else
		tap_blame "$@"
	fi
}

# fails DESCRIPTION COMMAND...: the command says no, rather than crash.
fails()
{
	tap_try "${@:2}"
	if [ "$tap_status" -gt 0 ] && [ "$tap_status" -lt 124 ]; then
		pass "$1"
	else
		tap_blame "$@"
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
