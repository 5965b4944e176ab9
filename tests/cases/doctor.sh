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
