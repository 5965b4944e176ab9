/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Polled queues: the last of a session, for I/O whose submitter looks for its
 * completion. No interrupt tells of it.
 */
#ifndef RDMABLK_POLLED_H
#define RDMABLK_POLLED_H

#include <linux/spinlock.h>

struct ib_cq;
struct rdmablk_session;

/**
 * struct rdmablk_poll - what there is to poll of a data queue
 * @lock: held while its completions are handled by who polls, so that teardown can
 *	  wait for them; protects @cq
 * @cq: NULL while the queue is down, and for queues that are not polled
 */
struct rdmablk_poll {
	spinlock_t lock;
	struct ib_cq *cq;
};

void rdmablk_poll_init(struct rdmablk_poll *poll);
void rdmablk_poll_begin(struct rdmablk_poll *poll, struct ib_cq *cq);
void rdmablk_poll_end(struct rdmablk_poll *poll);
int rdmablk_poll(struct rdmablk_poll *poll);
u32 rdmablk_poll_session(struct rdmablk_session *session);
void rdmablk_poll_work_init(struct rdmablk_session *session);
void rdmablk_poll_work_begin(struct rdmablk_session *session);
void rdmablk_poll_work_end(struct rdmablk_session *session);

#endif /* RDMABLK_POLLED_H */
