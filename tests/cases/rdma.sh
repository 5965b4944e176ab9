# shellcheck shell=bash
#
# For the cases, after lib.sh: RDMA devices that go away, and come back.

# rdma_goes client|target: that end's, whatever is open on it.
rdma_goes()
{
	timeout 60 rdma link delete "rxe_$1"
}

# rdma_comes client|target: does nothing if it is there, so that it can be deferred.
rdma_comes()
{
	rdma link show "rxe_$1/1" >/dev/null 2>&1 ||
		rdma link add "rxe_$1" type rxe netdev "${1}0"
}
