# shellcheck shell=bash
#
# For the cases, after lib.sh and detour.sh: packets for the queue pairs that the
# target has at some moment arrive late, those for later ones do not.

# late_setup SECONDS
late_setup()
{
	detour_setup target0 && detour_netem target0 delay "$1s"
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
		detour_begin target0 match ip protocol 17 0xff \
			match u32 "$number" 0x00ffffff at 32 || return
	done
}

# late_end: for those that come.
late_end()
{
	detour_end target0
}

# late_packets: how many are under way.
late_packets()
{
	detour_packets target0
}
