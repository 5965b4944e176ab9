/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One RDMA connection: a cm_id with its CQ and QP, from address resolution to
 * destruction. Knows the connection manager and verbs; nothing of sessions,
 * messages or block devices.
 */
#ifndef RDMABLK_CONN_H
#define RDMABLK_CONN_H

#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>

#include "fault.h"
#include "proto.h"
#include "reason.h"
#include "wait.h"

/**
 * struct rdmablk_conn_addr - where to connect to
 * @dst: address and port of the target
 * @src: address to connect from; family AF_UNSPEC: as the routes say
 * @timeout_ms: longest that any one step of connecting may take
 */
struct rdmablk_conn_addr {
	struct sockaddr_storage dst;
	struct sockaddr_storage src;
	u32 timeout_ms;
};

/**
 * struct rdmablk_conn_size - what a QP must hold
 * @send_wr: work requests on the send queue, without the drain's
 * @recv_wr: work requests on the receive queue, without the drain's
 * @send_sge: scatter/gather elements of a send work request
 * @comp_vector: completion vector for the CQ
 * @poll: context in which completions are handled
 */
struct rdmablk_conn_size {
	u32 send_wr;
	u32 recv_wr;
	u32 send_sge;
	int comp_vector;
	enum ib_poll_context poll;
};

/* Private data of a connect request; the kind's own fields come on top. */
#define RDMABLK_CM_REQ(kind_) {						\
	.magic		= cpu_to_le32(RDMABLK_MAGIC),			\
	.version_min	= RDMABLK_VERSION_MIN,				\
	.version_max	= RDMABLK_VERSION_MAX,				\
	.kind		= (kind_),					\
}

/* Not an event of the connection manager: nothing happened yet. */
#define RDMABLK_NO_EVENT (-1)

struct rdmablk_conn;

/**
 * struct rdmablk_conn_ops - whom a connection reports to
 * @lost: an established connection broke or was closed by the peer; called once
 *	from the connection manager's event handler
 */
struct rdmablk_conn_ops {
	void (*lost)(struct rdmablk_conn *conn, const char *why);
};

/**
 * struct rdmablk_conn - one connection
 * @cm_id: NULL when there is none
 * @cq: NULL when there is none; completions of both queues of the QP
 * @qp: NULL when there is none
 * @doubtful: a success counts only as long as the QP is sound
 * @ops: whom to tell
 * @wait: where set-up waits
 * @event: last connection manager event that set-up waits for, or RDMABLK_NO_EVENT
 * @event_error: what came with it; positive: reject reason
 * @has_rej: @rej holds the target's reason for a refusal
 * @rej: valid if @has_rej
 * @rep: the target's private data once established
 * @rep_len: bytes of it that arrived
 * @established: the handshake finished; cleared by the first who disconnects
 * @asked: the target was asked to connect: it knows of the cm_id
 * @removed: the RDMA device is being removed, and waits for the cm_id's end
 * @anew: a request that is not answered is made anew
 * @timeout_ms: for how long the target is asked to connect
 * @left_ms: of that
 * @stale: how often the target has taken it for a stale one
 * @unanswered: the target was asked, and did not answer
 */
struct rdmablk_conn {
	struct rdma_cm_id *cm_id;
	struct ib_cq *cq;
	struct ib_qp *qp;
	bool doubtful;
	const struct rdmablk_conn_ops *ops;
	struct rdmablk_wait *wait;
	int event;
	int event_error;
	bool has_rej;
	struct rdmablk_cm_rej rej;
	struct rdmablk_cm_rep rep;
	u8 rep_len;
	unsigned long established;
	bool asked;
	bool removed;
	bool anew;
	u32 timeout_ms;
	u32 left_ms;
	u32 stale;
	bool unanswered;
};

static inline bool rdmablk_conn_established(const struct rdmablk_conn *conn)
{
	return test_bit(0, &conn->established);
}

/**
 * rdmablk_conn_post() - post work requests to be sent
 * @conn: with a QP
 * @wr: the first of a chain
 * @bad: set on failure to the first that was not posted; may be NULL
 *
 * Context: any.
 * Return: 0, or a negative errno.
 */
static inline int rdmablk_conn_post(struct rdmablk_conn *conn,
				    const struct ib_send_wr *wr,
				    const struct ib_send_wr **bad)
{
	if (unlikely(rdmablk_fault(RDMABLK_FAULT_POST))) {
		if (bad)
			*bad = wr;
		return -ENOMEM;
	}
	return ib_post_send(conn->qp, wr, bad);
}

bool rdmablk_conn_is_broken(struct rdmablk_conn *conn);

/**
 * rdmablk_conn_doubt() - is what completed with success one?
 * @conn: where it was posted
 * @wc: its completion; says that it was flushed if it is none
 *
 * Context: any.
 */
static inline void rdmablk_conn_doubt(struct rdmablk_conn *conn, struct ib_wc *wc)
{
	if (conn->doubtful && wc->status == IB_WC_SUCCESS &&
	    unlikely(rdmablk_conn_is_broken(conn)))
		wc->status = IB_WC_WR_FLUSH_ERR;
}

void rdmablk_conn_init(struct rdmablk_conn *conn,
		       const struct rdmablk_conn_ops *ops,
		       struct rdmablk_wait *wait);
void rdmablk_conn_begin(struct rdmablk_conn *conn, u32 timeout_ms, bool anew);
int rdmablk_conn_resolve(struct rdmablk_conn *conn,
			 const struct rdmablk_conn_addr *addr,
			 struct rdmablk_reason *reason);
int rdmablk_conn_create_qp(struct rdmablk_conn *conn, struct ib_pd *pd,
			   const struct rdmablk_conn_size *size);
int rdmablk_conn_connect(struct rdmablk_conn *conn,
			 const struct rdmablk_cm_req *req,
			 struct rdmablk_reason *reason);
bool rdmablk_conn_again(struct rdmablk_conn *conn);
void rdmablk_conn_interrupt(struct rdmablk_conn *conn);
void rdmablk_conn_drain(struct rdmablk_conn *conn);
void rdmablk_conn_destroy_qp(struct rdmablk_conn *conn);
void rdmablk_conn_destroy(struct rdmablk_conn *conn);

#endif /* RDMABLK_CONN_H */
