# shellcheck shell=bash
#
# For the cases that install our packages on a Debian 12, as `make deb` makes them.

# from_packages: programs are those of packages, not of the tree.
from_packages()
{
	PATH=$(tr : '\n' <<<"$PATH" | grep -v "^$RDMABLK_TREE/build/" | paste -sd :)
	hash -r
}

# packages NAME...: their files.
packages()
{
	local name

	for name; do
		printf '%s\n' "$RDMABLK_TREE/build/deb/rdmablk-${name}_"*.deb
	done
}

# install_packages FILE...: with apt, which finds what they depend on in the guest.
install_packages()
{
	DEBIAN_FRONTEND=noninteractive apt-get -qy -o Dpkg::Use-Pty=0 install "$@" </dev/null
}

# purge_packages NAME...
purge_packages()
{
	apt-get -qy -o Dpkg::Use-Pty=0 purge "${@/#/rdmablk-}" </dev/null
}

# later_packages DIR NAME...: the same as a later revision, in DIR; their files.
later_packages()
{
	local dir=$1 name

	for name in "${@:2}"; do
		dpkg-deb -R "$(packages "$name")" "$dir/$name"
		sed -i '/^Version:/s/$/+later/' "$dir/$name/DEBIAN/control"
		dpkg-deb -b "$dir/$name" "$dir" >&2
		printf '%s\n' "$dir/rdmablk-${name}_"*.deb
	done
}

# tree_module: modprobe finds the module of the tree; to build one takes minutes.
tree_module()
{
	echo "install rdmablk modprobe -a rdma_cm ib_core && insmod $RDMABLK_BUILD/rdmablk.ko" \
		>$tree_conf
}
tree_conf=/etc/modprobe.d/rdmablk-tree.conf
