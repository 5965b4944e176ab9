// SPDX-License-Identifier: GPL-2.0
/*
 * Another CPU posts for a queue. See helper.h.
 *
 * The CPU that posts does all of Soft-RoCE's work for an I/O, which is several times
 * what the I/O costs its task. While the task has more to submit, another CPU may as
 * well do it: one of the next queue's, as long as that queue has nothing to do. What is
 * to be posted is put on a list, and an interrupt there schedules a tasklet that takes
 * all of the list. It does not run before Soft-RoCE's are through with what they have,
 * so that what comes meanwhile needs no interrupt, and shares a doorbell.
 *
 * The helper has a task of its own to run? Then it is left alone for a while. And what
 * is large keeps both CPUs busy anyway, with its packets, and each other waiting.
 */
#include <linux/sched.h>
#include <linux/sizes.h>

#include "io.h"
#include "queue.h"
#include "session.h"

/* A CPU that had other things to do is asked again after so many batches. */
#define RDMABLK_HELPER_REST	256
/* A request of more bytes is posted by its own CPU. */
#define RDMABLK_HELPER_BYTES	SZ_8K

static void rdmablk_helper_work(struct rdmablk_queue *queue)
{
	struct rdmablk_helper *helper = &queue->helper;
	struct rdmablk_batch batch = { };
	struct rdmablk_io *io, *next;
	struct llist_node *taken;

	spin_lock_bh(&helper->lock);
	taken = llist_reverse_order(llist_del_all(&helper->waiting));
	llist_for_each_entry_safe(io, next, taken, waiting)
		rdmablk_batch_append(&batch, &io->batch);
	rdmablk_batch_post_here(&batch, queue);
	spin_unlock_bh(&helper->lock);
}

static void rdmablk_helper_tasklet(struct tasklet_struct *tasklet)
{
	rdmablk_helper_work(container_of(tasklet, struct rdmablk_queue,
					 helper.tasklet));
}

static void rdmablk_helper_interrupt(void *info)
{
	struct rdmablk_helper *helper = info;

	/* A kernel thread is idle's, or is there to do what we ask for. */
	if (!(current->flags & PF_KTHREAD))
		WRITE_ONCE(helper->rest, RDMABLK_HELPER_REST);
	/* First: who finds it set relies on the tasklet to come. */
	clear_bit(0, &helper->called);
	tasklet_schedule(&helper->tasklet);
	/* Last: see rdmablk_helper_exit(). */
	atomic_dec(&helper->calls);
}

/**
 * rdmablk_helper_init() - initialise, once in a device's life
 * @queue: whose helper it is
 *
 * Context: any.
 */
void rdmablk_helper_init(struct rdmablk_queue *queue)
{
	struct rdmablk_helper *helper = &queue->helper;

	INIT_CSD(&helper->csd, rdmablk_helper_interrupt, helper);
	tasklet_setup(&helper->tasklet, rdmablk_helper_tasklet);
	init_llist_head(&helper->waiting);
	spin_lock_init(&helper->lock);
}

/**
 * rdmablk_helper_exit() - nothing is under way any more when it returns
 * @helper: ended
 *
 * Context: process.
 */
void rdmablk_helper_exit(struct rdmablk_helper *helper)
{
	/* It was asked, and the work done by another: the interrupt comes at once. */
	while (atomic_read(&helper->calls))
		cpu_relax();
	tasklet_kill(&helper->tasklet);
}

/**
 * rdmablk_helper_begin() - a queue is up
 * @queue: which may be helped from now on, if that is good for anything
 *
 * Context: process.
 */
void rdmablk_helper_begin(struct rdmablk_queue *queue)
{
	struct rdmablk_session *session = queue->session;
	u32 granted = session->grant.nr_queues;
	u32 ordinary = granted - rdmablk_opts_polled(session->opts, granted);

	/* There, an idle CPU may not be interrupted to raise a softirq. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return;
	if (!queue->sq.soft || queue->polled || ordinary < 2)
		return;
	queue->helper.rest = 0;
	queue->helper.sibling = &session->queues[(queue->index + 1) % ordinary];
}

/**
 * rdmablk_helper_end() - a queue goes down; all that waited is posted
 * @queue: the block layer starts nothing more on it
 *
 * Context: process.
 */
void rdmablk_helper_end(struct rdmablk_queue *queue)
{
	queue->helper.sibling = NULL;
	rdmablk_helper_work(queue);
}

static bool rdmablk_helper_is_free(struct rdmablk_helper *helper)
{
	unsigned int rest = READ_ONCE(helper->rest);
	int cpu = READ_ONCE(helper->sibling->cpu);

	if (cpu < 0 || !cpu_online(cpu) ||
	    rdmablk_sq_is_used(&helper->sibling->sq))
		return false;
	/* Counts without a lock: a wrong answer costs time, no more. */
	if (rest)
		WRITE_ONCE(helper->rest, rest - 1);
	return !rest;
}

/* Interrupts the helper, unless somebody does already; false if it is offline. */
static bool rdmablk_helper_call(struct rdmablk_helper *helper)
{
	if (test_and_set_bit(0, &helper->called))
		return true;
	atomic_inc(&helper->calls);
	if (!smp_call_function_single_async(READ_ONCE(helper->sibling->cpu),
					    &helper->csd))
		return true;
	atomic_dec(&helper->calls);
	clear_bit(0, &helper->called);
	return false;
}

/**
 * rdmablk_helper_post() - have the helper post a batch
 * @queue: up
 * @batch: READs and WRITEs; may be complete when this returns
 *
 * Context: any but hard interrupts; does not sleep.
 * Return: false if the caller has to do it.
 */
bool rdmablk_helper_post(struct rdmablk_queue *queue,
			 const struct rdmablk_batch *batch)
{
	struct rdmablk_helper *helper = &queue->helper;
	struct rdmablk_io *io = rdmablk_wr_io(batch->last);
	bool asked;

	if (!helper->sibling || !rdmablk_helper_is_free(helper) ||
	    blk_rq_bytes(blk_mq_rq_from_pdu(io)) > RDMABLK_HELPER_BYTES)
		return false;
	io->batch = *batch;
	/* Whoever finds others waiting relies on the first of them to have asked. */
	preempt_disable();
	asked = !llist_add(&io->waiting, &helper->waiting) ||
		rdmablk_helper_call(helper);
	preempt_enable();
	if (!asked)
		rdmablk_helper_work(queue);
	return true;
}
