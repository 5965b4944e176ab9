// SPDX-License-Identifier: GPL-2.0
/*
 * The block layer's operations: a request comes in, io.c takes it from here.
 */
#include <linux/sched/isolation.h>

#include "compat/compat.h"
#include "dev.h"
#include "io.h"
#include "queue.h"

/* Returns BLK_STS_OK, or how the request ends at once. */
static blk_status_t rdmablk_rq_begin(struct rdmablk_queue *queue,
				     struct request *rq)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	blk_status_t refuse = READ_ONCE(queue->session->refuse);

	io->queue = queue;
	if (unlikely(refuse != BLK_STS_OK))
		return refuse;
	if (!(rq->rq_flags & RQF_DONTPREP)) {
		io->refusals = 0;
		rq->rq_flags |= RQF_DONTPREP;
	}
	io->status = BLK_STS_OK;
	io->slow = false;
	return BLK_STS_OK;
}

static blk_status_t rdmablk_queue_rq(struct blk_mq_hw_ctx *hctx,
				     const struct blk_mq_queue_data *bd)
{
	struct rdmablk_queue *queue = hctx->driver_data;
	struct request *rq = bd->rq;
	blk_status_t status;

	status = rdmablk_rq_begin(queue, rq);
	if (unlikely(status != BLK_STS_OK)) {
		rdmablk_stats_error(rq);
		return status;
	}

	switch (req_op(rq)) {
	case REQ_OP_READ:
	case REQ_OP_WRITE:
		blk_mq_start_request(rq);
		return rdmablk_io_start(queue, rq);
	case REQ_OP_FLUSH:
		blk_mq_start_request(rq);
		/* sysfs can make the block layer believe in a cache. */
		if (rdmablk_dirty_is_open(&queue->session->dirty))
			rdmablk_flush_add(&queue->session->flush, rq);
		else
			blk_mq_end_request(rq, BLK_STS_OK);
		return BLK_STS_OK;
	case REQ_OP_DISCARD:
	case REQ_OP_WRITE_ZEROES:
		blk_mq_start_request(rq);
		rdmablk_zero_add(&queue->session->zero, rq);
		return BLK_STS_OK;
	default:
		return BLK_STS_NOTSUPP;
	}
}

/*
 * What a task has submitted in one go: posted with one doorbell for each queue. From
 * the first request on that has to be looked at more closely, the block layer passes
 * them to queue_rq.
 */
static void rdmablk_queue_rqs(COMPAT_RQ_LIST *list)
{
	struct rdmablk_batch batch = { };
	struct rdmablk_queue *queue = NULL;
	struct request *rq;

	while ((rq = rq_list_peek(list))) {
		if (queue != rq->mq_hctx->driver_data) {
			rdmablk_batch_post(&batch, queue);
			queue = rq->mq_hctx->driver_data;
		}
		if (req_op(rq) != REQ_OP_READ && req_op(rq) != REQ_OP_WRITE)
			break;
		if (rdmablk_rq_begin(queue, rq) != BLK_STS_OK ||
		    !rdmablk_batch_add(&batch, queue, rq))
			break;
		rq_list_pop(list);
	}
	rdmablk_batch_post(&batch, queue);
}

static void rdmablk_complete_rq(struct request *rq)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);

	rdmablk_stats_end(rq);
	blk_mq_end_request(rq, io->status);
}

/*
 * The card may still write to the request's pages, so that a request never ends
 * here: recovery takes the path down, which returns the request.
 */
static enum blk_eh_timer_return rdmablk_timeout(struct request *rq)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	struct rdmablk_session *session = io->queue->session;

	/* Complete, perhaps, but who should have polled was stopped, or does it now. */
	rdmablk_poll(&io->queue->poll);
	if (blk_mq_rq_state(rq) != MQ_RQ_IN_FLIGHT)
		return BLK_EH_DONE;
	/* The target's disk may take its time, but is the target still there? */
	if (READ_ONCE(io->slow))
		rdmablk_keep_alive_now(rdmablk_session_dev(session));
	else
		rdmablk_session_lost(session, -ETIMEDOUT,
				     "a request timed out");
	return BLK_EH_RESET_TIMER;
}

static int rdmablk_init_hctx(struct blk_mq_hw_ctx *hctx, void *data,
			     unsigned int index)
{
	struct rdmablk_dev *dev = data;

	hctx->driver_data = &dev->session.queues[index];
	return 0;
}

static int rdmablk_poll_hctx(struct blk_mq_hw_ctx *hctx,
			     struct io_comp_batch *batch)
{
	struct rdmablk_queue *queue = hctx->driver_data;

	return rdmablk_poll(&queue->poll);
}

static void rdmablk_map_queues(struct blk_mq_tag_set *set)
{
	struct rdmablk_dev *dev = set->driver_data;
	u32 polled = set->nr_maps > HCTX_TYPE_POLL ?
		     rdmablk_opts_polled(&dev->opts, set->nr_hw_queues) : 0;
	struct blk_mq_queue_map *map = &set->map[HCTX_TYPE_DEFAULT];
	int cpu;

	map->nr_queues = set->nr_hw_queues - polled;
	blk_mq_map_queues(map);
	/* Those that are set apart are left alone. */
	for_each_cpu_and(cpu, cpu_online_mask, housekeeping_cpumask(HK_TYPE_DOMAIN))
		WRITE_ONCE(dev->session.queues[map->mq_map[cpu]].cpu, cpu);
	if (!polled)
		return;
	/* Reads have no queues of their own, or all of them would take the first one. */
	set->map[HCTX_TYPE_READ].nr_queues = 0;
	map = &set->map[HCTX_TYPE_POLL];
	map->nr_queues = polled;
	map->queue_offset = set->nr_hw_queues - polled;
	blk_mq_map_queues(map);
}

const struct blk_mq_ops rdmablk_mq_ops = {
	.queue_rq	= rdmablk_queue_rq,
	.queue_rqs	= rdmablk_queue_rqs,
	.complete	= rdmablk_complete_rq,
	.timeout	= rdmablk_timeout,
	.init_hctx	= rdmablk_init_hctx,
	.poll		= rdmablk_poll_hctx,
	.map_queues	= rdmablk_map_queues,
};
