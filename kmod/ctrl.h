/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control messages: a call is sent and its answer awaited; events of the target
 * are handed up as they come. What the messages mean is the session's matter.
 */
#ifndef RDMABLK_CTRL_H
#define RDMABLK_CTRL_H

#include <linux/mutex.h>

#include "conn.h"

/* Receives posted: answers to our calls, and events that nobody asked for. */
#define RDMABLK_CTRL_RECVS 8

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
 * @call_lock: serialises calls, and keeps the QP during one; protects @send,
 *	       @tag and the answer
 * @tag: of the latest call
 * @awaited: tag of the call that waits for its answer; zero: none
 * @send_busy: the card still owns @send
 * @answer_len: bytes of @answer, set last
 * @answer: the answer to the latest call
 * @send: the message that is sent
 * @recv: messages that arrive
 * @mapped: @send and @recv are mapped for DMA
 */
struct rdmablk_ctrl {
	struct rdmablk_conn conn;
	struct ib_pd *pd;
	const struct rdmablk_ctrl_ops *ops;
	struct mutex call_lock;
	u64 tag;
	u64 awaited;
	bool send_busy;
	u32 answer_len;
	u8 answer[RDMABLK_MSG_MAX] __aligned(8);
	struct rdmablk_ctrl_buf *send;
	struct rdmablk_ctrl_buf *recv;
	bool mapped;
};

int rdmablk_ctrl_alloc(struct rdmablk_ctrl *ctrl,
		       const struct rdmablk_ctrl_ops *ops,
		       struct rdmablk_wait *wait);
void rdmablk_ctrl_free(struct rdmablk_ctrl *ctrl);
int rdmablk_ctrl_start(struct rdmablk_ctrl *ctrl, struct ib_pd *pd,
		       u32 timeout_ms, struct rdmablk_reason *reason);
void rdmablk_ctrl_stop(struct rdmablk_ctrl *ctrl);
int rdmablk_ctrl_call(struct rdmablk_ctrl *ctrl, void *request, size_t size,
		      u32 timeout_ms, struct rdmablk_reason *reason);

#endif /* RDMABLK_CTRL_H */
