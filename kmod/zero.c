// SPDX-License-Identifier: GPL-2.0
/*
 * WRITE ZEROES and DISCARD. See zero.h.
 *
 * A request becomes one ZERO message, behind a fence, lest a write that has
 * completed lands on the zeroes. The target marks the chunks in its coarse
 * map, zeroes its memory, and answers. It counts as a write of its epoch
 * meanwhile, like one that was posted. What may be unmapped the target sees to at
 * the next flush; other zeroes are noted, and flushed as they are.
 */
#include "dev.h"
#include "io.h"
#include "track.h"

static bool rdmablk_zero_unmaps(const struct request *rq)
{
	return req_op(rq) == REQ_OP_DISCARD || !(rq->cmd_flags & REQ_NOUNMAP);
}

static int rdmablk_zero_call(struct rdmablk_zero *zero, struct request *rq,
			     struct rdmablk_reason *reason, bool *refused)
{
	struct rdmablk_call *call =
		&zero->session->ctrl.calls[RDMABLK_CALL_ZERO];
	const struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	struct rdmablk_msg_zero msg = {
		.hdr.type	= cpu_to_le16(RDMABLK_MSG_ZERO),
		.range.offset	= cpu_to_le64(rdmablk_rq_offset(rq)),
		.range.length	= cpu_to_le64(blk_rq_bytes(rq)),
		.flags		= rdmablk_zero_unmaps(rq) ?
				  RDMABLK_ZERO_UNMAP : 0,
		.epoch		= io->track.on ? io->track.epoch : 0,
	};
	int err = rdmablk_fence_wait(&zero->fence);

	*refused = false;
	if (err)
		return rdmablk_reason_set(reason, err, "the path broke");
	err = rdmablk_call(call, &msg, sizeof(msg), RDMABLK_NO_TIMEOUT, reason);
	*refused = err && rdmablk_call_store_failed(call);
	return err;
}

/* It reads as zero now: what a flush has to do about it. */
static void rdmablk_zero_note(struct rdmablk_queue *queue, struct request *rq)
{
	struct rdmablk_dirty *dirty = &queue->session->dirty;
	const struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);

	if (rdmablk_zero_unmaps(rq))
		atomic64_add(blk_rq_bytes(rq), &dirty->unmapped);
	else
		rdmablk_track_note(queue, rq);
	/* The target marked for us: cleaning clears it. */
	WRITE_ONCE(dirty->marked[io->track.epoch], true);
}

static void rdmablk_zero_serve(struct rdmablk_zero *zero, struct request *rq)
{
	struct rdmablk_session *session = zero->session;
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	struct rdmablk_queue *queue = &session->queues[0];
	struct rdmablk_reason reason;
	bool refused;
	int err;

	rdmablk_track_begin(queue, &io->track);
	err = rdmablk_zero_call(zero, rq, &reason, &refused);
	if (!err && io->track.on)
		rdmablk_zero_note(queue, rq);
	rdmablk_track_end(queue, &io->track);

	if (refused) {
		pr_err_ratelimited("%s: cannot zero: %s\n",
				   rdmablk_session_dev(session)->name,
				   reason.text);
		rdmablk_io_fail(io, BLK_STS_IOERR);
	} else if (err) {
		rdmablk_session_lost(session, err, reason.text);
		rdmablk_io_return(io);
	} else {
		rdmablk_stats_zero(rq);
		rdmablk_io_written(io);
	}
}

static void rdmablk_zero_work(struct work_struct *work)
{
	struct rdmablk_zero *zero =
		container_of(work, struct rdmablk_zero, backlog.work);
	struct rdmablk_io *io, *next;
	LIST_HEAD(requests);

	while (rdmablk_backlog_take(&zero->backlog, &requests)) {
		list_for_each_entry_safe(io, next, &requests, list) {
			list_del(&io->list);
			rdmablk_zero_serve(zero, blk_mq_rq_from_pdu(io));
		}
	}
}

/**
 * rdmablk_zero_add() - have the target zero what a request names
 * @zero: of a device whose target offers it
 * @rq: WRITE ZEROES or DISCARD, at most RDMABLK_ZERO_MAX bytes
 *
 * Context: any.
 */
void rdmablk_zero_add(struct rdmablk_zero *zero, struct request *rq)
{
	rdmablk_backlog_add(&zero->backlog, blk_mq_rq_to_pdu(rq));
}

/**
 * rdmablk_zero_init() - initialise, once in a device's life
 * @zero: zeroed
 * @session: the owner
 *
 * Context: any.
 */
void rdmablk_zero_init(struct rdmablk_zero *zero,
		       struct rdmablk_session *session)
{
	zero->session = session;
	rdmablk_backlog_init(&zero->backlog, rdmablk_zero_work);
	rdmablk_fence_init(&zero->fence, session, RDMABLK_FENCE_ZERO);
}

/**
 * rdmablk_zero_stop() - nothing is served when it returns
 * @zero: its session's calls end at once, and no request comes any more
 *
 * Requests that waited have been handed back to the block layer.
 *
 * Context: process.
 */
void rdmablk_zero_stop(struct rdmablk_zero *zero)
{
	rdmablk_backlog_stop(&zero->backlog);
}
