// SPDX-License-Identifier: GPL-2.0
/*
 * A control connection: messages in, messages out. What they mean is the
 * session's matter.
 *
 * A client may have CTRL_CREDITS requests unanswered, and each has a receive
 * buffer. A message is handed up only while three send buffers are free, one for
 * its answer, one for that of a flush that waits, and one for an event, so that
 * none can fail for want of one: the completion of an earlier answer may come
 * after the client's next request, which then waits here.
 *
 * A client that sends without a pause must not keep the event loop from others:
 * to zero 16 MiB takes some milliseconds.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ctrl.h"
#include "log.h"
#include "macros.h"
#include "timer.h"

#define NR_BUFFERS	(CTRL_CREDITS + CTRL_SENDS)
#define ALL_FREE	((1U << CTRL_SENDS) - 1)
#define AT_ONCE		4	/* messages, until others have their turn */
#define WR_SEND		((uint64_t)1 << 32)	/* in a wr_id; slot below it */

static uint8_t *recv_buffer(const struct ctrl *ctrl, unsigned int slot)
{
	return ctrl->buffers + slot * (size_t)RDMABLK_MSG_MAX;
}

static uint8_t *send_buffer(const struct ctrl *ctrl, unsigned int slot)
{
	return recv_buffer(ctrl, CTRL_CREDITS + slot);
}

static int post_recv(struct ctrl *ctrl, unsigned int slot)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)recv_buffer(ctrl, slot),
		.length = RDMABLK_MSG_MAX,
		.lkey = ctrl->mr->lkey,
	};
	struct ibv_recv_wr wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 };
	struct ibv_recv_wr *bad;

	return -ibv_post_recv(ctrl->conn.qp, &wr, &bad);
}

/* ---- Completions ------------------------------------------------------- */

static void deliver(struct ctrl *ctrl)
{
	struct ctrl_waiting *next = &ctrl->waiting[ctrl->first_waiting];
	uint8_t copy[RDMABLK_MSG_MAX] __attribute__((aligned(8)));
	size_t len = next->len;
	int err;

	/* The buffer goes back first: with the answer the client has a credit. */
	memcpy(copy, recv_buffer(ctrl, next->slot), len);
	ctrl->first_waiting = (ctrl->first_waiting + 1) % CTRL_CREDITS;
	ctrl->nr_waiting--;
	err = post_recv(ctrl, next->slot);
	if (err)
		ctrl->ops->lost(ctrl, "a receive could not be posted");
	else
		ctrl->ops->message(ctrl, copy, len);
}

static void completed(struct ctrl *ctrl, const struct ibv_wc *wc)
{
	unsigned int slot = (uint8_t)wc->wr_id;
	struct ctrl_waiting *last;

	if (wc->status == IBV_WC_WR_FLUSH_ERR)
		return;	/* what broke the connection is reported by itself */
	if (wc->status != IBV_WC_SUCCESS) {
		ctrl->ops->lost(ctrl, ibv_wc_status_str(wc->status));
	} else if (wc->byte_len > RDMABLK_MSG_MAX && !(wc->wr_id & WR_SEND)) {
		/* No message: an immediate tells the length of a write. */
		ctrl->ops->lost(ctrl, "a receive of impossible length");
	} else if (wc->wr_id & WR_SEND) {
		ctrl->sends_free |= 1U << slot;
		if (ctrl_drained(ctrl))
			ctrl->ops->drained(ctrl);
	} else {
		last = &ctrl->waiting[(ctrl->first_waiting + ctrl->nr_waiting) %
				      CTRL_CREDITS];
		last->slot = (uint8_t)slot;
		last->len = wc->byte_len;
		ctrl->nr_waiting++;
	}
}

static bool three_sends_free(const struct ctrl *ctrl)
{
	return __builtin_popcount(ctrl->sends_free) >= 3;
}

static bool reap(struct ctrl *ctrl)
{
	struct ibv_wc wc;
	int got = ibv_poll_cq(ctrl->cq, 1, &wc);

	if (got < 0)
		ctrl->ops->lost(ctrl, "the completion queue is broken");
	else if (got)
		completed(ctrl, &wc);
	return got > 0;
}

static void come_again(struct ctrl *ctrl)
{
	if (sd_event_source_set_enabled(ctrl->again, SD_EVENT_ONESHOT) < 0)
		abort();
}

/**
 * ctrl_completions() - handle what happened on a control connection
 * @ctrl: the connection, whose completion queue raised an event; it may be
 *	  closed after this
 */
void ctrl_completions(struct ctrl *ctrl)
{
	unsigned int budget = AT_ONCE;
	uint64_t later;

	if (!ctrl->cq)
		return;
	/* Arm first: what comes after the last look raises another event. */
	if (ibv_req_notify_cq(ctrl->cq, 0)) {
		ctrl->ops->lost(ctrl, "the completion queue cannot be armed");
		return;
	}
	do {
		while (ctrl->cq && ctrl->nr_waiting && three_sends_free(ctrl)) {
			if (!budget--) {
				come_again(ctrl);
				return;
			}
			later = ctrl->ops->turn(ctrl);
			if (later) {
				timer_set(ctrl->pause, later);
				return;
			}
			deliver(ctrl);
		}
	} while (ctrl->cq && reap(ctrl));
}

static int on_again(sd_event_source *source __attribute__((unused)),
		    void *data)
{
	ctrl_completions(data);
	return 0;
}

static int on_pause(sd_event_source *timer __attribute__((unused)),
		    uint64_t now_us __attribute__((unused)), void *data)
{
	ctrl_completions(data);
	return 0;
}

/* ---- Sending ----------------------------------------------------------- */

/**
 * ctrl_send() - send a message
 * @ctrl: the connection
 * @msg: copied
 * @len: bytes, at most RDMABLK_MSG_MAX
 *
 * Return: 0; -ENOTCONN after ctrl_close(); -ENOBUFS when the client leaves
 * too much unacknowledged; another negative errno.
 */
int ctrl_send(struct ctrl *ctrl, const void *msg, size_t len)
{
	struct ibv_sge sge = { .length = (uint32_t)len };
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND, .sg_list = &sge, .num_sge = 1,
	};
	struct ibv_send_wr *bad;
	unsigned int slot;
	int err;

	if (!ctrl->conn.qp)
		return -ENOTCONN;
	if (!ctrl->sends_free)
		return -ENOBUFS;
	slot = (unsigned int)__builtin_ctz(ctrl->sends_free);
	memcpy(send_buffer(ctrl, slot), msg, len);
	sge.addr = (uintptr_t)send_buffer(ctrl, slot);
	sge.lkey = ctrl->mr->lkey;
	wr.wr_id = WR_SEND | slot;
	err = ibv_post_send(ctrl->conn.qp, &wr, &bad);
	if (!err)
		ctrl->sends_free &= ~(1U << slot);
	return -err;
}

/**
 * ctrl_drained() - has all that was sent arrived?
 * @ctrl: the connection
 *
 * Return: true if it has.
 */
bool ctrl_drained(const struct ctrl *ctrl)
{
	return ctrl->sends_free == ALL_FREE;
}

/* ---- Life -------------------------------------------------------------- */

static void conn_lost(struct conn *conn, const char *why)
{
	struct ctrl *ctrl = container_of(conn, struct ctrl, conn);

	ctrl->ops->lost(ctrl, why);
}

static const struct conn_ops conn_ops = { .lost = conn_lost };

static int open_buffers(struct ctrl *ctrl, struct reason *why)
{
	const size_t size = NR_BUFFERS * (size_t)RDMABLK_MSG_MAX;
	struct device *device = ctrl->conn.device;

	ctrl->buffers = aligned_alloc(4096, (size + 4095) & ~(size_t)4095);
	if (!ctrl->buffers)
		return reason_set(why, -ENOMEM, "out of memory");
	memset(ctrl->buffers, 0, size);
	ctrl->sends_free = ALL_FREE;
	ctrl->mr = ibv_reg_mr(device->pd, ctrl->buffers, size,
			      IBV_ACCESS_LOCAL_WRITE);
	if (!ctrl->mr)
		return reason_set(why, -errno,
				  "cannot register message buffers: %m");
	ctrl->cq = ibv_create_cq(device->verbs, NR_BUFFERS, ctrl,
				 device->channel, 0);
	if (!ctrl->cq)
		return reason_set(why, -errno, "no completion queue: %m");
	if (ibv_req_notify_cq(ctrl->cq, 0))
		return reason_set(why, -EIO, "cannot arm the completion queue");
	return 0;
}

static int open_again(struct ctrl *ctrl, struct reason *why)
{
	int err = sd_event_add_defer(ctrl->conn.device->daemon->event,
				     &ctrl->again, on_again, ctrl);

	if (err >= 0)
		err = sd_event_source_set_enabled(ctrl->again, SD_EVENT_OFF);
	if (err >= 0)
		err = timer_new(ctrl->conn.device->daemon->event, &ctrl->pause,
				on_pause, ctrl);
	return err < 0 ? reason_set(why, err, "event loop: %s",
				    strerror(-err)) : 0;
}

static int open_qp(struct ctrl *ctrl, struct reason *why)
{
	const struct conn_setup setup = {
		.pd = ctrl->conn.device->pd,
		.cq = ctrl->cq,
		.nr_send = CTRL_SENDS,
		.nr_recv = CTRL_CREDITS,
	};
	unsigned int slot;
	int err;

	err = conn_create_qp(&ctrl->conn, &setup, why);
	for (slot = 0; !err && slot < CTRL_CREDITS; slot++) {
		err = post_recv(ctrl, slot);
		if (err)
			reason_set(why, err, "cannot post a receive: %s",
				   strerror(-err));
	}
	return err;
}

/**
 * ctrl_open() - accept a control connection
 * @ctrl: filled in
 * @ops: whom to tell
 * @id: of the request
 * @device: where it arrived
 * @version: of the protocol, agreed upon
 * @why: set on failure
 *
 * Return: 0; or a negative errno: then @id is still open, and the caller's.
 */
int ctrl_open(struct ctrl *ctrl, const struct ctrl_ops *ops,
	      struct rdma_cm_id *id, struct device *device,
	      unsigned int version, struct reason *why)
{
	const struct rdmablk_cm_rep rep = {
		.magic = htole32(RDMABLK_MAGIC),
		.version = (uint8_t)version,
		.kind = RDMABLK_CONN_CONTROL,
		.credits = htole16(CTRL_CREDITS),
	};
	int err;

	*ctrl = (struct ctrl){ .ops = ops };
	conn_init(&ctrl->conn, &conn_ops, id, device, 0);
	err = open_again(ctrl, why);
	if (!err)
		err = open_buffers(ctrl, why);
	if (!err)
		err = open_qp(ctrl, why);
	if (!err)
		err = conn_start_qp(&ctrl->conn, why);
	if (!err)
		err = conn_accept(&ctrl->conn, &rep, why);
	if (err) {
		ctrl->conn.id = NULL;
		ctrl_close(ctrl);
	}
	return err;
}

static void freed(const struct ctrl *ctrl, const char *what, int err)
{
	const struct device *device = ctrl->conn.device;

	if (err && !device->gone)
		log_error("RDMA device %s: cannot free the %s of a control connection: %s",
			  device_name(device), what, strerror(err));
}

/**
 * ctrl_close() - end a control connection
 * @ctrl: the connection, in any state, also closed already
 */
void ctrl_close(struct ctrl *ctrl)
{
	ctrl->again = sd_event_source_disable_unref(ctrl->again);
	ctrl->pause = sd_event_source_disable_unref(ctrl->pause);
	conn_close(&ctrl->conn);
	if (ctrl->cq)
		freed(ctrl, "completion queue", ibv_destroy_cq(ctrl->cq));
	ctrl->cq = NULL;
	if (ctrl->mr)
		freed(ctrl, "message buffers", ibv_dereg_mr(ctrl->mr));
	ctrl->mr = NULL;
	free(ctrl->buffers);
	ctrl->buffers = NULL;
}
