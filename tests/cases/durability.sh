# shellcheck shell=bash
#
# For the durability-* cases, after lib.sh, main.sh and power.sh: an export that
# has a backing store, and a target that is killed, or loses power with its disk.

staging=/dev/shm/rdmablk
state=$(mktemp -d)
defer 'rm -rf "$state" "$staging"'
device= files= reconnects=

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

# Attaches the export as $device, with $attach_options.
use()
{
	device=$(attach disk "${attach_options[@]}") && [ -b "$device" ]
}
attach_options=()

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
	use_backing
}

# backed_slice SIZE: likewise, with a piece of the machine's own disk, for cases that stop
# the daemon: the kernel's NBD client of 6.12 loses count of a request whose sender gets
# a signal, and its disk is dead then.
backed_slice()
{
	load_module || bail 'cannot load the module'
	modprobe dm-mod
	need 'a piece of a disk' dmsetup create backing --table \
		"0 $(($(numfmt --from=iec "$1") / 512)) linear /dev/vda 0"
	defer 'dmsetup remove --retry backing'
	backed=disk:store=blk,path=/dev/mapper/backing
	use_backing
}

# use_backing: the target serves it, and there is the device.
use_backing()
{
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
	use_backing
}

# The target comes back without what was in its memory.
lose_memory()
{
	reconnects=$(field "$device" reconnects)
	kill_target
	rm -rf "$staging"
}

# The same, and so does its disk.
lose_power()
{
	reconnects=$(field "$device" reconnects)
	power_off "$target_pid"
	target_pid=
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

# noticed: the device has, that its target lost its memory. It goes on if nothing
# was lost that it knows of; else it has failed, and so has who used it.
noticed()
{
	wait_for 120 'failed || came_back'
}

failed()
{
	[ "$(field "$device" state)" = failed ]
}

came_back()
{
	[ "$(field "$device" state)" = live ] &&
		[ "$(field "$device" reconnects)" -gt "$reconnects" ]
}

# over PID: whoever used the device has seen it fail, or is stopped.
over()
{
	noticed || return
	failed || kill "$1"
	wait "$1"
}

# reuse: it is attached again if it has failed.
reuse()
{
	noticed || return
	! failed || { detach "$device" && use; }
}

# exported FILTER: what jq finds in what `rbdctl export show` prints.
exported()
{
	rbdctl export show disk -o json | jq -r "$1"
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
defer "rm -f $model $model.log"

# model COMMAND [OPTION]...
model()
{
	"$fixtures/store-model" "$@" "$model" "$device"
}

# model_run [OPTION]...: in the background, as $user.
model_run()
{
	"$fixtures/store-model" run "$@" "$model" "$device" >"$model.log" 2>&1 &
	user=$!
}
