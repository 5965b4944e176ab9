# shellcheck shell=bash
#
# For the operator-doctor-* cases, after lib.sh: what doctor finds, and hosts that
# are other than this one.

doctor_json=$(mktemp)
defer "rm -f $doctor_json"

# examine COMMAND...: doctor, and what has it see another host than this.
examine()
{
	"$@" -o json >"$doctor_json"
	doctor_status=$?
}

# finds ID SEVERITY WHAT REMEDY DESCRIPTION: the latest examination did.
finds()
{
	local found

	found=$(jq -r --arg id "$1" '.findings[] | select(.id | test("^(" + $id + ")$")) |
		"\(.severity): \(.what) -> \(.remedy)"' "$doctor_json")
	like "$found" "(^|$newline)$2: [^$newline]*$3[^$newline]* -> [^$newline]*$4" "$5"
}
newline=$'\n'

# errors: those that the latest examination found.
errors()
{
	jq -r '.findings[] | select(.severity == "error").what' "$doctor_json"
}

# with_config 'LINES' COMMAND...: where rdmablkd.conf has these lines.
with_config()
{
	unshare --mount bash -c 'mount -t tmpfs tmpfs /mnt &&
		mkdir /mnt/upper /mnt/work &&
		mount -t overlay -o lowerdir=/etc,upperdir=/mnt/upper,workdir=/mnt/work \
			overlay /etc &&
		mkdir -p /etc/rdmablk && printf "%b" "$1" >/etc/rdmablk/rdmablkd.conf &&
		shift && "$@"' - "$@"
}

# with_module_version VERSION COMMAND...: where the module says that it has it.
with_module_version()
{
	unshare --mount bash -c 'mount -t tmpfs tmpfs /mnt && echo "$1" >/mnt/version &&
		mount --bind /mnt/version /sys/module/rdmablk/version &&
		shift && "$@"' - "$@"
}

# An RDMA device that leads nowhere, and beside it an interface without one.
add_interface()
{
	modprobe veth
	ip link add extra0 type veth peer name extra1 &&
		defer remove_interface &&
		rdma link add rxe_extra type rxe netdev extra0
}

interface_up()
{
	ip link set extra0 up && ip link set extra1 up &&
		ip address add 203.0.113.1/24 dev extra1 &&
		ip neigh add 203.0.113.2 dev extra1 \
			lladdr "$(cat /sys/class/net/extra0/address)" &&
		wait_for 10 'grep -q ACTIVE /sys/class/infiniband/rxe_extra/ports/1/state'
}

# Does nothing if it is gone, so that it can be deferred.
remove_interface()
{
	[ ! -e /sys/class/net/extra0 ] || ip link delete extra0
	wait_for 10 '[ ! -e /sys/class/infiniband/rxe_extra ]'
}

# follow_remedy ID: do as the latest examination says: all that it has in quotes.
follow_remedy()
{
	jq -r --arg id "$1" '.findings[] | select(.id == $id).remedy' "$doctor_json" |
		grep -o "'[^']*'" | tr -d "'" | bash -ex
}

# manager: what is known of the queue pair of rxe_client's connection manager.
manager()
{
	rdma resource show qp | grep '^link rxe_client/1 .* type GSI '
}

# lose_message: the connection manager of rxe_client has one that cannot be sent, as one
# end of the cable is down. Soft-RoCE of 6.4 and newer does not get over that. For those
# who have link.sh and rdma.sh, too.
lose_message()
{
	local before status=0

	before=$(manager)
	defer mend_manager
	defer link_up
	link_down target0 || return
	rping -c -a "$RDMABLK_TARGET" -C 1 >/dev/null 2>&1 &
	wait_for 20 "[ \"\$(manager)\" != '$before' ]" || status=$?
	kill $! 2>/dev/null
	wait $!
	link_up && [ $status -eq 0 ] && rdma_active
}

# Does nothing if it works, so that it can be deferred.
mend_manager()
{
	[[ $(manager) != *' state RTS '* ]] || return 0
	rdma_goes client
	rdma_comes client
}
