// SPDX-License-Identifier: GPL-2.0
/*
 * The control connection. See ctrl.h.
 *
 * Answers are copied out of the receive buffer, which goes back to the card at once,
 * so that events always find a buffer. The messages are small; the copy costs nothing
 * that matters.
 *
 * An answer that comes after its call has timed out carries a tag that nobody
 * waits for, and is dropped.
 */
#include <linux/slab.h>

#include "call.h"

/**
 * rdmablk_ctrl_lost() - the connection cannot be used any more
 * @ctrl: a control connection
 * @why: for people
 *
 * What fails before the connection stands is told by whoever connects, and after it
 * was interrupted nobody wants to know.
 *
 * Context: any.
 */
void rdmablk_ctrl_lost(struct rdmablk_ctrl *ctrl, const char *why)
{
	if (rdmablk_conn_established(&ctrl->conn))
		ctrl->ops->lost(ctrl, why);
	/* Whoever waits for an answer need not wait for its time-out. */
	rdmablk_conn_interrupt(&ctrl->conn);
}

static void rdmablk_ctrl_conn_lost(struct rdmablk_conn *conn, const char *why)
{
	struct rdmablk_ctrl *ctrl =
		container_of(conn, struct rdmablk_ctrl, conn);

	ctrl->ops->lost(ctrl, why);
}

static const struct rdmablk_conn_ops rdmablk_ctrl_conn_ops = {
	.lost = rdmablk_ctrl_conn_lost,
};

/* ---- Receiving ----------------------------------------------------------- */

static void rdmablk_ctrl_answer(struct rdmablk_ctrl *ctrl, const void *msg,
				u32 len)
{
	const struct rdmablk_msg_hdr *hdr = msg;
	u64 tag = le64_to_cpu(hdr->tag);
	int i;

	for (i = 0; tag && i < RDMABLK_CALLS; i++)
		if (READ_ONCE(ctrl->calls[i].awaited) == tag)
			rdmablk_call_answer(&ctrl->calls[i], msg, len);
}

static void rdmablk_ctrl_receive(struct rdmablk_ctrl *ctrl, const void *msg,
				 u32 len)
{
	const struct rdmablk_msg_hdr *hdr = msg;

	if (rdmablk_check_hdr(msg, len))
		rdmablk_ctrl_lost(ctrl, "the target sent a malformed message");
	else if (le16_to_cpu(hdr->type) & RDMABLK_MSG_REPLY)
		rdmablk_ctrl_answer(ctrl, msg, len);
	else if (rdmablk_check_event(msg, len))
		rdmablk_ctrl_lost(ctrl, "the target sent a malformed event");
	else
		ctrl->ops->event(ctrl, msg);
}

static void rdmablk_ctrl_recv_done(struct ib_cq *cq, struct ib_wc *wc);

static int rdmablk_ctrl_post_recv(struct rdmablk_ctrl_buf *buf)
{
	struct rdmablk_ctrl *ctrl = buf->ctrl;
	struct ib_sge sge = {
		.addr	= buf->dma,
		.length	= sizeof(buf->data),
		.lkey	= ctrl->pd->local_dma_lkey,
	};
	struct ib_recv_wr wr = {
		.wr_cqe		= &buf->cqe,
		.sg_list	= &sge,
		.num_sge	= 1,
	};

	if (unlikely(rdmablk_fault(RDMABLK_FAULT_POST)))
		return -ENOMEM;
	buf->cqe.done = rdmablk_ctrl_recv_done;
	return ib_post_recv(ctrl->conn.qp, &wr, NULL);
}

static void rdmablk_ctrl_recv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rdmablk_ctrl_buf *buf =
		container_of(wc->wr_cqe, struct rdmablk_ctrl_buf, cqe);
	struct rdmablk_ctrl *ctrl = buf->ctrl;

	if (wc->status != IB_WC_SUCCESS) {
		rdmablk_ctrl_lost(ctrl, ib_wc_status_msg(wc->status));
		return;
	}

	ib_dma_sync_single_for_cpu(ctrl->pd->device, buf->dma,
				   sizeof(buf->data), DMA_FROM_DEVICE);
	rdmablk_ctrl_receive(ctrl, buf->data, wc->byte_len);
	ib_dma_sync_single_for_device(ctrl->pd->device, buf->dma,
				      sizeof(buf->data), DMA_FROM_DEVICE);
	if (rdmablk_ctrl_post_recv(buf))
		rdmablk_ctrl_lost(ctrl, "cannot post a receive");
}

/* ---- Life ---------------------------------------------------------------- */

/**
 * rdmablk_ctrl_alloc() - allocate the buffers, once in a device's life
 * @ctrl: zeroed
 * @ops: whom to tell
 * @wait: where set-up waits
 *
 * Recovery must not allocate what writeback may be waiting for, hence the
 * buffers outlive the connection.
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int rdmablk_ctrl_alloc(struct rdmablk_ctrl *ctrl,
		       const struct rdmablk_ctrl_ops *ops,
		       struct rdmablk_wait *wait)
{
	int i;

	ctrl->calls = kcalloc(RDMABLK_CALLS, sizeof(*ctrl->calls), GFP_KERNEL);
	ctrl->recv = kcalloc(RDMABLK_CTRL_RECVS, sizeof(*ctrl->recv),
			     GFP_KERNEL);
	if (!ctrl->calls || !ctrl->recv) {
		rdmablk_ctrl_free(ctrl);
		return -ENOMEM;
	}
	for (i = 0; i < RDMABLK_CALLS; i++) {
		mutex_init(&ctrl->calls[i].lock);
		ctrl->calls[i].ctrl = ctrl;
		ctrl->calls[i].send.ctrl = ctrl;
	}
	for (i = 0; i < RDMABLK_CTRL_RECVS; i++)
		ctrl->recv[i].ctrl = ctrl;

	ctrl->ops = ops;
	rdmablk_conn_init(&ctrl->conn, &rdmablk_ctrl_conn_ops, wait);
	return 0;
}

/**
 * rdmablk_ctrl_free() - free the buffers
 * @ctrl: stopped, or never allocated
 *
 * Context: process.
 */
void rdmablk_ctrl_free(struct rdmablk_ctrl *ctrl)
{
	kfree(ctrl->calls);
	ctrl->calls = NULL;
	kfree(ctrl->recv);
	ctrl->recv = NULL;
}

/* All buffers in one row: those of the calls, then those that receive. */
static struct rdmablk_ctrl_buf *rdmablk_ctrl_buf(struct rdmablk_ctrl *ctrl,
						 int i)
{
	return i < RDMABLK_CALLS ? &ctrl->calls[i].send :
				   &ctrl->recv[i - RDMABLK_CALLS];
}

static enum dma_data_direction rdmablk_ctrl_buf_dir(int i)
{
	return i < RDMABLK_CALLS ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
}

static void rdmablk_ctrl_unmap(struct rdmablk_ctrl *ctrl)
{
	while (ctrl->nr_mapped) {
		int i = --ctrl->nr_mapped;

		ib_dma_unmap_single(ctrl->pd->device,
				    rdmablk_ctrl_buf(ctrl, i)->dma,
				    RDMABLK_MSG_MAX, rdmablk_ctrl_buf_dir(i));
	}
}

/* What was mapped before a failure is unmapped by rdmablk_ctrl_stop(). */
static int rdmablk_ctrl_map(struct rdmablk_ctrl *ctrl)
{
	struct ib_device *ibdev = ctrl->pd->device;
	int i;

	for (i = 0; i < RDMABLK_CALLS + RDMABLK_CTRL_RECVS; i++) {
		struct rdmablk_ctrl_buf *buf = rdmablk_ctrl_buf(ctrl, i);

		buf->dma = ib_dma_map_single(ibdev, buf->data, RDMABLK_MSG_MAX,
					     rdmablk_ctrl_buf_dir(i));
		if (ib_dma_mapping_error(ibdev, buf->dma))
			return -ENOMEM;
		ctrl->nr_mapped++;
	}
	return 0;
}

static void rdmablk_ctrl_lock_calls(struct rdmablk_ctrl *ctrl)
{
	int i;

	for (i = 0; i < RDMABLK_CALLS; i++)
		mutex_lock_nested(&ctrl->calls[i].lock, i);
}

static void rdmablk_ctrl_unlock_calls(struct rdmablk_ctrl *ctrl)
{
	int i;

	for (i = 0; i < RDMABLK_CALLS; i++)
		mutex_unlock(&ctrl->calls[i].lock);
}

/**
 * rdmablk_ctrl_start() - connect
 * @ctrl: its connection is resolved
 * @pd: on that device
 * @reason: set on failure
 *
 * Context: process.
 * Return: 0 or a negative errno; rdmablk_ctrl_stop() cleans up after both.
 */
int rdmablk_ctrl_start(struct rdmablk_ctrl *ctrl, struct ib_pd *pd,
		       struct rdmablk_reason *reason)
{
	const struct rdmablk_conn_size size = {
		/* A caller waits until its previous request has been sent. */
		.send_wr	= RDMABLK_CALLS,
		.recv_wr	= RDMABLK_CTRL_RECVS,
		.send_sge	= 1,
		.poll		= IB_POLL_WORKQUEUE,
	};
	const struct rdmablk_cm_req req = RDMABLK_CM_REQ(RDMABLK_CONN_CONTROL);
	int err, i;

	ctrl->pd = pd;
	for (i = 0; i < RDMABLK_CALLS; i++)
		ctrl->calls[i].send_busy = false;
	err = rdmablk_ctrl_map(ctrl);
	if (!err)
		err = rdmablk_conn_create_qp(&ctrl->conn, pd, &size);
	for (i = 0; !err && i < RDMABLK_CTRL_RECVS; i++)
		err = rdmablk_ctrl_post_recv(&ctrl->recv[i]);
	if (err)
		return rdmablk_reason_set(reason, err,
			"cannot create a queue pair on %s: error %d",
			pd->device->name, err);
	err = rdmablk_conn_connect(&ctrl->conn, &req, reason);
	if (err)
		return err;
	if (le16_to_cpu(ctrl->conn.rep.credits) < RDMABLK_CALLS)
		return rdmablk_reason_set(reason, -EPROTO,
			"the target takes %u requests at a time, %u are needed",
			le16_to_cpu(ctrl->conn.rep.credits), RDMABLK_CALLS);
	return 0;
}

/**
 * rdmablk_ctrl_stop() - give up QP, CQ and mappings
 * @ctrl: in any state
 *
 * The cm_id stays, as the device's removal waits for it while the session
 * still has its protection domain there.
 *
 * Context: process.
 */
void rdmablk_ctrl_stop(struct rdmablk_ctrl *ctrl)
{
	/* Ends calls that are under way, so that the locks are soon free. */
	rdmablk_conn_interrupt(&ctrl->conn);
	rdmablk_ctrl_lock_calls(ctrl);
	rdmablk_conn_drain(&ctrl->conn);
	rdmablk_conn_destroy_qp(&ctrl->conn);
	rdmablk_ctrl_unmap(ctrl);
	rdmablk_ctrl_unlock_calls(ctrl);
}
