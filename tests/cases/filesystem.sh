# shellcheck shell=bash
#
# For the main-filesystems-* cases, after lib.sh and main.sh: a real source tree
# on a file system, taken away and brought back.

fs_mount()
{
	mount "$@" "$device" "$mount"
}

fs_check()
{
	case $1 in
	ext4)  e2fsck -fn "$device" ;;
	xfs)   xfs_repair -n "$device" ;;
	btrfs) btrfs check --readonly "$device" &&
		fs_mount -o ro && btrfs scrub start -B -r "$mount" &&
		umount "$mount" ;;
	esac
}

# Checksums of the files as they were when the archive was made.
fs_compare()
{
	(cd "$mount" && sha256sum --quiet -c "$sums")
}

# filesystem_case TYPE [FILES]: the first FILES of the archive, or all.
filesystem_case()
{
	type=$1
	archive=${fixtures:?}/source.tar
	plan 9
	sums=$(mktemp)
	mount=$(mktemp -d)
	defer "rm -rf $sums $mount"
	head -n "${2:--0}" "$archive.sums" >"$sums"

	serve --export disk:store=mem,size=1G
	device=$(attach disk)
	need 'an export is attached' [ -b "$device" ]
	defer 'detach "$device"'
	need "mkfs.$type" "mkfs.$type" "$device"
	need 'mount' fs_mount
	defer '! mountpoint -q "$mount" || umount "$mount"'
	need "$(wc -l <"$sums") files of a source tree unpack" tar -xf "$archive" \
		-C "$mount" --verbatim-files-from -T <(cut -c 67- "$sums")
	need 'umount' umount "$mount"
	need 'detach' detach "$device"

	device=$(attach disk)
	need 'attach again' [ -b "$device" ]
	ok 'the file system is sound' fs_check "$type"
	fs_mount -o ro
	ok 'every file has its contents' fs_compare
}
