// SPDX-License-Identifier: GPL-2.0
/*
 * Calls: a request to the target, and its answer. See call.h.
 */
#include "call.h"

static void rdmablk_call_send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rdmablk_call *call =
		container_of(wc->wr_cqe, struct rdmablk_call, send.cqe);

	/* Pairs with the acquire in rdmablk_call_send(). */
	smp_store_release(&call->send_busy, false);
	wake_up_all(&call->ctrl->conn.wait->head);
	if (wc->status != IB_WC_SUCCESS)
		rdmablk_ctrl_lost(call->ctrl, ib_wc_status_msg(wc->status));
}

static int rdmablk_call_send(struct rdmablk_call *call, const void *msg,
			     size_t size, u32 timeout_ms)
{
	struct rdmablk_ctrl *ctrl = call->ctrl;
	struct ib_device *ibdev = ctrl->pd->device;
	u64 dma = call->send.dma;
	struct ib_sge sge = {
		.addr	= dma,
		.length	= size,
		.lkey	= ctrl->pd->local_dma_lkey,
	};
	struct ib_send_wr wr = {
		.wr_cqe		= &call->send.cqe,
		.sg_list	= &sge,
		.num_sge	= 1,
		.opcode		= IB_WR_SEND,
		.send_flags	= IB_SEND_SIGNALED,
	};
	int err;

	/* An earlier call may have timed out before its send completed. */
	err = rdmablk_wait_event(ctrl->conn.wait,
			/* Pairs with the release in rdmablk_call_send_done(). */
			!smp_load_acquire(&call->send_busy) ||
			!rdmablk_conn_established(&ctrl->conn), timeout_ms);
	if (err)
		return err;
	if (call->send_busy)
		return -ECONNRESET;

	ib_dma_sync_single_for_cpu(ibdev, dma, size, DMA_TO_DEVICE);
	memcpy(call->send.data, msg, size);
	ib_dma_sync_single_for_device(ibdev, dma, size, DMA_TO_DEVICE);
	call->send.cqe.done = rdmablk_call_send_done;
	call->send_busy = true;
	err = rdmablk_conn_post(&ctrl->conn, &wr, NULL);
	if (err)
		call->send_busy = false;
	return err;
}

/**
 * rdmablk_call_answer() - the answer that a call waits for has come
 * @call: the call
 * @msg: the answer; copied
 * @len: of it, bytes; at most RDMABLK_MSG_MAX
 *
 * Context: where completions are handled.
 */
void rdmablk_call_answer(struct rdmablk_call *call, const void *msg, u32 len)
{
	WRITE_ONCE(call->awaited, 0);
	memcpy(call->answer, msg, len);
	/* Pairs with the acquire in rdmablk_call_wait(). */
	smp_store_release(&call->answer_len, len);
	wake_up_all(&call->ctrl->conn.wait->head);
}

static int rdmablk_call_wait(struct rdmablk_call *call, u32 timeout_ms)
{
	struct rdmablk_ctrl *ctrl = call->ctrl;

	return rdmablk_wait_event(ctrl->conn.wait,
			/* Pairs with the release in rdmablk_call_answer(). */
			smp_load_acquire(&call->answer_len) ||
			!rdmablk_conn_established(&ctrl->conn), timeout_ms);
}

/* What the target said instead of yes; its text has been validated. */
static int rdmablk_call_refused(struct rdmablk_call *call, int status,
				struct rdmablk_reason *reason)
{
	static const int errors[__RDMABLK_STATUS_END] = {
		[RDMABLK_E_DENIED]	= -EACCES,
		[RDMABLK_E_NO_EXPORT]	= -ENOENT,
		[RDMABLK_E_BUSY]	= -EBUSY,
		[RDMABLK_E_READ_ONLY]	= -EROFS,
		[RDMABLK_E_LIMIT]	= -EUSERS,
		[RDMABLK_E_NO_SESSION]	= -ESTALE,
		[RDMABLK_E_NOT_READY]	= -EAGAIN,
		[RDMABLK_E_FENCED]	= -ESTALE,
		[RDMABLK_E_SHUTDOWN]	= -ESHUTDOWN,
		[RDMABLK_E_REMOVED]	= -ENOENT,
		[RDMABLK_E_UNSUPPORTED]	= -EOPNOTSUPP,
	};
	const struct rdmablk_msg_error *error = (void *)call->answer;
	int err = -EREMOTEIO;

	call->status = status;
	if (status < __RDMABLK_STATUS_END && errors[status])
		err = errors[status];
	return rdmablk_reason_set(reason, err, "the target says: %s",
				  error->text[0] ? error->text :
				  rdmablk_status_text(status));
}

static int rdmablk_call_locked(struct rdmablk_call *call,
			       struct rdmablk_msg_hdr *hdr, size_t size,
			       u32 timeout_ms, struct rdmablk_reason *reason)
{
	struct rdmablk_ctrl *ctrl = call->ctrl;
	u64 tag = atomic64_inc_return(&ctrl->tag);
	int err;

	call->status = 0;
	if (!ctrl->conn.qp || !rdmablk_conn_established(&ctrl->conn))
		return rdmablk_reason_set(reason, -ENOTCONN, "not connected");

	hdr->length = cpu_to_le32(size);
	hdr->tag = cpu_to_le64(tag);
	call->answer_len = 0;
	WRITE_ONCE(call->awaited, tag);
	err = rdmablk_call_send(call, hdr, size, timeout_ms);
	if (!err)
		err = rdmablk_call_wait(call, timeout_ms);
	WRITE_ONCE(call->awaited, 0);
	if (err == -ETIMEDOUT)
		return rdmablk_reason_set(reason, err,
			"the target did not answer a control message within %u ms",
			timeout_ms);
	if (err)
		return rdmablk_reason_set(reason, err,
			"the target did not answer a control message: error %d",
			err);
	if (!call->answer_len)
		return rdmablk_reason_set(reason, -ECONNRESET,
			"the connection broke before the target answered");

	err = rdmablk_check_reply(call->answer, call->answer_len,
				  le16_to_cpu(hdr->type));
	/* One that came when its call had just been given up. */
	if (((struct rdmablk_msg_hdr *)call->answer)->tag != hdr->tag)
		err = -EPROTO;
	if (err > 0)
		return rdmablk_call_refused(call, err, reason);
	if (err)
		return rdmablk_reason_set(reason, err,
					  "the target's answer is malformed");
	return 0;
}

/**
 * rdmablk_call() - send a request and wait for its answer
 * @call: the caller's, of a started control connection
 * @request: the message; length and tag are filled in
 * @size: of the message, bytes
 * @timeout_ms: how long to wait, or RDMABLK_NO_TIMEOUT
 * @reason: set on failure
 *
 * Context: process; calls of one caller are serialised.
 * Return: 0 with the validated answer in @call->answer, which stays until the
 * next call; a negative errno, with @call->status when the target refused.
 */
int rdmablk_call(struct rdmablk_call *call, void *request, size_t size,
		 u32 timeout_ms, struct rdmablk_reason *reason)
{
	int err;

	mutex_lock(&call->lock);
	err = rdmablk_call_locked(call, request, size, timeout_ms, reason);
	mutex_unlock(&call->lock);
	return err;
}

/**
 * rdmablk_call_store_failed() - did the target answer that its store failed?
 * @call: the latest call failed
 *
 * Context: the caller's.
 * Return: false when it was the path that failed, or the session that ended.
 */
bool rdmablk_call_store_failed(const struct rdmablk_call *call)
{
	switch (call->status) {
	case RDMABLK_OK:
	case RDMABLK_E_NO_SESSION:
	case RDMABLK_E_FENCED:
	case RDMABLK_E_SHUTDOWN:
	case RDMABLK_E_REMOVED:
		return false;
	default:
		return true;
	}
}
