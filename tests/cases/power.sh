# shellcheck shell=bash
#
# For the cases, after lib.sh: a disk that loses what was not flushed when its
# power is cut. nbdkit serves a file as /dev/nbd0, and has what was not flushed
# in a temporary file of its own: to cut the power is to kill it.

power_disk=/dev/nbd0
power_dir= power_server= power_block=

# power_new SIZE [BLOCK-SIZE]: a disk of zeroes, switched on.
power_new()
{
	modprobe nbd || return
	power_dir=$(mktemp -d)
	power_block=${2:-512}
	defer 'power_off; rm -rf "$power_dir"'
	truncate -s "$1" "$power_dir/medium"
	power_on
}

power_on()
{
	local socket=$power_dir/socket

	rm -f "$socket"
	TMPDIR=$power_dir nbdkit --foreground --unix "$socket" --filter=cache \
		file "$power_dir/medium" cache-min-block-size=4K \
		2>>"$RDMABLK_ARTIFACTS/nbdkit.log" &
	power_server=$!
	wait_for 20 "[ -S '$socket' ]" &&
		nbd-client -unix "$socket" $power_disk -b "$power_block" \
			>>"$RDMABLK_ARTIFACTS/nbd-client.log" 2>&1 &&
		wait_for 20 "[ \"\$(blockdev --getsize64 $power_disk)\" -gt 0 ]"
}

# power_off [PID]...: cuts the power, of these processes too. What was mounted is
# not mounted any more. They cannot end before the kernel gives up what the disk
# has not answered, which it does when it is told that there is none any more.
power_off()
{
	[ -n "$power_server" ] || return 0
	kill -KILL "$power_server" "$@"
	wait "$power_server" 2>/dev/null
	power_server=
	nbd-client -d $power_disk >>"$RDMABLK_ARTIFACTS/nbd-client.log" 2>&1
	[ $# -eq 0 ] || wait "$@" 2>/dev/null
	! grep -q "^$power_disk " /proc/self/mounts || umount $power_disk
	wait_for 20 "! nbd-client -c $power_disk"
}
