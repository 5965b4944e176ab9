# shellcheck shell=bash
#
# The guest's RDMA network: Soft-RoCE, on documentation addresses.
#
# One host: both ends of a cable, and a way to plug it in between them.
#
#            client0 ══════════ veth, MTU 9000 ══════════ target0
#       rxe_client │                                      │ rxe_target
#        192.0.2.2 │                                      │ 192.0.2.1
#   2001:db8:2::2  │                                      │ 2001:db8:2::1
#                                                         │ 192.0.2.9 (loopback)
#
# Left alone, the kernel sends what is for its own address through lo. Rules
# above the local table send it through the cable instead, so that it can be
# cut, delayed or filtered like any other. What goes to 192.0.2.9 takes the
# short cut inside rxe_target. (The oif rules are for the RDMA connection
# manager, which asks for a route back to an IPv6 peer in these words.)
#
# Two hosts: a cable from machine to machine, host 1 being the target.
#
#         host2 eth0 ══════════ virtio, MTU 4200 ══════════ eth0 host1
#               rxe0                                        rxe0
#           192.0.2.2                                       192.0.2.1
#      2001:db8:2::2                                        2001:db8:2::1

net_one_host()
{
	local client=52:54:00:00:02:02 target=52:54:00:00:02:01

	# The cable must hold what the QPs have in flight, or it loses packets.
	modprobe veth &&
	sysctl -q -w net.core.netdev_max_backlog=20000 \
		     net.ipv4.conf.default.accept_local=1 \
		     net.ipv6.conf.default.accept_dad=0 &&
	ip -4 -batch - <<-END && ip -6 -batch - <<-END
		link add client0 mtu 9000 address $client type veth peer name target0 mtu 9000 address $target
		address add 192.0.2.2/24 dev client0
		address add 192.0.2.1/24 dev target0
		address add 192.0.2.9/32 dev target0
		link set client0 up
		link set target0 up
		neigh add 192.0.2.1 lladdr $target dev client0
		neigh add 192.0.2.2 lladdr $client dev target0
		route add 192.0.2.1 dev client0 src 192.0.2.2 table 101
		route add 192.0.2.2 dev target0 src 192.0.2.1 table 102
		rule add pref 10 iif lo to 192.0.2.1 lookup 101
		rule add pref 10 iif lo to 192.0.2.2 lookup 102
		rule add pref 20 lookup local
		rule del pref 0
	END
		address add 2001:db8:2::2/64 dev client0
		address add 2001:db8:2::1/64 dev target0
		neigh add 2001:db8:2::1 lladdr $target dev client0
		neigh add 2001:db8:2::2 lladdr $client dev target0
		route add 2001:db8:2::1 dev client0 src 2001:db8:2::2 table 101
		route add 2001:db8:2::2 dev target0 src 2001:db8:2::1 table 102
		rule add pref 10 iif lo to 2001:db8:2::1 lookup 101
		rule add pref 10 iif lo to 2001:db8:2::2 lookup 102
		rule add pref 11 oif client0 to 2001:db8:2::1 lookup 101
		rule add pref 11 oif target0 to 2001:db8:2::2 lookup 102
		rule add pref 20 lookup local
		rule del pref 0
	END
	rdma link add rxe_target type rxe netdev target0 &&
	rdma link add rxe_client type rxe netdev client0
}

net_two_hosts()
{
	modprobe virtio_net &&
	ip -batch - <<-END &&
		address add 192.0.2.$vm_host/24 dev eth0
		address add 2001:db8:2::$vm_host/64 dev eth0 nodad
		link set eth0 up
	END
	rdma link add rxe0 type rxe netdev eth0
}

# What a script finds of it in its environment.
net_names()
{
	export RDMABLK_TARGET=192.0.2.1 RDMABLK_TARGET6=2001:db8:2::1
	if [ "$RDMABLK_HOSTS" -eq 1 ]; then
		export RDMABLK_TARGET_LOOPBACK=192.0.2.9 RDMABLK_NETDEV=client0
	else
		export RDMABLK_NETDEV=eth0
	fi
}

# Waits until every RDMA port is active: a link takes a moment to come up.
net_wait()
{
	local n

	for n in {1..100}; do
		grep -qv ACTIVE /sys/class/infiniband/*/ports/1/state || return 0
		sleep 0.1
	done
	return 1
}

net_start()
{
	modprobe -a rdma_rxe rdma_ucm ib_uverbs &&
	ip link set lo up || return
	if [ "$RDMABLK_HOSTS" -eq 1 ]; then
		net_one_host
	else
		net_two_hosts
	fi || return
	net_wait
}
