// SPDX-License-Identifier: GPL-2.0
/*
 * One RDMA connection: its connection id and its queue pair, from a request
 * that arrived to the end. What travels on it is not known here.
 *
 * The queue pair is made with verbs, not with rdma_create_qp(): librdmacm would
 * allow remote writes and atomics on every one. Here a client gets the access
 * that its session has, and a control connection none at all.
 */
#include <errno.h>
#include <string.h>

#include "conn.h"
#include "goodbye.h"
#include "link.h"
#include "log.h"
#include "macros.h"

#define MIN_RNR_TIMER	12	/* 0.64 ms: a client early by a hair retries */
#define RETRIES		6	/* 7 would be for ever: by the specification when
				 * receivers are not ready, in Soft-RoCE always */

/**
 * conn_init() - begin with a request that arrived
 * @conn: filled in
 * @ops: whom to tell
 * @id: of the request; belongs to the connection from here on
 * @device: the device of @id
 * @reads_wanted: READs that the client wants to have under way
 */
void conn_init(struct conn *conn, const struct conn_ops *ops,
	       struct rdma_cm_id *id, struct device *device,
	       unsigned int reads_wanted)
{
	unsigned int reads = MIN(reads_wanted,
				 (unsigned int)device->attr.max_qp_rd_atom);

	*conn = (struct conn){
		.ops = ops,
		.id = id,
		.device = device,
		.responder_resources = (uint8_t)MIN(reads, 255U),
		.link_known = link_carries(rdma_get_local_addr(id)),
	};
	id->context = conn;
}

/*
 * Has the connection manager fill in what it knows, then moves the QP. It knows nothing
 * any more of a client that has given up.
 */
static int modify(struct conn *conn, enum ibv_qp_state state,
		  const struct ibv_qp_attr *own, int own_mask, struct reason *why)
{
	struct ibv_qp_attr attr = { .qp_state = state };
	int mask, err;

	if (rdma_init_qp_attr(conn->id, &attr, &mask))
		return errno == EINVAL ?
		       reason_set(why, -EINVAL, "the client did not wait for the answer") :
		       reason_set(why, -errno, "no attributes for the queue pair: %m");
	if (own_mask & IBV_QP_ACCESS_FLAGS)
		attr.qp_access_flags = own->qp_access_flags;
	if (own_mask & IBV_QP_MAX_DEST_RD_ATOMIC)
		attr.max_dest_rd_atomic = own->max_dest_rd_atomic;
	if (own_mask & IBV_QP_MIN_RNR_TIMER)
		attr.min_rnr_timer = own->min_rnr_timer;
	if (own_mask & IBV_QP_MAX_QP_RD_ATOMIC)
		attr.max_rd_atomic = own->max_rd_atomic;
	if (own_mask & IBV_QP_RNR_RETRY)
		attr.rnr_retry = own->rnr_retry;
	if (own_mask & IBV_QP_RETRY_CNT)
		attr.retry_cnt = own->retry_cnt;
	err = ibv_modify_qp(conn->qp, &attr, mask | own_mask);
	return err ? reason_set(why, -err, "cannot move the queue pair to state %d: %s",
				state, strerror(err)) : 0;
}

/**
 * conn_create_qp() - make the queue pair; receives can be posted after this
 * @conn: the connection
 * @setup: what it shall be like
 * @why: set on failure; conn_close() is due then
 *
 * Return: 0 or a negative errno.
 */
int conn_create_qp(struct conn *conn, const struct conn_setup *setup,
		   struct reason *why)
{
	const struct ibv_qp_attr own = { .qp_access_flags = setup->access };
	struct ibv_qp_init_attr init = {
		.qp_context = conn,
		.send_cq = setup->cq,
		.recv_cq = setup->cq,
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
		.cap = {
			.max_send_wr = setup->nr_send,
			.max_recv_wr = setup->nr_recv,
			.max_send_sge = 1,
			.max_recv_sge = 1,
		},
	};

	conn->qp = ibv_create_qp(setup->pd, &init);
	if (!conn->qp)
		return reason_set(why, -errno, "no queue pair: %m");
	return modify(conn, IBV_QPS_INIT, &own, IBV_QP_ACCESS_FLAGS, why);
}

/**
 * conn_start_qp() - have the queue pair work, for a client that waits
 * @conn: with its queue pair
 * @why: set on failure; conn_close() is due then
 *
 * The client does not know of it before conn_accept().
 *
 * Return: 0 or a negative errno.
 */
int conn_start_qp(struct conn *conn, struct reason *why)
{
	const struct ibv_qp_attr own = {
		.max_dest_rd_atomic = conn->responder_resources,
		.min_rnr_timer = MIN_RNR_TIMER,
		.rnr_retry = RETRIES,
		.retry_cnt = RETRIES,
	};
	int err;

	err = modify(conn, IBV_QPS_RTR, &own,
		     IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER, why);
	return err ? err : modify(conn, IBV_QPS_RTS, &own,
				  IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_RNR_RETRY |
				  IBV_QP_RETRY_CNT, why);
}

/**
 * conn_accept() - say yes
 * @conn: with its queue pair started
 * @rep: private data of the answer
 * @why: set on failure; conn_close() is due then
 *
 * The client may send as soon as this returns.
 *
 * Return: 0 or a negative errno.
 */
int conn_accept(struct conn *conn, const struct rdmablk_cm_rep *rep,
		struct reason *why)
{
	struct rdma_conn_param param = {
		.private_data = rep,
		.private_data_len = sizeof(*rep),
		.responder_resources = conn->responder_resources,
		.rnr_retry_count = RETRIES,
		.qp_num = conn->qp->qp_num,
	};

	if (rdma_accept(conn->id, &param))
		return reason_set(why, -errno, "cannot accept: %m");
	return 0;
}

/**
 * conn_close() - end a connection
 * @conn: the connection, in any state, also closed already
 *
 * When this returns the queue pair is gone: the client can neither read nor
 * write through it, and what it sent before has arrived or never will. It may hear of
 * that later, see goodbye.c.
 */
void conn_close(struct conn *conn)
{
	int err;

	if (conn->qp) {
		err = ibv_destroy_qp(conn->qp);
		if (err && !conn->device->gone)
			log_error("RDMA device %s: cannot destroy a queue pair: %s",
				  device_name(conn->device), strerror(err));
		conn->qp = NULL;
	}
	if (conn->id) {
		/* The address is the client's word: nothing waits for a lie. */
		if (conn->link_known)
			goodbye_in_time(conn->device, conn->id);
		else
			goodbye_now(conn->id);
		conn->id = NULL;
	}
}

static bool is_roce(const struct rdma_cm_id *id)
{
	struct ibv_port_attr attr;

	return !ibv_query_port(id->verbs, id->port_num, &attr) &&
	       attr.link_layer == IBV_LINK_LAYER_ETHERNET;
}

/**
 * conn_peer() - who is at the other end?
 * @id: of a connection, or of the request for one
 * @addr: set to the client's address
 *
 * A request says which address it comes from, and nobody checks it. But on RoCE the
 * path is one of addresses, too, and the client's one there is where a connection's
 * packets go, and has to be where they come from.
 */
void conn_peer(struct rdma_cm_id *id, union addr *addr)
{
	addr_set_sockaddr(addr, rdma_get_peer_addr(id));
	if (id->route.num_paths && is_roce(id))
		addr_set_gid(addr, id->route.path_rec[0].dgid.raw);
}

/**
 * conn_cm_event() - the connection manager tells something
 * @conn: not closed; may be after this
 * @event: what
 * @status: goes with it
 */
void conn_cm_event(struct conn *conn, enum rdma_cm_event_type event, int status)
{
	switch (event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		goodbye_due(conn->device);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		conn->ops->lost(conn, "the client disconnected");
		break;
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		conn->ops->lost(conn, "the connection ended");
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		conn->ops->lost(conn, "the RDMA device was removed");
		break;
	case RDMA_CM_EVENT_CONNECT_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_REJECTED:
		conn->ops->lost(conn, "the client did not complete the connection");
		break;
	default:
		log_notice("unexpected event of the connection manager: %s, status %d",
			   rdma_event_str(event), status);
		break;
	}
}

/**
 * conn_established_by_data() - data came before the client's last CM message
 * @conn: not closed
 *
 * That message may be lost: the connection manager has to know that the
 * connection stands nevertheless.
 */
void conn_established_by_data(struct conn *conn)
{
	if (conn->id && rdma_notify(conn->id, IBV_EVENT_COMM_EST))
		log_warning("rdma_notify: %m");
}

/**
 * conn_broken() - the device reports an error of the queue pair
 * @conn: not closed; may be after this
 * @why: in words
 */
void conn_broken(struct conn *conn, const char *why)
{
	if (conn->qp)
		conn->ops->lost(conn, why);
}
