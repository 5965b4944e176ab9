# shellcheck shell=bash
#
# For the cases, after lib.sh: packets take a way round, in one guest, where netem can
# do to them what a bad network does.
#
# It is behind the cable, on the receiving side: there they do not belong to the sender
# any more, which takes a packet that it cannot send for an error of the device, and
# whose queue pair can be destroyed while they are under way.

# detour_setup NETDEV: for what arrives there; nothing takes it yet.
detour_setup()
{
	modprobe ifb numifbs=0 &&
	modprobe -a act_mirred cls_u32 sch_ingress sch_netem &&
	ip link add "via-$1" type ifb &&
	defer "tc qdisc del dev $1 ingress; ip link del via-$1" &&
	ip link set "via-$1" up &&
	tc qdisc add dev "$1" ingress
}

# detour_netem NETDEV NETEM-OPTION...: what happens there.
detour_netem()
{
	tc qdisc replace dev "via-$1" root netem limit 10000 "${@:2}"
}

# detour_begin NETDEV [U32-MATCH]...: all packets, or those that match, take it.
detour_begin()
{
	[ $# -gt 1 ] || set -- "$1" match u32 0 0
	tc filter add dev "$1" ingress protocol ip u32 "${@:2}" \
		action mirred egress redirect dev "via-$1"
}

# detour_end NETDEV: those that come do not. Those under way go on.
detour_end()
{
	tc filter del dev "$1" ingress
}

# detour_packets NETDEV: how many are under way.
detour_packets()
{
	tc -s -j qdisc show dev "via-$1" | jq '.[0].qlen'
}
