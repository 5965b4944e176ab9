# shellcheck shell=bash
#
# For the durability-* cases, after lib.sh, main.sh and power.sh: an export that
# has a backing store, and a target that is killed, or loses power with its disk.

staging=/dev/shm/rdmablk
state=$(mktemp -d)
defer 'rm -rf "$state" "$staging"'
device= files=

# The export, as rdmablkd takes it: cases may set another.
backed=disk:store=blk,path=$power_disk

target()
{
	start_target --state-dir "$state" --export "$backed"
}

kill_target()
{
	stop_target KILL 2>/dev/null
}

# use [ATTACH-OPTION]...: attaches the export as $device.
use()
{
	device=$(attach disk "$@") && [ -b "$device" ]
}

unuse()
{
	[ ! -b "$device" ] || detach "$device"
}

# backed_disk SIZE [BLOCK-SIZE]: module and target, with a disk that can lose its
# power for a backing, and the device.
backed_disk()
{
	load_module || bail 'cannot load the module'
	need 'a disk to lose power' power_new "$@"
	need 'the target serves it' target
	need 'and it is attached' use
	defer '[ ! -b "$device" ] || detach --force "$device"'
}

# backed_file SIZE DISK-SIZE [EXPORT-OPTION]: likewise, with a thin file on ext4.
backed_file()
{
	load_module || bail 'cannot load the module'
	need 'a disk to lose power' power_new "$2"
	files=$(mktemp -d)
	defer '! mountpoint -q "$files" || umount "$files"; rmdir "$files"'
	need 'with a file system' mkfs.ext4 -q $power_disk
	need 'that is mounted' mount $power_disk "$files"
	backed=disk:store=file,path=$files/disk,size=$1${3:+,$3}
	need 'the target serves a file on it' target
	need 'and it is attached' use
	defer '[ ! -b "$device" ] || detach --force "$device"'
}

# Of the target: what is in its memory is gone, too.
lose_power()
{
	power_off "$target_pid"
	target_pid=
	[ -z "$files" ] || umount "$files"
	rm -rf "$staging"
}

regain_power()
{
	power_on || return
	[ -z "$files" ] || mount $power_disk "$files" || return
	target
}

# flush: the device's write cache; fails if that does.
flush()
{
	xfs_io -c fsync "$device"
}

# A device that has seen its target come back without its memory has failed.
# What used it has seen errors, and is over.
reuse()
{
	wait_state "$device" failed 120 && detach "$device" && use "$@"
}

# exported FIELD: what `rbdctl export show` has under that key.
exported()
{
	rbdctl export show disk -o json | jq -r --arg key "$1" '.[$key]'
}

# busy_until MORE [PID]: until the device has seen so many more I/Os, or the
# process that makes them has come to an end.
busy_until()
{
	local enough=$(($(ios "$device") + $1))

	wait_for 60 "[ \$(ios $device) -gt $enough ] ${2:+|| ! kill -0 $2}"
}

# A moment nobody can foresee.
some_time()
{
	busy_until $((RANDOM % 400)) "$1"
}

# ---- The model of what the device may hold: tests/fixtures/store-model.c

model=$(mktemp)
defer "rm -f $model"

# model COMMAND [OPTION]...
model()
{
	"$fixtures/store-model" "$1" "${@:2}" "$model" "$device"
}
