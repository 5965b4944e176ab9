# shellcheck shell=bash
#
# The guests' initrd: busybox, initrd-init, and the modules it takes to reach
# the root file system. Built once per kernel and kept beside it.

# What stands between a distribution's kernel and the machine's files, and, where it
# boots a system of its own, that one's disk.
initrd_modules=(virtio_pci 9pnet_virtio 9p overlay)
initrd_system=(virtio_blk ext4)

# initrd_module_files KERNEL RELEASE MODULE...: of these and of those they need, in the
# order to load them.
initrd_module_files()
{
	local kernel=$1 release=$2 module

	for module in "${@:3}"; do
		modprobe -d "$kernel" -S "$release" --show-depends "$module" ||
			die "kernel $release has no module $module"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# initrd_add_modules DIR: with the files that are read.
initrd_add_modules()
{
	local dir=$1 file n=100

	mkdir "$dir"
	while read -r file; do
		n=$((n + 1))
		case $file in
		*.xz)  xz -dc "$file" ;;
		*.zst) zstd -qdc "$file" ;;
		*)     cat "$file" ;;
		esac >"$dir/$n.ko"
	done
}

# initrd_fill DIR KERNEL RELEASE: what goes into the initrd.
initrd_fill()
{
	local dir=$1

	cp "$vm_dir/initrd-init" "$dir/init"
	cp "$(command -v busybox)" "$dir/busybox"
	mkdir "$dir/bin"
	ln -s ../busybox "$dir/bin/sh"
	initrd_module_files "$2" "$3" "${initrd_modules[@]}" >"$dir/list"
	initrd_add_modules "$dir/modules" <"$dir/list"
	# What the system needs on top of those.
	initrd_module_files "$2" "$3" "${initrd_modules[@]}" "${initrd_system[@]}" |
		{ grep -vxFf "$dir/list" || true; } | initrd_add_modules "$dir/system"
	rm "$dir/list"
}

# initrd_key KERNEL: what the initrd is made from, and how: by these functions, which
# need not be those of the file, as it may have been changed since the run began.
initrd_key()
{
	{
		declare -p initrd_modules initrd_system
		declare -f initrd_module_files initrd_add_modules initrd_fill
		cat "$vm_dir/initrd-init" "$(command -v busybox)" "$1/release"
	} | sha256sum | head -c 16
}

# initrd KERNEL RELEASE: builds what is not there yet, prints the file's name.
initrd()
{
	local kernel=$1 release=$2 file dir

	# Whoever takes the output has lost it, and half an initrd would be kept.
	set -e
	file=$kernel/initrd-$(initrd_key "$kernel")

	if [ ! -s "$file" ]; then
		dir=$(mktemp -d)
		initrd_fill "$dir" "$kernel" "$release"
		(cd "$dir" && find . | cpio -o -H newc --quiet) >"$file.$$"
		rm -rf "$dir"
		mv "$file.$$" "$file"
	fi
	printf '%s\n' "$file"
}
