# shellcheck shell=bash
#
# For the cases, after lib.sh: ways to lose the path.
#
# wire_cut has Soft-RoCE's packets get lost, and nobody is told. link_down takes
# one end of the cable down; the other end loses its carrier meanwhile. address_gone
# takes an address away from one end.
#
# The kernel forgets routes, neighbours and IPv6 addresses of an interface that
# goes down, and routes of an address that does; the guest has some that nobody would
# set again (see vm/guest/net.sh). Meanwhile, the target must not be reached by a short
# cut through lo.

link= link_saved=

# Packets are dropped where they arrive: Soft-RoCE takes one that cannot be sent for an
# error of the device.
#
# The place to do so is there from the beginning to the end of a case, when little goes
# on. To make it the kernel changes its own code, and QEMU's emulated processors may
# miss that if both of them are busy executing it: then they meet a breakpoint that is
# not there any more, for ever.
nft -f - <<-EOF
	table inet rdmablk_wire {
		chain lost {
			type filter hook input priority 0
		}
	}
EOF
defer 'nft delete table inet rdmablk_wire'

# wire_cut [MATCH]...: all packets, or those that match.
wire_cut()
{
	nft add rule inet rdmablk_wire lost "$* udp dport 4791 drop"
}

# Does nothing if the wire is whole, so that it can be deferred.
wire_mend()
{
	nft flush chain inet rdmablk_wire lost
}

link_routes()
{
	ip "$1" route show table all dev "$link" proto boot |
		sed "s/^/route replace /; s/\$/ dev $link/"
}

link_neighbours()
{
	ip "$1" neigh show dev "$link" nud permanent |
		sed "s/^/neigh replace /; s/ PERMANENT.*/ dev $link/"
}

link_addresses()
{
	ip "$1" -oneline address show dev "$link" scope global |
		awk -v family="$1" '{
			print "address replace", $4, "dev", $2 (family == -6 ? " nodad" : "")
		}'
}

# link_short_cuts add|del: what takes the place of routes that are gone.
link_short_cuts()
{
	local file

	for file in 4 6; do
		sed -n "s/^route replace \([^ ]*\) table \([0-9]*\) .*/route $1 unreachable \1 table \2 metric 9999/p" \
			"$link_saved/$file" | ip -$file -batch -
	done
}

# link_save NETDEV: for link_up
link_save()
{
	local family

	link=$1
	link_saved=$(mktemp -d)
	for family in 4 6; do
		{
			link_addresses -$family
			link_neighbours -$family
			link_routes -$family
		} >"$link_saved/$family"
	done
	link_short_cuts add
}

# link_down NETDEV
link_down()
{
	link_save "$1"
	ip link set "$link" down
}

# address_gone NETDEV ADDRESS/LENGTH [OTHER]: until link_up; then it is back, or the
# other one, of the same length, is there in its place.
address_gone()
{
	link_save "$1"
	ip address delete "$2" dev "$link" || return
	[ -z "${3:-}" ] || sed -i "s|\<${2%/*}\>|$3|g" "$link_saved"/?
}

# Does nothing if the link is as it was, so that it can be deferred.
link_up()
{
	local status

	[ -n "$link_saved" ] || return 0
	ip link set "$link" up &&
	ip -4 -batch "$link_saved/4" && ip -6 -batch "$link_saved/6" &&
	link_short_cuts del
	status=$?
	rm -rf "$link_saved"
	link_saved=
	return $status
}

# Seconds: some flaps that a card gets over alone, some that it may not.
# shellcheck disable=SC2034 # for who has a link flap again and again
flap_lengths=(0.05 3 0.5 6)

# link_flap SECONDS: it goes down, and comes up so much later.
link_flap()
{
	link_down target0 || return
	read -rt "$1" -u "$nothing"
	link_up
}

# broken_managers: how many queue pairs of connection managers are broken. Soft-RoCE does
# not get over a message that it cannot send.
broken_managers()
{
	rdma resource show qp type GSI | grep -c 'state ERR'
}
