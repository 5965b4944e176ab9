// SPDX-License-Identifier: GPL-2.0
/*
 * How a connection comes about: what the connection manager is asked for, and what
 * it reports.
 *
 * Set-up is a sequence of steps, each of which starts something in the
 * connection manager and sleeps until its event arrives. The event handler
 * only notes the event and wakes the sleeper: all decisions, and all teardown,
 * happen in the context of the caller.
 */
#include <net/net_namespace.h>
#include <rdma/ib_cm.h>

#include "conn.h"
#include "delay.h"
#include "goodbye.h"
#include "trace.h"

/* For one look whether a neighbour has answered. */
#define RDMABLK_RESOLVE_MS	1000

/* How often a stale connection is made again, and what the target has in between. */
#define RDMABLK_STALE_TRIES	10
#define RDMABLK_STALE_PAUSE_MS	100

static void rdmablk_conn_note_reject(struct rdmablk_conn *conn,
				     struct rdma_cm_event *event)
{
	const void *data;
	u8 len = 0;

	data = rdma_consumer_reject_data(conn->cm_id, event, &len);
	if (rdmablk_check_cm_rej(data, len))
		return;
	memcpy(&conn->rej, data, sizeof(conn->rej));
	conn->has_rej = true;
}

static void rdmablk_conn_note_accept(struct rdmablk_conn *conn,
				     struct rdma_cm_event *event)
{
	conn->rep_len = min_t(size_t, event->param.conn.private_data_len,
			      sizeof(conn->rep));
	if (conn->rep_len)
		memcpy(&conn->rep, event->param.conn.private_data,
		       conn->rep_len);
	set_bit(0, &conn->established);
}

static void rdmablk_conn_lost(struct rdmablk_conn *conn, const char *why)
{
	if (test_and_clear_bit(0, &conn->established))
		conn->ops->lost(conn, why);
}

/* Runs in the connection manager's workqueue, one event of a cm_id at a time. */
static int rdmablk_conn_event(struct rdma_cm_id *cm_id,
			      struct rdma_cm_event *event)
{
	struct rdmablk_conn *conn = cm_id->context;

	trace_rdmablk_cm_event(cm_id, event);
	switch (event->event) {
	case RDMA_CM_EVENT_REJECTED:
		rdmablk_conn_note_reject(conn, event);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		rdmablk_conn_note_accept(conn, event);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		rdmablk_conn_lost(conn, "the target closed the connection");
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		/*
		 * The core waits until the owner has destroyed the cm_id; it
		 * must not be destroyed from here, hence zero.
		 */
		conn->removed = true;
		rdmablk_conn_lost(conn, "the RDMA device was removed");
		break;
	case RDMA_CM_EVENT_ADDR_CHANGE:
		rdmablk_conn_lost(conn, "the local address changed");
		break;
	case RDMA_CM_EVENT_UNREACHABLE:
		rdmablk_conn_lost(conn, "the target cannot be reached any more");
		break;
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		return 0;
	default:
		break;
	}

	conn->event_error = event->status;
	/* Pairs with the acquire in rdmablk_conn_wait(). */
	smp_store_release(&conn->event, event->event);
	wake_up_all(&conn->wait->head);
	return 0;
}

static void rdmablk_conn_expect(struct rdmablk_conn *conn)
{
	conn->event_error = 0;
	conn->has_rej = false;
	WRITE_ONCE(conn->event, RDMABLK_NO_EVENT);
}

static int rdmablk_conn_wait(struct rdmablk_conn *conn, int expected,
			     u32 timeout_ms)
{
	int err = rdmablk_wait_event(conn->wait,
			/* Pairs with the release in rdmablk_conn_event(). */
			smp_load_acquire(&conn->event) != RDMABLK_NO_EVENT,
			timeout_ms);

	if (err)
		return err;
	return conn->event == expected ? 0 : -ECONNABORTED;
}

/* The addresses as people write them need no more than this. */
static int rdmablk_conn_no_route(struct rdmablk_conn *conn,
				 const struct rdmablk_conn_addr *addr, int err,
				 struct rdmablk_reason *reason)
{
	if (err == -ECANCELED)
		return rdmablk_reason_set(reason, err, "canceled");
	if (err == -ECONNABORTED && conn->event_error < 0)
		err = conn->event_error;
	if (err == -ENODEV || err == -EADDRNOTAVAIL)
		return rdmablk_reason_set(reason, -ENODEV,
			"no RDMA device of this host leads to %pISpc: check 'rdma link', and that the address is on that network",
			&addr->dst);
	if (err == -ETIMEDOUT)
		return rdmablk_reason_set(reason, -EHOSTUNREACH,
			"%pISpc cannot be reached (no answer): check the address and the network",
			&addr->dst);
	return rdmablk_reason_set(reason, -EHOSTUNREACH,
			"%pISpc cannot be reached (error %d, no route?): check the address and the network",
			&addr->dst, err);
}

/*
 * Asked for in pieces: a neighbour that answers at once, while it is being asked for,
 * is noticed only when the time is over.
 */
static int rdmablk_conn_resolve_addr(struct rdmablk_conn *conn,
				     const struct rdmablk_conn_addr *addr)
{
	struct sockaddr *dst = (struct sockaddr *)&addr->dst, *src = NULL;
	u32 left = addr->timeout_ms, piece;
	int err;

	if (addr->src.ss_family != AF_UNSPEC)
		src = (struct sockaddr *)&addr->src;
	do {
		piece = min_t(u32, left, RDMABLK_RESOLVE_MS);
		left -= piece;
		rdmablk_conn_expect(conn);
		err = rdma_resolve_addr(conn->cm_id, src, dst, piece);
		if (!err)
			err = rdmablk_conn_wait(conn, RDMA_CM_EVENT_ADDR_RESOLVED,
						piece + RDMABLK_RESOLVE_MS);
	} while (err == -ECONNABORTED && conn->event_error == -ETIMEDOUT && left);
	return err;
}

/**
 * rdmablk_conn_resolve() - create the cm_id and find device and path
 * @conn: initialised, without a cm_id
 * @addr: whom to connect to
 * @reason: set on failure
 *
 * Afterwards the cm_id's device is known. rdmablk_conn_destroy() undoes it,
 * also after a failure.
 *
 * Context: process; sleeps up to two time-outs.
 * Return: 0, or a negative errno.
 */
int rdmablk_conn_resolve(struct rdmablk_conn *conn,
			 const struct rdmablk_conn_addr *addr,
			 struct rdmablk_reason *reason)
{
	struct rdma_cm_id *cm_id;
	int err;

	conn->unanswered = false;
	cm_id = rdma_create_id(&init_net, rdmablk_conn_event, conn,
			       RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(cm_id))
		return rdmablk_reason_set(reason, PTR_ERR(cm_id),
					  "cannot create a connection");
	conn->cm_id = cm_id;
	/* An event of the cm_id before may have come late. */
	clear_bit(0, &conn->established);
	conn->rep_len = 0;
	conn->asked = false;
	conn->removed = false;

	err = rdmablk_conn_resolve_addr(conn, addr);
	if (err)
		return rdmablk_conn_no_route(conn, addr, err, reason);

	rdmablk_conn_expect(conn);
	err = rdma_resolve_route(cm_id, addr->timeout_ms);
	if (!err)
		err = rdmablk_conn_wait(conn, RDMA_CM_EVENT_ROUTE_RESOLVED,
					addr->timeout_ms);
	if (err)
		return rdmablk_conn_no_route(conn, addr, err, reason);
	if (!rdmablk_link_carries(cm_id))
		return rdmablk_reason_set(reason, -ENETDOWN,
			"the link of %s is down: check the cable, and 'ip link'",
			cm_id->device->name);
	return 0;
}

static int rdmablk_conn_refused(struct rdmablk_conn *conn,
				struct rdmablk_reason *reason)
{
	struct sockaddr_storage *dst = &conn->cm_id->route.addr.dst_addr;

	if (conn->event != RDMA_CM_EVENT_REJECTED)
		return rdmablk_reason_set(reason, -ECONNABORTED,
			"%pISpc: %s (error %d)", dst,
			rdma_event_msg(conn->event), conn->event_error);
	if (conn->event_error == IB_CM_REJ_STALE_CONN)
		return rdmablk_reason_set(reason, -ECONNREFUSED,
			"%pISpc takes this connection for one of before (stale): try again",
			dst);
	if (!conn->has_rej)
		return rdmablk_reason_set(reason, -ECONNREFUSED,
			"%pISpc refused the connection (%s): is rdmablkd running, and on this port?",
			dst, rdma_reject_msg(conn->cm_id, conn->event_error));
	if (le16_to_cpu(conn->rej.status) == RDMABLK_E_VERSION)
		return rdmablk_reason_set(reason, -EPROTONOSUPPORT,
			"%pISpc speaks protocol versions %u to %u, this module %u to %u: update the older one",
			dst, conn->rej.version_min, conn->rej.version_max,
			RDMABLK_VERSION_MIN, RDMABLK_VERSION_MAX);
	return rdmablk_reason_set(reason, -ECONNREFUSED, "%pISpc: %s", dst,
			rdmablk_status_text(le16_to_cpu(conn->rej.status)));
}

/**
 * rdmablk_conn_connect() - connect the QP to the target
 * @conn: with a QP
 * @req: private data of the request
 * @reason: set on failure
 *
 * Context: process; sleeps up to what is left of the time to connect, or half of it
 * when the request may be made anew.
 * Return: 0 once established, with @conn->rep validated; -EPROTO when the peer
 * is no rdmablk target; -ECONNREFUSED, -EPROTONOSUPPORT, -ETIMEDOUT,
 * -ECANCELED or another negative errno.
 */
int rdmablk_conn_connect(struct rdmablk_conn *conn,
			 const struct rdmablk_cm_req *req,
			 struct rdmablk_reason *reason)
{
	const struct ib_device_attr *attrs = &conn->cm_id->device->attrs;
	struct rdma_conn_param param = {
		.private_data		= req,
		.private_data_len	= sizeof(*req),
		.responder_resources	= 0,
		.initiator_depth	= min(attrs->max_qp_init_rd_atom, 255),
		.flow_control		= 1,
		/* 7 would be for ever in Soft-RoCE. */
		.retry_count		= 6,
		/* By the specification this is for ever. */
		.rnr_retry_count	= 7,
	};
	struct sockaddr_storage *dst = &conn->cm_id->route.addr.dst_addr;
	u32 patience = conn->anew ? rdmablk_patience_ms(conn->left_ms) :
				    conn->left_ms;
	int err;

	rdmablk_conn_expect(conn);
	conn->asked = true;
	err = rdmablk_fault(RDMABLK_FAULT_CONNECT) ? -ENOMEM :
	      rdma_connect(conn->cm_id, &param);
	if (!err)
		err = rdmablk_conn_wait(conn, RDMA_CM_EVENT_ESTABLISHED,
					patience);
	if (err == -ECONNABORTED)
		return rdmablk_conn_refused(conn, reason);
	if (err == -ETIMEDOUT) {
		conn->unanswered = true;
		conn->left_ms -= patience;
		return rdmablk_reason_set(reason, err,
			"%pISpc did not answer within %u ms", dst,
			conn->timeout_ms);
	}
	if (err)
		return rdmablk_reason_set(reason, err,
			"cannot connect to %pISpc: error %d", dst, err);

	err = rdmablk_check_cm_rep(&conn->rep, conn->rep_len, req->kind);
	if (err)
		return rdmablk_reason_set(reason, err,
			"%pISpc is not an rdmablk target", dst);
	rdmablk_goodbyes_say(conn->cm_id->device);
	return 0;
}

/*
 * A host that was reset comes back with the numbers that its queue pairs had before.
 * The connection manager of a target that knows nothing of the reset takes the first
 * request with such a number for a stale one: it refuses it, and takes the old
 * connection down. The next one comes with another number, and may meet another old
 * connection, until the target's daemon has noticed and ended the old session.
 */
static bool rdmablk_conn_is_stale(const struct rdmablk_conn *conn)
{
	return conn->event == RDMA_CM_EVENT_REJECTED &&
	       conn->event_error == IB_CM_REJ_STALE_CONN;
}

/**
 * rdmablk_conn_begin() - a connection is to be made, with some tries
 * @conn: without a cm_id
 * @timeout_ms: for how long the target is asked, all in all
 * @anew: a request that is not answered may be made anew within that time: it is no
 *	  harm if the target has answered, but late
 *
 * Context: process.
 */
void rdmablk_conn_begin(struct rdmablk_conn *conn, u32 timeout_ms, bool anew)
{
	conn->anew = anew;
	conn->timeout_ms = timeout_ms;
	conn->left_ms = timeout_ms;
	conn->stale = 0;
}

/**
 * rdmablk_conn_again() - should a connection that failed be made again at once?
 * @conn: as rdmablk_conn_connect() has left it
 *
 * It should be when it was taken for a stale one, some times; and when nobody
 * answered, as long as there is time: the request may have got lost. The connection
 * manager sends it again, too, but only after four seconds or more.
 *
 * Context: process; may sleep for a moment before it says yes.
 * Return: true when it should.
 */
bool rdmablk_conn_again(struct rdmablk_conn *conn)
{
	if (conn->unanswered)
		return conn->left_ms;
	if (!rdmablk_conn_is_stale(conn) ||
	    ++conn->stale == RDMABLK_STALE_TRIES)
		return false;
	/* Unless the device is being deleted. */
	return rdmablk_wait_event(conn->wait, false, RDMABLK_STALE_PAUSE_MS) ==
	       -ETIMEDOUT;
}
