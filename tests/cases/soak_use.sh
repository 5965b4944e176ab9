# shellcheck shell=bash
#
# For the failure-soak* cases, after lib.sh, main.sh and loads.sh: who uses the devices
# while things fail, and what must be true after each round.
#
#	raw	store shm: fio, which verifies
#	files	store file: files on ext4 that are synced
#	spare	store mem: somebody who writes, and does not mind errors

declare -A device=([spare]='') soak_size=([raw]=64 [files]=160)	# MiB
soak_attach=(--reconnect-delay 1 --connect-timeout 3 --keep-alive 5)
soak_recovers=120	# seconds until all works again, at most

state=$(mktemp -d)
disk=$(mktemp -d)
shm=/dev/shm/failure-soak
defer 'rm -rf "$state" "$disk" $shm'

# ---- The target and the devices

# soak_target [new]: its files keep the sizes that they have got.
soak_target()
{
	local raw='' files=''

	if [ "${1:-}" = new ]; then
		raw=,size=${soak_size[raw]}M
		files=,size=${soak_size[files]}M
	fi
	start_target --state-dir "$state" --export spare:size=16M \
		--export storm1:size=4M --export storm2:size=4M \
		--export "raw:store=shm,path=$shm$raw" \
		--export "files:store=file,path=$disk/files$files"
}

# soak_disk: for the file of the export.
soak_disk()
{
	mkfs.ext4 -q -F /dev/vda && mount /dev/vda "$disk" &&
		defer 'umount "$disk"; rm -rf /dev/shm/rdmablk'
}

# soak_device EXPORT: attaches it.
soak_device()
{
	device[$1]=$(attach "$1" "${soak_attach[@]}") && [ -b "${device[$1]}" ] &&
		defer "rbdctl detach --force ${device[$1]} 2>/dev/null"
}

# live EXPORT...
live()
{
	local live

	live=$(rbdctl list -o json | jq -r '.[] | select(.state == "live").export')
	[ -z "$(comm -23 <(printf '%s\n' "$@" | sort) <(sort <<<"$live"))" ]
}

# ---- Users

# One fio after the other, as long as $state/soaking is there. None gets all of the
# processor: there is more to be done.
raw_use()
{
	while fio_verify_for 15 "${device[raw]}" --rate_iops=100 &&
		[ -e "$state/soaking" ] &&
		fio_verify_for 15 "${device[raw]}" --rate_iops=30 \
			--ioengine=io_uring --iodepth=8 "${mixed_sizes[@]}" &&
		[ -e "$state/soaking" ]; do
		:
	done
	[ ! -e "$state/soaking" ]
} >"$RDMABLK_ARTIFACTS/fio" 2>&1

raw_begin()
{
	touch "$state/soaking"
	raw_use &
	raw_user=$!
}

raw_end()
{
	rm "$state/soaking"
	wait_for 300 "! kill -0 $raw_user" && wait "$raw_user"
}

# Their end, and their beginning, with a look at what is there.
files_check()
{
	kill -0 $load_user || { echo 'who uses the files has an error'; return 1; }
	load_end
	ext4_fsck "${device[files]}" && ext4_mount "${device[files]}" &&
		"$fixtures/fsync-files" check "$load_mount" "$load_log" &&
		load_start ext4
}

# What is there of it ends with an error when it is detached.
spare_begin()
{
	[ ! -b "${device[spare]}" ] || rbdctl detach --force "${device[spare]}"
	soak_device spare || return
	fio --name=spare --filename="${device[spare]}" --direct=1 --rw=randwrite \
		--ioengine=libaio --iodepth=4 --bs=64k --rate_iops=20 --time_based \
		--runtime=1d >/dev/null 2>&1 &
	spare_user=$!
}

# ---- What must be true

soak_live()
{
	live raw files && { live spare || spare_begin; }
}

# soak_goes_on: both do more than they have done by now.
soak_goes_on()
{
	local ios steps

	ios=$(ios "${device[raw]}")
	steps=$(load_steps)
	wait_for $soak_recovers "[ \$(ios ${device[raw]}) -gt $((ios + 50)) ] &&
		[ \$(load_steps) -gt $((steps + 3)) ]"
}

soak_users()
{
	kill -0 "$raw_user" && kill -0 "$load_user" && [ ! -s "$RDMABLK_ARTIFACTS/load" ]
}

# soak_recovered: all works again, within the time there is.
soak_recovered()
{
	wait_for $soak_recovers soak_live ||
		{ echo 'a device does not come back'; rbdctl list; return 1; }
	soak_goes_on || { echo 'nothing gets done'; rbdctl list; return 1; }
	soak_users || { echo 'a user has seen an error'; return 1; }
}
