# shellcheck shell=bash
#
# For the main-* cases, after lib.sh: fio with verification, what the tool says
# of a device, and programs of tests/fixtures.

# shellcheck disable=SC2034 # for the cases
fixtures=$RDMABLK_TREE/build/fixtures

# field DEVICE KEY: what `rbdctl show` has under that key.
field()
{
	rbdctl show "$1" -o json | jq -r --arg key "$2" '.[$key]'
}

# wait_state DEVICE STATE SECONDS
wait_state()
{
	wait_for "$3" "[ \"\$(field '$1' state)\" = '$2' ]"
}

# queue DEVICE LIMIT: a limit of the block layer's queue.
queue()
{
	cat "/sys/block/${1#/dev/}/queue/$2"
}

# ios DEVICE: READs and WRITEs that have completed.
ios()
{
	awk '{ print $1 + $5 }' "/sys/block/${1#/dev/}/stat"
}

# under_way DEVICE: READs and WRITEs that have not.
under_way()
{
	xargs <"/sys/block/${1#/dev/}/inflight"
}

# gets_on DEVICE [IOS]: it does so many more, 100 if nothing is said.
gets_on()
{
	wait_for 60 "[ \$(ios $1) -gt $(($(ios "$1") + ${2:-100})) ]"
}

# digest FILE [DD-OPTION]...: checksum of what a device or a file holds.
digest()
{
	dd if="$1" bs=1M status=none "${@:2}" | sha256sum | cut -d ' ' -f 1
}

# fio_verify DEVICE MIB [OPTION]...: four jobs at once, each in a quarter of the
# device, write MIB and compare the checksums of what they read back.
fio_verify()
{
	local quarter=$(($(blockdev --getsize64 "$1") / 4))

	fio --name=verify --filename="$1" --direct=1 --rw=randwrite \
		--numjobs=4 --offset_increment=$quarter --size=$quarter \
		--io_size="$2M" --do_verify=1 --verify=crc32c --verify_fatal=1 \
		--group_reporting --output-format=json "${@:3}" >"$fio_log" ||
		{ cat "$fio_log"; return 1; }
	# Notes to the user precede it.
	sed -n '/^{/,$p' "$fio_log" |
		jq -e '.jobs[0] | .error == 0 and .write.total_ios > 0' \
			>/dev/null
}
fio_log=$(mktemp)
defer "rm -f $fio_log"

# fio_verify_for SECONDS DEVICE: writes and verifies until then; to be run in the
# background while the path breaks.
fio_verify_for()
{
	fio --name=verify --filename="$2" --direct=1 --ioengine=libaio \
		--rw=randwrite --bs=8k --iodepth=32 --time_based --runtime="$1" \
		--verify=crc32c --verify_backlog=256 --verify_fatal=1 --do_verify=1
}

# fio_figures: of the last fio_verify.
fio_figures()
{
	diag "$(sed -n '/^{/,$p' "$fio_log" | jq -r '.jobs[0] |
		"\(.write.total_ios) writes, \(.write.iops | floor) IOPS; " +
		"\(.read.total_ios) reads, \(.read.iops | floor) IOPS"')"
}

# Sizes of all kinds, some of them less than a page, some the largest I/O. Two
# writes of a job never overlap: what it reads back would depend on their order.
# shellcheck disable=SC2034 # for the cases
mixed_sizes=(--bssplit=512/20:4k/30:64k/25:256k/15:1m/10 --verify_backlog=64
	--serialize_overlap=1)
