# shellcheck shell=bash
#
# The debug kernel: Debian's newest source, configured by kernel-debug.config and
# built here. Sourced by scripts/kernel.

# Directories of the kernel that KASAN and UBSAN watch, besides the modules built
# for it: the other side of each of rdmablk's calls that hands over memory. All of
# the kernel would take twice as long to build, and much longer to run in an
# emulated machine.
debug_watched=(block drivers/infiniband/core drivers/infiniband/sw/{rxe,siw})

# debug_configure TREE
debug_configure()
{
	local tree=$1 config=$here/kernel-debug.config lacking

	echo -debug >"$tree/localversion"
	make -s -C "$tree" KCONFIG_ALLCONFIG="$config" allnoconfig
	lacking=$(grep '^CONFIG_' "$config" | grep -vxFf "$tree/.config") || return 0
	die "this source does not take: ${lacking//$'\n'/, }"
}

# debug_compile TREE: what a directory's Makefile says has precedence over the
# environment.
debug_compile()
{
	local tree=$1 directory

	for directory in "${debug_watched[@]}"; do
		sed -i '1i KASAN_SANITIZE := y\nUBSAN_SANITIZE := y' \
			"$tree/$directory/Makefile"
	done
	KASAN_SANITIZE=n UBSAN_SANITIZE=n \
		nice make -s -C "$tree" -j "$(nproc)" vmlinux modules
}

# debug_prune TREE: leaves what it takes to build external modules.
debug_prune()
{
	(
		cd "$1" || exit
		rm -f vmlinux?* .tmp_*
		find . ! -path './scripts/*' ! -path './tools/*' -type f \
			\( -name '*.[acoS]' -o -name '*.ko' -o -name '*.mod' \
			-o -name '.*.cmd' -o -name '*.order' \) -delete
	)
}

# debug_install TREE DIR: what the guests need.
debug_install()
{
	local tree=$1 dir=$2 release

	release=$(make -s -C "$tree" kernelrelease)
	make -s -C "$tree" INSTALL_MOD_PATH="$dir" modules_install
	# Points to where it was built.
	rm -f "$dir/lib/modules/$release/build"
	mv "$tree/vmlinux" "$dir/vmlinux"
	cp "$tree/.config" "$dir/config"
	debug_prune "$tree"
	printf '%s\n' "$release" >"$dir/release"
}

# build_debug DIR SUITE: vmlinux, the modules, and kdir to build against.
build_debug()
{
	local dir=$1 tree=$1/kdir log=$cache/kernels/debug-build.log

	apt_open "$cache/apt/debug" "$2"
	unpack_source "$dir" "${not_ours[@]}"
	debug_configure "$tree"
	say "building it, which takes half an hour of two processors; see $log"
	debug_compile "$tree" >"$log" 2>&1 ||
		{ tail "$log" >&2; die "could not build it"; }
	debug_install "$tree" "$dir"
}
