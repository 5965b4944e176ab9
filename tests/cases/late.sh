# shellcheck shell=bash
#
# For the cases, after lib.sh: packets of the client's queue pairs that arrive late,
# in one guest.
#
# What is for the target's queue pairs takes a way round, through an interface that
# holds it for a while. It is held behind the cable, where it does not belong to the
# sender any more: the sender's queue pair can be destroyed while its packets are
# under way.

# late_setup SECONDS
late_setup()
{
	modprobe ifb numifbs=0 &&
	modprobe -a act_mirred cls_u32 sch_ingress sch_netem &&
	ip link add late0 type ifb &&
	defer 'tc qdisc del dev target0 ingress; ip link del late0; rmmod ifb' &&
	ip link set late0 up &&
	tc qdisc add dev late0 root netem delay "$1s" limit 10000 &&
	tc qdisc add dev target0 ingress
}

# Those of the target, but for the one that connections are made with.
late_numbers()
{
	rdma resource show qp | awk '/^link rxe_target\/.* type RC / {
		for (i = 1; i < NF; i++)
			if ($i == "lqpn")
				print $(i + 1)
	}'
}

# late_begin: for the queue pairs that there are now. Their number is in the second
# word behind the headers of IP and UDP.
late_begin()
{
	local number numbers

	mapfile -t numbers < <(late_numbers)
	[ ${#numbers[@]} -gt 0 ] || return
	for number in "${numbers[@]}"; do
		tc filter add dev target0 ingress protocol ip u32 \
			match ip protocol 17 0xff \
			match u32 "$number" 0x00ffffff at 32 \
			action mirred egress redirect dev late0 || return
	done
}

# late_end: for those that come.
late_end()
{
	tc filter del dev target0 ingress
}

# late_packets: how many are under way.
late_packets()
{
	tc -s -j qdisc show dev late0 | jq '.[0].qlen'
}
