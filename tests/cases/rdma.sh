# shellcheck shell=bash
#
# For the cases, after lib.sh: RDMA devices that go away, and come back.

# rdma_goes client|target: that end's, whatever is open on it.
rdma_goes()
{
	timeout 60 rdma link delete "rxe_$1"
}

# removed_in SECONDS DEVICE: it goes, whoever has it open. Who waits for that cannot be
# killed.
removed_in()
{
	rdma link delete "$2" &
	wait_for "$1" "! kill -0 $!" && wait $!
}

# rdma_comes client|target|extra: does nothing if it is there, so that it can be deferred.
rdma_comes()
{
	rdma link show "rxe_$1/1" >/dev/null 2>&1 ||
		rdma link add "rxe_$1" type rxe netdev "${1}0"
}

# rdma_connections client|target PATTERN: how many its connection manager has that match.
rdma_connections()
{
	rdma resource show cm_id dev "rxe_$1" | grep -c "$2.*dst-addr"
}

# rdma_active: waits until every port is, as links take a moment to come up.
rdma_active()
{
	wait_for 10 '! grep -qv ACTIVE /sys/class/infiniband/*/ports/1/state'
}

# rdma_none: the host has no RDMA device any more, until the case ends.
rdma_none()
{
	defer 'rdma_comes target && rdma_comes client && rdma_active'
	rdma_goes client && rdma_goes target
}
