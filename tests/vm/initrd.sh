# shellcheck shell=bash
#
# The guests' initrd: busybox, initrd-init, and the modules it takes to reach
# the root file system. Built once per kernel and kept beside it.

# What stands between a distribution's kernel and the machine's files.
initrd_modules=(virtio_pci 9pnet_virtio 9p overlay)

# Files of these modules and of those they need, in the order to load them.
initrd_module_files()
{
	local kernel=$1 release=$2 module

	for module in "${initrd_modules[@]}"; do
		modprobe -d "$kernel" -S "$release" --show-depends "$module" ||
			die "kernel $release has no module $module"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# initrd_fill DIR KERNEL RELEASE: what goes into the initrd.
initrd_fill()
{
	local dir=$1 kernel=$2 release=$3 file n=100

	mkdir -p "$dir/modules"
	cp "$vm_dir/initrd-init" "$dir/init"
	cp "$(command -v busybox)" "$dir/busybox"
	mkdir "$dir/bin"
	ln -s ../busybox "$dir/bin/sh"

	while read -r file; do
		n=$((n + 1))
		case $file in
		*.xz)  xz -dc "$file" ;;
		*.zst) zstd -qdc "$file" ;;
		*)     cat "$file" ;;
		esac >"$dir/modules/$n.ko"
	done < <(initrd_module_files "$kernel" "$release")
}

# initrd KERNEL RELEASE: builds what is not there yet, prints the file's name.
initrd()
{
	local kernel=$1 release=$2 key file dir

	key=$(cat "$vm_dir/initrd-init" "$vm_dir/initrd.sh" \
		  "$(command -v busybox)" "$kernel/release" | sha256sum)
	file=$kernel/initrd-${key:0:16}

	if [ ! -s "$file" ]; then
		dir=$(mktemp -d)
		initrd_fill "$dir" "$kernel" "$release"
		(cd "$dir" && find . | cpio -o -H newc --quiet) >"$file.$$"
		rm -rf "$dir"
		mv "$file.$$" "$file"
	fi
	printf '%s\n' "$file"
}
