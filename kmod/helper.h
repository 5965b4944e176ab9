/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Another CPU posts for a queue, where the device is software that works on the CPU
 * that posts.
 */
#ifndef RDMABLK_HELPER_H
#define RDMABLK_HELPER_H

#include <linux/interrupt.h>
#include <linux/llist.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

struct rdmablk_batch;
struct rdmablk_queue;

/**
 * struct rdmablk_helper - the CPU that posts for a queue
 * @sibling: the queue whose CPU it is; NULL: nobody helps
 * @csd: the interrupt that asks it to
 * @called: bit 0: it has been asked, and has not noticed yet
 * @calls: interrupts under way
 * @tasklet: what they schedule: it posts
 * @waiting: batches to be posted, the newest first: struct rdmablk_io.waiting
 * @rest: so many batches more are not given to it, as it had other things to do
 * @lock: held from taking what waits until that is posted, so that whoever finds
 *        nothing waiting knows that all was posted
 */
struct rdmablk_helper {
	struct rdmablk_queue *sibling;
	call_single_data_t csd;
	unsigned long called;
	atomic_t calls;
	struct tasklet_struct tasklet;
	struct llist_head waiting;
	unsigned int rest;
	spinlock_t lock;
};

void rdmablk_helper_init(struct rdmablk_queue *queue);
void rdmablk_helper_exit(struct rdmablk_helper *helper);
void rdmablk_helper_begin(struct rdmablk_queue *queue);
void rdmablk_helper_end(struct rdmablk_queue *queue);
bool rdmablk_helper_post(struct rdmablk_queue *queue,
			 const struct rdmablk_batch *batch);

#endif /* RDMABLK_HELPER_H */
