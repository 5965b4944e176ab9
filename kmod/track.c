// SPDX-License-Identifier: GPL-2.0
/*
 * What a write does so that the target's write cache can be flushed. See
 * Documentation/design.rst, "Which blocks are dirty".
 *
 * Before the data a write marks its chunks in the target's coarse map, unless its
 * queue has done so in this epoch. A mark counts as given only after it was
 * posted: whoever sees the bit posts behind it on the same QP. Until then another
 * may mark the same chunk once more, which does no harm.
 *
 * Behind the data, when it has completed and before the block layer hears of it,
 * the write is noted in the fine map.
 *
 * In between it counts as a write of its epoch, so that cleaning can wait for
 * those that rely on the marks of the epoch that it ends:
 *
 *	write				cleaning
 *	1. count in the epoch it sees	1. turn to the other epoch
 *	2. look: still that epoch?	2. wait until nobody counts in the old one
 *
 * with a full barrier between the steps of each.
 */
#include "io.h"
#include "session.h"
#include "track.h"

static void rdmablk_track_leave(struct rdmablk_queue *queue, unsigned int epoch)
{
	struct rdmablk_session *session = queue->session;

	if (atomic_dec_and_test(&queue->writes[epoch]) &&
	    unlikely(epoch != READ_ONCE(session->dirty.epoch)))
		wake_up_all(&session->wait.head);
}

static unsigned int rdmablk_track_enter(struct rdmablk_queue *queue)
{
	const struct rdmablk_dirty *dirty = &queue->session->dirty;
	unsigned int epoch;

	for (;;) {
		epoch = READ_ONCE(dirty->epoch);
		atomic_inc(&queue->writes[epoch]);
		/* Step 1 before step 2; see the top. */
		smp_mb__after_atomic();
		/*
		 * Before looking at marks: those of an epoch that comes again
		 * have been forgotten. Pairs with rdmablk_track_turn().
		 */
		if (likely(epoch == smp_load_acquire(&dirty->epoch)))
			return epoch;
		rdmablk_track_leave(queue, epoch);
	}
}

/**
 * rdmablk_track_begin() - a request that changes blocks is about to start
 * @queue: where it will be posted; queue 0 for what is not posted
 * @track: its part, filled in
 *
 * Context: any.
 */
void rdmablk_track_begin(struct rdmablk_queue *queue,
			 struct rdmablk_track *track)
{
	track->on = rdmablk_dirty_is_open(&queue->session->dirty);
	if (track->on)
		track->epoch = rdmablk_track_enter(queue);
}

/**
 * rdmablk_track_note() - a request that changed blocks has completed
 * @queue: where it was posted
 * @rq: the request
 *
 * Context: any; before the block layer hears of it.
 */
void rdmablk_track_note(struct rdmablk_queue *queue, struct request *rq)
{
	rdmablk_maps_note(&queue->session->dirty.maps,
			  rdmablk_rq_offset(rq), blk_rq_bytes(rq));
}

/**
 * rdmablk_track_end() - a request is not under way any more
 * @queue: where it was posted
 * @track: its part; begun, or ended already
 *
 * Context: any.
 */
void rdmablk_track_end(struct rdmablk_queue *queue, struct rdmablk_track *track)
{
	if (!track->on)
		return;
	track->on = false;
	rdmablk_track_leave(queue, track->epoch);
}

/* ---- Marks --------------------------------------------------------------- */

/**
 * rdmablk_mark_begin() - what does a write have to mark?
 * @queue: where it will be posted
 * @rq: the request
 * @track: its part; begun
 * @mark: filled in; rdmablk_mark_end() ends it
 *
 * Context: any.
 */
void rdmablk_mark_begin(struct rdmablk_queue *queue, struct request *rq,
			const struct rdmablk_track *track,
			struct rdmablk_mark *mark)
{
	const struct rdmablk_maps *maps = &queue->session->dirty.maps;
	u64 offset = rdmablk_rq_offset(rq);
	const unsigned long *marks;

	mark->needed = false;
	if (!track->on)
		return;
	mark->epoch = track->epoch;
	mark->first = offset >> maps->chunk_shift;
	mark->last = (offset + blk_rq_bytes(rq) - 1) >> maps->chunk_shift;
	marks = rdmablk_maps_marks(maps, queue->index, mark->epoch);
	mark->needed = find_next_zero_bit(marks, mark->last + 1,
					  mark->first) <= mark->last;
	/* Before posting. Pairs with the barrier in rdmablk_mark_end(). */
	smp_rmb();
	/* The epoch must not end between posting and noting that it was. */
	if (mark->needed)
		atomic_inc(&queue->writes[mark->epoch]);
}

/**
 * rdmablk_mark_chain() - put the mark before the data
 * @queue: as in rdmablk_mark_begin()
 * @mark: begun
 * @track: the request's part, where the work request is built
 * @cqe: what completes when the mark fails
 * @first: first work request of the data
 *
 * Context: any.
 * Return: the first work request to post.
 */
struct ib_send_wr *rdmablk_mark_chain(struct rdmablk_queue *queue,
				      const struct rdmablk_mark *mark,
				      struct rdmablk_track *track,
				      struct ib_cqe *cqe,
				      struct ib_send_wr *first)
{
	const struct rdmablk_session *session = queue->session;
	const struct rdmablk_piece *coarse;

	if (!mark->needed)
		return first;
	coarse = &session->grant.coarse[mark->epoch];
	track->sge.addr = session->scratch_dma +
			  offsetof(struct rdmablk_scratch, ones);
	track->sge.length = mark->last - mark->first + 1;
	track->sge.lkey = queue->lkey;
	memset(&track->wr, 0, sizeof(track->wr));
	track->wr.wr.wr_cqe = cqe;
	track->wr.wr.opcode = IB_WR_RDMA_WRITE;
	track->wr.wr.sg_list = &track->sge;
	track->wr.wr.num_sge = 1;
	track->wr.wr.next = first;
	track->wr.remote_addr = coarse->addr + mark->first;
	track->wr.rkey = queue->keys[queue->region->nr + mark->epoch];
	return &track->wr.wr;
}

/**
 * rdmablk_mark_end() - the mark is on its way, or not
 * @queue: as in rdmablk_mark_begin()
 * @mark: begun
 * @posted: others may rely on it
 *
 * Context: any.
 */
void rdmablk_mark_end(struct rdmablk_queue *queue,
		      const struct rdmablk_mark *mark, bool posted)
{
	struct rdmablk_dirty *dirty = &queue->session->dirty;
	unsigned long *marks;
	u32 chunk;

	if (!mark->needed)
		return;
	marks = rdmablk_maps_marks(&dirty->maps, queue->index, mark->epoch);
	if (posted)
		WRITE_ONCE(dirty->marked[mark->epoch], true);
	/* Behind posting. Pairs with the barrier in rdmablk_mark_begin(). */
	smp_mb__before_atomic();
	for (chunk = mark->first; posted && chunk <= mark->last; chunk++)
		set_bit(chunk, marks);
	rdmablk_track_leave(queue, mark->epoch);
}

/* ---- Cleaning ------------------------------------------------------------ */

/**
 * rdmablk_track_turn() - have writes mark in the other epoch from now on
 * @session: its books are open, and the other epoch's map is clear
 *
 * Context: the flush, one at a time.
 * Return: the epoch that ended.
 */
unsigned int rdmablk_track_turn(struct rdmablk_session *session)
{
	unsigned int old = session->dirty.epoch;

	/* Behind forgetting the marks that it had the last time. */
	smp_store_release(&session->dirty.epoch, !old);
	/* Step 1 before step 2; see the top. */
	smp_mb();
	return old;
}

static bool rdmablk_track_quiet(const struct rdmablk_session *session,
				unsigned int epoch)
{
	u32 i;

	for (i = 0; i < session->opts->nr_queues; i++)
		if (atomic_read(&session->queues[i].writes[epoch]))
			return false;
	return true;
}

/**
 * rdmablk_track_drain() - wait for the writes of an epoch that has ended
 * @session: up
 * @epoch: the epoch
 *
 * Context: process.
 * Return: 0; -ECONNRESET or -ECANCELED when the path broke before.
 */
int rdmablk_track_drain(struct rdmablk_session *session, unsigned int epoch)
{
	const struct rdmablk_conn *conn = &session->ctrl.conn;
	int err;

	do {
		err = rdmablk_wait_event(&session->wait,
					 rdmablk_track_quiet(session, epoch) ||
					 !rdmablk_conn_established(conn),
					 rdmablk_poll_session(session));
	} while (err == -ETIMEDOUT);
	if (err)
		return err;
	return rdmablk_conn_established(conn) ? 0 : -ECONNRESET;
}

/**
 * rdmablk_track_reset() - a new session begins, with clear coarse maps
 * @session: granted; no request is under way
 *
 * Context: process.
 */
void rdmablk_track_reset(struct rdmablk_session *session)
{
	struct rdmablk_dirty *dirty = &session->dirty;
	unsigned int epoch;

	if (!rdmablk_dirty_is_open(dirty))
		return;
	dirty->epoch = 0;
	dirty->cleaning = false;
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		rdmablk_dirty_forget_marks(dirty, epoch);
}
