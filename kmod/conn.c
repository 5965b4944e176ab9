// SPDX-License-Identifier: GPL-2.0
/*
 * One RDMA connection: its QP and CQ, and its end. conn_cm.c sets it up.
 *
 * Teardown takes the steps of set-up back: drain, destroy the QP and CQ, destroy the
 * cm_id. Each may be called in any state, and again.
 */
#include "conn.h"
#include "goodbye.h"

/**
 * rdmablk_conn_init() - a connection begins its life, without anything
 * @conn: where
 * @ops: whom to tell
 * @wait: where set-up waits
 *
 * Context: any.
 */
void rdmablk_conn_init(struct rdmablk_conn *conn,
		       const struct rdmablk_conn_ops *ops,
		       struct rdmablk_wait *wait)
{
	memset(conn, 0, sizeof(*conn));
	conn->ops = ops;
	conn->wait = wait;
	conn->event = RDMABLK_NO_EVENT;
}

/**
 * rdmablk_conn_create_qp() - create CQ and QP
 * @conn: resolved
 * @pd: on the cm_id's device
 * @size: what they must hold
 *
 * Context: process.
 * Return: 0, or a negative errno; then nothing was created.
 */
int rdmablk_conn_create_qp(struct rdmablk_conn *conn, struct ib_pd *pd,
			   const struct rdmablk_conn_size *size)
{
	struct ib_device *ibdev = conn->cm_id->device;
	struct ib_qp_init_attr attr = {
		/* One more each for the work request that ib_drain_qp() posts. */
		.cap.max_send_wr	= size->send_wr + 1,
		.cap.max_recv_wr	= size->recv_wr + 1,
		.cap.max_send_sge	= size->send_sge,
		.cap.max_recv_sge	= 1,
		.sq_sig_type		= IB_SIGNAL_REQ_WR,
		.qp_type		= IB_QPT_RC,
	};
	int err;

	conn->cq = ib_alloc_cq(ibdev, conn,
			       attr.cap.max_send_wr + attr.cap.max_recv_wr,
			       size->comp_vector % ibdev->num_comp_vectors,
			       size->poll);
	if (IS_ERR(conn->cq)) {
		err = PTR_ERR(conn->cq);
		conn->cq = NULL;
		return err;
	}

	attr.send_cq = conn->cq;
	attr.recv_cq = conn->cq;
	err = rdma_create_qp(conn->cm_id, pd, &attr);
	if (err)
		goto free_cq;
	conn->qp = conn->cm_id->qp;
	conn->doubtful = ibdev->ops.driver_id == RDMA_DRIVER_RXE;
	return 0;

free_cq:
	ib_free_cq(conn->cq);
	conn->cq = NULL;
	return err;
}

/**
 * rdmablk_conn_is_broken() - is the QP in the error state?
 * @conn: with a QP, of Soft-RoCE: the query of another device may sleep
 *
 * Soft-RoCE ends a READ with success, and part of its data or none, when it does not
 * understand the answer: as after a packet of the answer that the target could not
 * send (rxe_comp.c, check_ack(): COMPST_ERROR without a status). The next thing that
 * it does is to move the QP to the error state, mostly before anybody can see the
 * completion: a CPU that polls at that very moment may still be faster.
 *
 * Context: any.
 * Return: true if it is, or does not say.
 */
bool rdmablk_conn_is_broken(struct rdmablk_conn *conn)
{
	struct ib_qp_init_attr init;
	struct ib_qp_attr attr;

	return ib_query_qp(conn->qp, &attr, IB_QP_STATE, &init) ||
	       attr.qp_state == IB_QPS_ERR;
}

/**
 * rdmablk_conn_interrupt() - no use waiting for the peer any more
 * @conn: in any state
 *
 * From here on the loss of the connection is not reported.
 *
 * Context: any.
 */
void rdmablk_conn_interrupt(struct rdmablk_conn *conn)
{
	clear_bit(0, &conn->established);
	wake_up_all(&conn->wait->head);
}

/**
 * rdmablk_conn_drain() - wait until the QP is quiet
 * @conn: in any state
 *
 * Moves the QP to the error state and waits until the completion of every work
 * request was handled. Afterwards the device touches no memory on behalf of it.
 *
 * Context: process. Not bounded by the network: the device flushes by itself.
 */
void rdmablk_conn_drain(struct rdmablk_conn *conn)
{
	rdmablk_conn_interrupt(conn);
	if (conn->qp)
		ib_drain_qp(conn->qp);
}

/**
 * rdmablk_conn_destroy_qp() - destroy QP and CQ, keep the cm_id
 * @conn: drained, or never connected
 *
 * Context: process.
 */
void rdmablk_conn_destroy_qp(struct rdmablk_conn *conn)
{
	if (conn->qp) {
		rdma_destroy_qp(conn->cm_id);
		conn->qp = NULL;
	}
	if (conn->cq) {
		ib_free_cq(conn->cq);
		conn->cq = NULL;
	}
}

/* Of what it does not know the target is told nothing. */
static bool rdmablk_conn_keep_id(struct rdmablk_conn *conn)
{
	bool kept;

	rdma_lock_handler(conn->cm_id);
	kept = conn->asked && !conn->removed &&
	       !rdmablk_goodbye_harmless(conn->cm_id) &&
	       rdmablk_goodbye_keep(conn->cm_id);
	rdma_unlock_handler(conn->cm_id);
	return kept;
}

/**
 * rdmablk_conn_destroy() - destroy all that is left, which disconnects, or will
 * @conn: drained, or never connected
 *
 * Context: process; waits for a running event handler.
 */
void rdmablk_conn_destroy(struct rdmablk_conn *conn)
{
	rdmablk_conn_destroy_qp(conn);
	if (!conn->cm_id)
		return;
	if (!rdmablk_conn_keep_id(conn))
		rdma_destroy_id(conn->cm_id);
	conn->cm_id = NULL;
}
