/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for the target, which must end at once when its device is deleted. */
#ifndef RDMABLK_WAIT_H
#define RDMABLK_WAIT_H

#include <linux/wait.h>

/**
 * struct rdmablk_wait - where set-up waits, so that teardown can end the wait
 * @head: woken whenever something that set-up waits for may have happened
 * @abort: set once; every wait returns -ECANCELED from then on
 */
struct rdmablk_wait {
	wait_queue_head_t head;
	bool abort;
};

static inline void rdmablk_wait_init(struct rdmablk_wait *wait)
{
	init_waitqueue_head(&wait->head);
	wait->abort = false;
}

/**
 * rdmablk_wait_abort() - make every present and later wait return -ECANCELED
 * @wait: the waits concerned
 *
 * Context: any.
 */
static inline void rdmablk_wait_abort(struct rdmablk_wait *wait)
{
	WRITE_ONCE(wait->abort, true);
	wake_up_all(&wait->head);
}

/*
 * Returns 0, -ETIMEDOUT, or -ECANCELED after rdmablk_wait_abort(). The target may
 * need minutes to make durable what was written: idle, not hung.
 */
#define rdmablk_wait_event(wait, condition, timeout_ms)			\
({									\
	long left_ = wait_event_idle_timeout((wait)->head,		\
			(condition) || READ_ONCE((wait)->abort),	\
			msecs_to_jiffies(timeout_ms));			\
	READ_ONCE((wait)->abort) ? -ECANCELED : left_ ? 0 : -ETIMEDOUT;	\
})

#endif /* RDMABLK_WAIT_H */
