# shellcheck shell=bash
#
# For the failure-* cases, after lib.sh and main.sh: I/O that waits for a path,
# and hosts that are no machine of their own.

# read_block DEVICE: one block, from the device itself.
read_block()
{
	dd if="$1" of=/dev/null bs=4k count=1 iflag=direct
}

# start_read DEVICE: in the background; reader is its process.
start_read()
{
	LC_ALL=C dd if="$1" of=/dev/null bs=4k count=1 iflag=direct \
		2>"$read_errors" &
	reader=$!
}
reader=
read_errors=$(mktemp)
defer "rm -f $read_errors"

# The read has been handed to the device and is not done.
read_waits()
{
	grep -q '^State:.*D' "/proc/$reader/status"
}

# read_ends SECONDS: its status; 124 if it does not end.
read_ends()
{
	wait_for "$1" "! kill -0 $reader" || return 124
	wait "$reader"
}

# outlives WHAT 'GO' 'COME': something that the path needs goes, and comes back, while
# $device is used. Six checks.
outlives()
{
	local before fio

	before=$(ios "$device")
	fio_verify_for 10 "$device" >"$RDMABLK_ARTIFACTS/fio.${1// /-}" 2>&1 &
	fio=$!
	ok "$1: it is used" wait_for 60 "[ \"\$(ios $device)\" -gt $((before + 50)) ]"
	ok "$1 goes" eval "$2"
	ok "$1: the device waits" wait_state "$device" recovering 60
	diag "$(field "$device" reason)"
	need "$1 comes" eval "$3"
	ok "$1: the device is live" wait_state "$device" live 60
	ok "$1: fio has seen no error, and every checksum was right" wait $fio
}

# as_host NAME COMMAND...: what another host would see of it; its name makes its
# identity.
as_host()
{
	local id

	id=$(mktemp)
	md5sum <<<"$1" | cut -d ' ' -f 1 >"$id"
	unshare --mount --uts bash -c 'hostname "$2" &&
		mount --bind "$1" /etc/machine-id && shift 2 && exec "$@"' - "$id" "$@"
	set -- $?
	rm -f "$id"
	return "$1"
}
