# shellcheck shell=bash
#
# For the cases: a case is a script that sources this file, says what it finds
# in TAP, and leaves the guest as it found it.
#
#	#!/bin/bash
#	# What a user sees when this works.
#	. "${0%/*}/lib.sh"
#	plan 1
#	ok 'one is less than two' [ 1 -lt 2 ]
#
# No `set -e`: a check that fails is reported, and the rest goes on. What has to
# hold for the rest to make sense is a `need`. What must be undone is given to
# `defer` as soon as it is done.

set -uo pipefail

: "${RDMABLK_ARTIFACTS:?a case is run in a guest: see tests/run-cases}"

# --- TAP ----------------------------------------------------------------------

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

# --- waiting, and tidying up --------------------------------------------------

# Nothing ever comes out of it. To read from it with a time-out is to sleep
# without a new process, which is dear in an emulated machine.
exec {nothing}<> <(:)

# wait_for SECONDS 'COMMAND': until the command succeeds; 1 if it never does.
wait_for()
{
	local end=$((SECONDS + $1))

	until eval "$2" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		read -rt 0.1 -u "$nothing" || :
	done
}

deferred=()

# defer 'COMMAND': to be done when the case ends, however it ends; last first.
defer()
{
	deferred+=("$1")
}

run_deferred()
{
	local n

	trap - EXIT
	for ((n = ${#deferred[@]} - 1; n >= 0; n--)); do
		eval "${deferred[n]}" >&2
	done
	rm -f "$tap_output"
}
trap run_deferred EXIT
trap 'exit 143' TERM

# allow_dmesg REGEX: kernel messages that this case provokes are no failure.
allow_dmesg()
{
	printf '%s\n' "$1" >>"$RDMABLK_ARTIFACTS/allow-dmesg"
}

# shellcheck source=tests/cases/rdmablk.sh
. "${BASH_SOURCE[0]%/*}/rdmablk.sh"
