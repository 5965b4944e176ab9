/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control connection: its buffers, and what arrives. Answers go to the calls that
 * wait for them (call.h), events of the target are handed up as they come.
 */
#ifndef RDMABLK_CTRL_H
#define RDMABLK_CTRL_H

#include "conn.h"

/* Receives posted: answers to our calls, and events that nobody asked for. */
#define RDMABLK_CTRL_RECVS 8

struct rdmablk_call;
struct rdmablk_ctrl;

/**
 * struct rdmablk_ctrl_ops - whom a control connection reports to
 * @event: a validated event arrived; called in process context
 * @lost: the connection cannot be used any more; any context
 */
struct rdmablk_ctrl_ops {
	void (*event)(struct rdmablk_ctrl *ctrl,
		      const struct rdmablk_msg_event *event);
	void (*lost)(struct rdmablk_ctrl *ctrl, const char *why);
};

/**
 * struct rdmablk_ctrl_buf - a message and what the card needs to know of it
 * @cqe: its completion
 * @ctrl: the owner
 * @dma: mapped address of @data
 * @data: the message
 */
struct rdmablk_ctrl_buf {
	struct ib_cqe cqe;
	struct rdmablk_ctrl *ctrl;
	u64 dma;
	u8 data[RDMABLK_MSG_MAX];
};

/**
 * struct rdmablk_ctrl - a control connection
 * @conn: the connection
 * @pd: its protection domain, the session's
 * @ops: whom to tell
 * @tag: of the latest request
 * @calls: RDMABLK_CALLS of them, by enum rdmablk_caller
 * @recv: RDMABLK_CTRL_RECVS messages that arrive
 * @nr_mapped: buffers mapped for DMA, those of @calls first
 */
struct rdmablk_ctrl {
	struct rdmablk_conn conn;
	struct ib_pd *pd;
	const struct rdmablk_ctrl_ops *ops;
	atomic64_t tag;
	struct rdmablk_call *calls;
	struct rdmablk_ctrl_buf *recv;
	int nr_mapped;
};

int rdmablk_ctrl_alloc(struct rdmablk_ctrl *ctrl,
		       const struct rdmablk_ctrl_ops *ops,
		       struct rdmablk_wait *wait);
void rdmablk_ctrl_free(struct rdmablk_ctrl *ctrl);
int rdmablk_ctrl_start(struct rdmablk_ctrl *ctrl, struct ib_pd *pd,
		       struct rdmablk_reason *reason);
void rdmablk_ctrl_stop(struct rdmablk_ctrl *ctrl);
void rdmablk_ctrl_lost(struct rdmablk_ctrl *ctrl, const char *why);

#endif /* RDMABLK_CTRL_H */
