/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls: each sends a request on the control connection and waits for its answer.
 * What the messages mean is the business of who calls.
 */
#ifndef RDMABLK_CALL_H
#define RDMABLK_CALL_H

#include <linux/mutex.h>

#include "ctrl.h"

/* Who calls: a flush may take long, and nobody else must wait for it. */
enum rdmablk_caller {
	RDMABLK_CALL_SESSION,		/* handshake, keep-alive, close */
	RDMABLK_CALL_FLUSH,
	RDMABLK_CALL_ZERO,
	RDMABLK_CALLS
};

/* A time-out that never ends; the loss of the connection still does. */
#define RDMABLK_NO_TIMEOUT U32_MAX

/**
 * struct rdmablk_call - a request and its answer, one at a time
 * @ctrl: the control connection
 * @lock: serialises its callers, and keeps the QP during a call; protects all
 *	  that follows
 * @awaited: tag of the request that waits for its answer; zero: none
 * @send_busy: the card still owns @send
 * @answer_len: bytes of @answer, set last
 * @status: enum rdmablk_status of the latest answer; zero also without one
 * @answer: the latest answer
 * @send: the request
 */
struct rdmablk_call {
	struct rdmablk_ctrl *ctrl;
	struct mutex lock;
	u64 awaited;
	bool send_busy;
	u32 answer_len;
	u32 status;
	u8 answer[RDMABLK_MSG_MAX] __aligned(8);
	struct rdmablk_ctrl_buf send;
};

void rdmablk_call_answer(struct rdmablk_call *call, const void *msg, u32 len);
int rdmablk_call(struct rdmablk_call *call, void *request, size_t size,
		 u32 timeout_ms, struct rdmablk_reason *reason);
bool rdmablk_call_store_failed(const struct rdmablk_call *call);

#endif /* RDMABLK_CALL_H */
