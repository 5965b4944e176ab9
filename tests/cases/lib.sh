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

# shellcheck source=tests/cases/tap.sh
. "${BASH_SOURCE[0]%/*}/tap.sh"

# Nothing ever comes out of it. To read from it with a time-out is to sleep
# without a new process, which is dear in an emulated machine.
exec {nothing}<> <(:)

# wait_for SECONDS 'COMMAND': until the command succeeds; 1 if it never does. On a
# slow kernel the seconds are longer.
wait_for()
{
	local end=$((SECONDS + $1 * RDMABLK_SLOWNESS))

	until eval "$2" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		read -rt 0.1 -u "$nothing" || :
	done
}

# settled COMMAND...: what it says, once that has been the same for a second.
settled()
{
	local before now

	for _ in {1..30}; do
		before=$("$@")
		read -rt 1 -u "$nothing" || :
		now=$("$@")
		[ "$before" != "$now" ] || break
	done
	printf '%s\n' "$now"
	[ "$before" = "$now" ]
}

# within SECONDS COMMAND...: runs it; its status, or 124 if it took longer. Likewise.
within()
{
	timeout --kill-after=5 $(($1 * RDMABLK_SLOWNESS)) "${@:2}"
}

# now_ms: a clock, in milliseconds.
now_ms()
{
	echo $((${EPOCHREALTIME/./} / 1000))
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

# shellcheck source=tests/cases/dmesg.sh
. "${BASH_SOURCE[0]%/*}/dmesg.sh"
# shellcheck source=tests/cases/rdmablk.sh
. "${BASH_SOURCE[0]%/*}/rdmablk.sh"
