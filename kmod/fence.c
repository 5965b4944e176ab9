// SPDX-License-Identifier: GPL-2.0
/*
 * Fences. See fence.h.
 *
 * A queue remembers, for each that fences, whether a write has completed since
 * its last fence: one that another has posted may still be under way.
 */
#include "fence.h"
#include "queue.h"
#include "session.h"

#define RDMABLK_WROTE	(BIT(RDMABLK_FENCE_FLUSH) | BIT(RDMABLK_FENCE_ZERO))

/**
 * rdmablk_fence_init() - initialise, once in a device's life
 * @fence: zeroed
 * @session: the owner
 * @fencer: whose it is; one fence for each in a session
 *
 * Context: any.
 */
void rdmablk_fence_init(struct rdmablk_fence *fence,
			struct rdmablk_session *session,
			enum rdmablk_fencer fencer)
{
	fence->session = session;
	fence->fencer = fencer;
}

/**
 * rdmablk_fence_note() - a write has completed
 * @queue: where it was posted
 *
 * Context: any; before the block layer hears of it.
 */
void rdmablk_fence_note(struct rdmablk_queue *queue)
{
	/* Not every time: the cache line would go from CPU to CPU. */
	if (READ_ONCE(queue->wrote) == RDMABLK_WROTE)
		return;
	set_bit(RDMABLK_FENCE_FLUSH, &queue->wrote);
	set_bit(RDMABLK_FENCE_ZERO, &queue->wrote);
}

static void rdmablk_fence_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rdmablk_fence_read *read =
		container_of(wc->wr_cqe, struct rdmablk_fence_read, cqe);
	struct rdmablk_fence *fence = read->fence;
	struct rdmablk_session *session = fence->session;
	struct rdmablk_queue *queue =
		container_of(read, struct rdmablk_queue, fence[fence->fencer]);

	rdmablk_conn_doubt(&queue->conn, wc);
	if (wc->status != IB_WC_SUCCESS) {
		WRITE_ONCE(fence->failed, true);
		rdmablk_session_lost(session, -EIO,
				     ib_wc_status_msg(wc->status));
	}
	if (atomic_dec_and_test(&fence->pending))
		wake_up_all(&session->wait.head);
}

static int rdmablk_fence_post(struct rdmablk_fence *fence,
			      struct rdmablk_queue *queue)
{
	const struct rdmablk_session *session = fence->session;
	struct rdmablk_fence_read *read = &queue->fence[fence->fencer];
	struct ib_sge sge = {
		.addr	= session->scratch_dma +
			  offsetof(struct rdmablk_scratch, sink),
		.length	= sizeof(((struct rdmablk_scratch *)0)->sink),
		.lkey	= queue->lkey,
	};
	struct ib_rdma_wr wr = {
		.wr.wr_cqe	= &read->cqe,
		.wr.opcode	= IB_WR_RDMA_READ,
		.wr.sg_list	= &sge,
		.wr.num_sge	= 1,
		.wr.send_flags	= IB_SEND_SIGNALED,
		.remote_addr	= queue->region->piece[0].addr,
		.rkey		= queue->keys[0],
	};

	read->fence = fence;
	read->cqe.done = rdmablk_fence_done;
	/* It has a slot of the send queue for itself: see queue.c. */
	return rdmablk_conn_post(&queue->conn, &wr.wr, NULL);
}

/**
 * rdmablk_fence_wait() - wait until what completed is in the target's memory
 * @fence: one at a time
 *
 * The posted READs have completed, with or without success, when it returns.
 *
 * Context: process.
 * Return: 0, or -ECONNRESET when the path broke.
 */
int rdmablk_fence_wait(struct rdmablk_fence *fence)
{
	struct rdmablk_session *session = fence->session;
	int err = 0;
	u32 i;

	fence->failed = false;
	atomic_set(&fence->pending, 1);
	for (i = 0; !err && i < session->nr_queues; i++) {
		struct rdmablk_queue *queue = &session->queues[i];

		if (!test_and_clear_bit(fence->fencer, &queue->wrote))
			continue;
		atomic_inc(&fence->pending);
		err = rdmablk_fence_post(fence, queue);
		if (err)
			atomic_dec(&fence->pending);
	}
	atomic_dec(&fence->pending);
	/* Teardown drains the QPs, which completes them. */
	while (!wait_event_timeout(session->wait.head,
				   !atomic_read(&fence->pending),
				   msecs_to_jiffies(rdmablk_poll_session(session))))
		;
	return err || READ_ONCE(fence->failed) ? -ECONNRESET : 0;
}
