// SPDX-License-Identifier: GPL-2.0
/*
 * A send queue. See sq.h.
 *
 * Soft-RoCE does a card's work in softirqs. What a task posts is left to ksoftirqd, or
 * to another CPU (helper.c): at depth that is good, as the task goes on meanwhile. A
 * request that is alone has its task wait for it, and two context switches are most of
 * that time: with softirqs held off while it is posted, the work is done when they are
 * let go, in the task itself.
 *
 * Then every request is complete before the next one comes, from whatever depth. So
 * the first of those that are alone, and some again later, are not done like that:
 * where there is more than one at a time it shows in these.
 */
#include <rdma/ib_verbs.h>

#include "compat/compat.h"
#include "sq.h"

/* Of so many requests that are alone, how many are not done at once. */
#define RDMABLK_SQ_ROUND	4096
#define RDMABLK_SQ_PROBES	100

/**
 * rdmablk_sq_init() - all slots are free
 * @sq: of a QP that has just been created
 * @ibdev: its device
 * @size: slots
 *
 * Context: any.
 */
void rdmablk_sq_init(struct rdmablk_sq *sq, struct ib_device *ibdev, int size)
{
	atomic_set(&sq->free, size);
	sq->size = size;
	sq->lonely = 0;
	sq->soft = compat_works_in_softirqs(ibdev);
}

/**
 * rdmablk_sq_take() - take slots for work requests
 * @sq: up
 * @slots: how many
 *
 * Context: any.
 * Return: false if not so many are free.
 */
bool rdmablk_sq_take(struct rdmablk_sq *sq, int slots)
{
	int left = atomic_read(&sq->free);

	/* No debt, even for a moment: another CPU would see nothing in flight. */
	do {
		if (left < slots)
			return false;
	} while (!atomic_try_cmpxchg(&sq->free, &left, left - slots));
	return true;
}

/**
 * rdmablk_sq_return() - give slots back
 * @sq: where they were taken
 * @slots: how many
 *
 * Context: any.
 */
void rdmablk_sq_return(struct rdmablk_sq *sq, int slots)
{
	atomic_add(slots, &sq->free);
}

/**
 * rdmablk_sq_at_once() - should the device's softirq do its work at once?
 * @sq: up
 * @slots: what has been taken for a batch, which is about to be posted
 * @requests: how many requests are in the batch
 *
 * Context: any. Counts without a lock: a wrong answer costs time, no more.
 * Return: true if softirqs should be held off while it is posted.
 */
bool rdmablk_sq_at_once(struct rdmablk_sq *sq, int slots, unsigned int requests)
{
	unsigned int lonely;

	if (!sq->soft)
		return false;
	if (requests > 1 || atomic_read(&sq->free) + slots != sq->size) {
		WRITE_ONCE(sq->lonely, 0);
		return false;
	}
	lonely = READ_ONCE(sq->lonely);
	WRITE_ONCE(sq->lonely, lonely + 1);
	return lonely % RDMABLK_SQ_ROUND >= RDMABLK_SQ_PROBES;
}
