# shellcheck shell=bash
#
# For the bench's guests: ways to a block device in another's memory. PEER_serve brings
# up the target's end of one; PEER_use the client's, and sets device. What they have
# begun to bring up is taken down when the bench ends.
#
# All have their $size MiB behind $RDMABLK_TARGET, and are reached through the client's
# RDMA device or, without RDMA, through the cable beneath it. verbs is no device: see
# guest.

size=256
nullb=/sys/kernel/config/nullb
nvmet=/sys/kernel/config/nvmet

# appears DEVICE: once it is there, it is the peer's.
# shellcheck disable=SC2034 # for the guest
appears()
{
	wait_for 30 "[ -b '$1' ]" && device=$1
}

# fill DEVICE: none of its blocks is a hole.
fill()
{
	dd if=/dev/zero of="$1" bs=1M count="$size" oflag=direct status=none
}

# null_blk_up NAME: /dev/NAME, a device in memory.
null_blk_up()
{
	local dir=$nullb/$1

	modprobe null_blk nr_devices=0 && mkdir "$dir" &&
	defer "null_blk_down $1" &&
	echo "$size" >"$dir/size" &&
	echo 1 >"$dir/memory_backed" &&
	echo "$(nproc)" >"$dir/submit_queues" &&
	echo 1 >"$dir/power" &&
	appears "/dev/$1" && fill "/dev/$1"
}

null_blk_down()
{
	echo 0 >"$nullb/$1/power"
	rmdir "$nullb/$1"
}

# ---- rdmablk; and before, which is another build of its module

rdmablk_serve()
{
	start_target --export "disk:store=mem,size=${size}M"
}

rdmablk_attach()
{
	attach disk --poll-queues 1 && appears /dev/rdmablk0
}

rdmablk_use()
{
	load_module && defer 'detach /dev/rdmablk0' && rdmablk_attach &&
	module=rdmablk
}

before_serve() { :; }
before_use()   { appears /dev/rdmablk0; }

# switch_module rdmablk|before: the target stays.
switch_module()
{
	local file=$RDMABLK_BUILD/rdmablk.ko

	[ "$1" != "$module" ] || return 0
	[ "$1" = rdmablk ] || file=$RDMABLK_TREE/build/bench/before.ko
	detach /dev/rdmablk0 && rmmod rdmablk && insmod "$file" && rdmablk_attach &&
	module=$1
}

# ---- NVMe over Fabrics: the kernel's target, over null_blk

# nvme_serve TRANSPORT PORT
nvme_serve()
{
	local name=bench-$1 subsystem=$nvmet/subsystems/bench-$1
	local port=$nvmet/ports/$2

	modprobe -a nvmet "nvmet-$1" && null_blk_up "$name" &&
	defer "nvme_unserve $subsystem $port" &&
	mkdir "$subsystem" "$subsystem/namespaces/1" "$port" &&
	echo 1 >"$subsystem/attr_allow_any_host" &&
	echo "/dev/$name" >"$subsystem/namespaces/1/device_path" &&
	echo 1 >"$subsystem/namespaces/1/enable" &&
	echo "$1" >"$port/addr_trtype" && echo ipv4 >"$port/addr_adrfam" &&
	echo "$RDMABLK_TARGET" >"$port/addr_traddr" &&
	echo "$2" >"$port/addr_trsvcid" &&
	ln -s "$subsystem" "$port/subsystems/"
}

# nvme_unserve SUBSYSTEM PORT
nvme_unserve()
{
	rm "$2/subsystems/${1##*/}"
	rmdir "$2" "$1/namespaces/1" "$1"
}

# nvme_use TRANSPORT PORT
nvme_use()
{
	local name=bench-$1

	modprobe "nvme-$1" && defer "nvme_unuse $name" &&
	echo "transport=$1,traddr=$RDMABLK_TARGET,trsvcid=$2,nqn=$name,nr_poll_queues=1" \
		>/dev/nvme-fabrics &&
	appears "/dev/$(basename "$(nvme_controller "$name")")n1"
}

# nvme_unuse NQN
nvme_unuse()
{
	echo 1 >"$(nvme_controller "$1")/delete_controller"
}

# nvme_controller NQN
nvme_controller()
{
	grep -lx "$1" /sys/class/nvme/*/subsysnqn | xargs -r dirname
}

nvme_rdma_serve() { nvme_serve rdma 4420; }
nvme_rdma_use()   { nvme_use rdma 4420; }
nvme_tcp_serve()  { nvme_serve tcp 4421; }
nvme_tcp_use()    { nvme_use tcp 4421; }

# ---- No target at all: what the block layer and fio cost

local_serve() { :; }
local_use()   { null_blk_up bench-local; }

# ---- RNBD over RTRS, over null_blk, too

# rnbd_modules NAME...: below the kernel's drivers/. One guest may be both ends.
rnbd_modules()
{
	local dir=$RDMABLK_TREE/build/bench/$RDMABLK_KERNEL/rnbd/drivers name

	for name; do
		[ ! -d "/sys/module/$(basename "${name//-/_}")" ] || continue
		insmod "$dir/$name.ko" || return
		defer "rmmod ${name##*/}"
	done
}

rnbd_serve()
{
	rnbd_modules infiniband/ulp/rtrs/rtrs-{core,server} block/rnbd/rnbd-server &&
	null_blk_up bench-rnbd
}

rnbd_use()
{
	rnbd_modules infiniband/ulp/rtrs/rtrs-{core,client} block/rnbd/rnbd-client &&
	defer rnbd_down &&
	echo "sessname=bench path=ip:$RDMABLK_TARGET device_path=dev/bench-rnbd" \
		"nr_poll_queues=1" >/sys/class/rnbd-client/ctl/map_device &&
	appears /dev/rnbd0
}

rnbd_down()
{
	echo normal >/sys/block/rnbd0/rnbd/unmap_device
}

# ---- NBD over TCP

nbd_serve()
{
	nbdkit --ipaddr "$RDMABLK_TARGET" --pidfile /run/nbdkit.pid \
		memory "${size}M" &&
	defer 'kill "$(cat /run/nbdkit.pid)"'
}

nbd_use()
{
	modprobe nbd &&
	nbd-client -C "$(nproc)" -b 512 "$RDMABLK_TARGET" /dev/nbd0 &&
	defer 'nbd-client -d /dev/nbd0' && fill /dev/nbd0 && appears /dev/nbd0
}
