// SPDX-License-Identifier: GPL-2.0
/*
 * Where a request of the block layer meets a queue pair.
 *
 * Normal operation: gather.c describes the request's memory as a chain of work
 * requests, which is posted at once, with those of other requests that come at the
 * same time. Its last one completes the request.
 *
 * Failure: the first work request that fails moves the QP to the error state,
 * and all behind it are flushed. Whatever did not succeed goes back to the block
 * layer's requeue list and stays there until recovery has brought the queue up
 * again: replaying is safe, as the old QP is gone at both ends by then. While
 * the session refuses (@refuse) requests end with an error instead. An
 * unsignaled work request completes only when it fails; that one reports the
 * failure, the request itself is handed back when its last work request is
 * flushed.
 */
#include "compat/compat.h"
#include "gather.h"
#include "io.h"
#include "session.h"
#include "trace.h"

/* How often the target's card may refuse a request before it fails. */
#define RDMABLK_REFUSALS_MAX 3

/* ---- Post ---------------------------------------------------------------- */

static void rdmablk_io_done(struct ib_cq *cq, struct ib_wc *wc);
static void rdmablk_io_part_done(struct ib_cq *cq, struct ib_wc *wc);

/* Undoes rdmablk_io_prepare(), but for the slots. */
static void rdmablk_io_undo(struct request *rq, const struct rdmablk_mark *mark)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);

	rdmablk_mark_end(io->queue, mark, false);
	rdmablk_track_end(io->queue, &io->track);
	rdmablk_gather_undo(rq);
}

/* All but posting; undone by rdmablk_io_abandon(). */
static blk_status_t rdmablk_io_prepare(struct rdmablk_queue *queue,
				       struct request *rq,
				       struct rdmablk_batch *chain,
				       struct rdmablk_mark *mark)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	int nr_wr;

	nr_wr = rdmablk_gather(queue, rq, &chain->first, &chain->last);
	if (unlikely(nr_wr < 0))
		return nr_wr == -ENOMEM ? BLK_STS_RESOURCE : BLK_STS_IOERR;

	io->track.on = false;
	if (rq_data_dir(rq) == WRITE)
		rdmablk_track_begin(queue, &io->track);
	rdmablk_mark_begin(queue, rq, &io->track, mark);
	chain->first = rdmablk_mark_chain(queue, mark, &io->track, &io->part,
					  chain->first);
	io->cqe.done = rdmablk_io_done;
	io->part.done = rdmablk_io_part_done;
	io->nr_wr = nr_wr + mark->needed;
	chain->requests = 1;
	chain->slots = io->nr_wr;
	if (likely(rdmablk_sq_take(&queue->sq, io->nr_wr)))
		return BLK_STS_OK;

	rdmablk_io_undo(rq, mark);
	/* Those that hold the slots are in flight on this very hctx. */
	return BLK_STS_DEV_RESOURCE;
}

/* What was prepared does not get posted. */
static void rdmablk_io_abandon(struct request *rq,
			       const struct rdmablk_mark *mark)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);

	rdmablk_sq_return(&io->queue->sq, io->nr_wr);
	rdmablk_io_undo(rq, mark);
}

/* Returns the first work request that was not posted, or NULL. */
static const struct ib_send_wr *rdmablk_io_post(struct rdmablk_queue *queue,
						const struct rdmablk_batch *batch)
{
	const struct ib_send_wr *bad;
	int err;

	err = rdmablk_conn_post(&queue->conn, batch->first, &bad);
	if (likely(!err))
		return NULL;
	/* There is room, so that the QP or the device is broken. */
	rdmablk_session_lost(queue->session, err, "cannot post a work request");
	return bad;
}

/**
 * rdmablk_io_start() - start a READ or WRITE
 * @queue: up
 * @rq: started by the caller
 *
 * Context: any; does not sleep.
 * Return: BLK_STS_OK when the completion will end the request;
 * BLK_STS_DEV_RESOURCE or BLK_STS_RESOURCE when it should come again;
 * BLK_STS_IOERR when it never can.
 */
blk_status_t rdmablk_io_start(struct rdmablk_queue *queue, struct request *rq)
{
	struct rdmablk_batch chain;
	struct rdmablk_mark mark;
	blk_status_t status;

	status = rdmablk_io_prepare(queue, rq, &chain, &mark);
	if (unlikely(status != BLK_STS_OK)) {
		if (status == BLK_STS_IOERR)
			rdmablk_stats_error(rq);
		else
			atomic64_inc(&queue->stats.waits);
		return status;
	}
	trace_rdmablk_request_post(queue, blk_mq_rq_to_pdu(rq));
	if (likely(!mark.needed)) {
		rdmablk_batch_post(&chain, queue);
		return BLK_STS_OK;
	}
	/*
	 * Others may rely on the mark only when it has been posted. From here on the
	 * request is ours only if that fails.
	 */
	if (unlikely(rdmablk_io_post(queue, &chain))) {
		rdmablk_io_abandon(rq, &mark);
		atomic64_inc(&queue->stats.replays);
		return BLK_STS_RESOURCE;
	}
	rdmablk_mark_end(queue, &mark, true);
	return BLK_STS_OK;
}

/* ---- Batches ------------------------------------------------------------- */

/**
 * rdmablk_batch_append() - put one batch behind another
 * @batch: of a queue, or empty
 * @other: of the same queue, and not empty
 *
 * Context: any.
 */
void rdmablk_batch_append(struct rdmablk_batch *batch,
			  const struct rdmablk_batch *other)
{
	if (batch->first)
		batch->last->next = other->first;
	else
		batch->first = other->first;
	batch->last = other->last;
	batch->requests += other->requests;
	batch->slots += other->slots;
}

/**
 * rdmablk_batch_add() - a READ or WRITE is to be posted along with others
 * @batch: of the same queue, or empty
 * @queue: up
 * @rq: idle; started when this succeeds
 *
 * Context: any; does not sleep.
 * Return: false if it has to be started by itself, whatever the reason.
 */
bool rdmablk_batch_add(struct rdmablk_batch *batch, struct rdmablk_queue *queue,
		       struct request *rq)
{
	struct rdmablk_batch chain;
	struct rdmablk_mark mark;

	if (rdmablk_io_prepare(queue, rq, &chain, &mark) != BLK_STS_OK)
		return false;
	/* The next one may rely on a mark only when that has been posted. */
	if (unlikely(mark.needed)) {
		rdmablk_io_abandon(rq, &mark);
		return false;
	}

	compat_blk_mq_start_request(rq);
	trace_rdmablk_request_post(queue, blk_mq_rq_to_pdu(rq));
	rdmablk_batch_append(batch, &chain);
	return true;
}

static void rdmablk_io_requeue(struct rdmablk_io *io)
{
	atomic64_inc(&io->queue->stats.replays);
	blk_mq_requeue_request(blk_mq_rq_from_pdu(io), false);
}

/*
 * Hands back the requests of which not all work requests were posted. Of the first
 * of them some may have been: it must not end before the path is down, even if the
 * session refuses by now.
 */
static void rdmablk_batch_return(const struct ib_send_wr *bad)
{
	const struct ib_send_wr *wr, *next;

	for (wr = bad; wr; wr = next) {
		struct rdmablk_io *io;

		/* A request's last one stands for it, and for its memory. */
		next = wr->next;
		if (!(wr->send_flags & IB_SEND_SIGNALED))
			continue;
		io = rdmablk_wr_io(wr);
		rdmablk_sq_return(&io->queue->sq, io->nr_wr);
		rdmablk_track_end(io->queue, &io->track);
		rdmablk_gather_undo(blk_mq_rq_from_pdu(io));
		rdmablk_io_requeue(io);
	}
}

/**
 * rdmablk_batch_post_here() - post what was added, with one doorbell, on this CPU
 * @batch: empty afterwards
 * @queue: the one of its requests
 *
 * Context: any; does not sleep.
 */
void rdmablk_batch_post_here(struct rdmablk_batch *batch,
			     struct rdmablk_queue *queue)
{
	if (!batch->first)
		return;
	rdmablk_batch_return(rdmablk_io_post(queue, batch));
	*batch = (struct rdmablk_batch){ };
}

/**
 * rdmablk_batch_post() - post what was added, where that is fastest
 * @batch: empty afterwards; nothing in it has a mark
 * @queue: the one of its requests
 *
 * Context: any but hard interrupts; does not sleep.
 */
void rdmablk_batch_post(struct rdmablk_batch *batch, struct rdmablk_queue *queue)
{
	if (!batch->first)
		return;
	if (rdmablk_sq_at_once(&queue->sq, batch->slots, batch->requests)) {
		local_bh_disable();
		rdmablk_batch_post_here(batch, queue);
		local_bh_enable();
	} else if (rdmablk_helper_post(queue, batch)) {
		*batch = (struct rdmablk_batch){ };
	} else {
		rdmablk_batch_post_here(batch, queue);
	}
}

/* ---- Complete ------------------------------------------------------------ */

/* The target's card answered, and said no: trying again may not help. */
static bool rdmablk_io_was_refused(enum ib_wc_status status)
{
	return status == IB_WC_REM_ACCESS_ERR ||
	       status == IB_WC_REM_INV_REQ_ERR ||
	       status == IB_WC_REM_OP_ERR || status == IB_WC_LOC_PROT_ERR ||
	       status == IB_WC_LOC_LEN_ERR || status == IB_WC_LOC_QP_OP_ERR;
}

/* A work request failed; the request that it belongs to is still in flight. */
static void rdmablk_io_note_failure(struct rdmablk_io *io,
				    enum ib_wc_status status)
{
	if (rdmablk_io_was_refused(status))
		io->refusals++;
	/* Flushed, too: a QP may break without a failure of its own work. */
	rdmablk_session_lost(io->queue->session, -EIO, ib_wc_status_msg(status));
}

static void rdmablk_io_part_done(struct ib_cq *cq, struct ib_wc *wc)
{
	rdmablk_io_note_failure(container_of(wc->wr_cqe, struct rdmablk_io,
					     part), wc->status);
}

/**
 * rdmablk_io_end() - end a request
 * @io: its driver's part
 * @status: how it ends
 *
 * Context: any.
 */
void rdmablk_io_end(struct rdmablk_io *io, blk_status_t status)
{
	io->status = status;
	blk_mq_complete_request(blk_mq_rq_from_pdu(io));
}

/**
 * rdmablk_io_fail() - end a request with an error
 * @io: its driver's part
 * @status: the error
 *
 * Context: any.
 */
void rdmablk_io_fail(struct rdmablk_io *io, blk_status_t status)
{
	rdmablk_stats_error(blk_mq_rq_from_pdu(io));
	rdmablk_io_end(io, status);
}

/**
 * rdmablk_io_return() - hand a request back to the block layer
 * @io: its driver's part
 *
 * It comes again when recovery has brought the path up, or ends with an error if
 * the session refuses.
 *
 * Context: any.
 */
void rdmablk_io_return(struct rdmablk_io *io)
{
	blk_status_t refuse = READ_ONCE(io->queue->session->refuse);

	if (refuse != BLK_STS_OK)
		rdmablk_io_fail(io, refuse);
	else
		rdmablk_io_requeue(io);
}

/**
 * rdmablk_io_written() - the target has what a request wrote
 * @io: its driver's part
 *
 * Ends the request, unless it has to be durable first.
 *
 * Context: any.
 */
void rdmablk_io_written(struct rdmablk_io *io)
{
	struct rdmablk_session *session = io->queue->session;
	struct request *rq = blk_mq_rq_from_pdu(io);

	if ((rq->cmd_flags & REQ_FUA) && rdmablk_dirty_is_open(&session->dirty))
		rdmablk_flush_add(&session->flush, rq);
	else
		rdmablk_io_end(io, BLK_STS_OK);
}

static void rdmablk_io_failed(struct rdmablk_io *io)
{
	if (io->refusals >= RDMABLK_REFUSALS_MAX)
		rdmablk_io_fail(io, BLK_STS_IOERR);
	else
		rdmablk_io_return(io);
}

static void rdmablk_io_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rdmablk_io *io = container_of(wc->wr_cqe, struct rdmablk_io, cqe);
	struct request *rq = blk_mq_rq_from_pdu(io);
	struct rdmablk_queue *queue = io->queue;

	if (unlikely(rdmablk_fault(RDMABLK_FAULT_COMPLETE)))
		wc->status = IB_WC_GENERAL_ERR;
	rdmablk_conn_doubt(&queue->conn, wc);
	trace_rdmablk_request_complete(io, wc);
	rdmablk_gather_undo(rq);
	rdmablk_sq_return(&queue->sq, io->nr_wr);
	if (rq_data_dir(rq) == WRITE && wc->status == IB_WC_SUCCESS) {
		/* First, so that a flush that takes the bits sees it, too. */
		rdmablk_fence_note(queue);
		if (io->track.on)
			rdmablk_track_note(queue, rq);
	}
	rdmablk_track_end(queue, &io->track);
	if (likely(wc->status == IB_WC_SUCCESS)) {
		if (unlikely(!READ_ONCE(queue->carried)))
			WRITE_ONCE(queue->carried, true);
		rdmablk_io_written(io);
	} else {
		rdmablk_io_note_failure(io, wc->status);
		rdmablk_io_failed(io);
	}
}
