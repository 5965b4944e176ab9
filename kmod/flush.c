// SPDX-License-Identifier: GPL-2.0
/*
 * Making completed writes durable. See flush.h, and Documentation/design.rst,
 * "FLUSH".
 *
 * Normal operation: flush requests and FUA writes that have been written wait in
 * a list. A round takes all of it, takes the bits of what they need to be
 * durable out of the fine map, orders the writes into the target's memory,
 * sends the ranges, and ends the requests when the target has answered.
 * Meanwhile others gather for the next round.
 *
 * Failure: the bits go back into the fine map. If the path broke, the requests
 * are handed back to the block layer like all others that were in flight; the
 * target writes back by itself whatever the old session may have written, before
 * it answers a flush of the new one. If the target's store failed, they end with
 * an error.
 */
#include <linux/ktime.h>

#include "dev.h"
#include "io.h"
#include "track.h"

/* ---- Messages ------------------------------------------------------------ */

static int rdmablk_round_send(struct rdmablk_flush *flush, u8 flags,
			      struct rdmablk_reason *reason)
{
	struct rdmablk_session *session = flush->session;
	struct rdmablk_call *call = &session->ctrl.calls[RDMABLK_CALL_FLUSH];
	struct rdmablk_msg_flush *msg = &flush->round.msg;
	u32 count = le32_to_cpu(msg->count);
	int err;

	memset(&msg->hdr, 0, sizeof(msg->hdr));
	msg->hdr.type = cpu_to_le16(RDMABLK_MSG_FLUSH);
	msg->flags = flags;
	msg->epoch = flags & RDMABLK_FLUSH_CLEAN ? !session->dirty.epoch : 0;
	flush->round.asked = true;
	err = rdmablk_call(call, msg, struct_size(msg, range, count),
			   RDMABLK_NO_TIMEOUT, reason);
	msg->count = 0;
	flush->round.refused = err && rdmablk_call_store_failed(call);
	return err;
}

static void rdmablk_round_add(struct rdmablk_round *round, u64 offset,
			      u64 length)
{
	u32 count = le32_to_cpu(round->msg.count);

	round->msg.range[count].offset = cpu_to_le64(offset);
	round->msg.range[count].length = cpu_to_le64(length);
	round->msg.count = cpu_to_le32(count + 1);
}

/* Sends what was taken, in as many messages as it needs. */
static int rdmablk_flush_send(struct rdmablk_flush *flush,
			      struct rdmablk_reason *reason)
{
	struct rdmablk_round *round = &flush->round;
	u64 offset = 0, length;
	int err;

	while (rdmablk_maps_next(&flush->session->dirty.maps, &offset, &length)) {
		if (le32_to_cpu(round->msg.count) == RDMABLK_RANGES_PER_MSG) {
			err = rdmablk_round_send(flush, RDMABLK_FLUSH_MORE,
						 reason);
			if (err)
				return err;
		}
		rdmablk_round_add(round, offset, length);
		offset += length;
	}
	/* FUA writes that an earlier round has made durable. */
	if (round->flags == RDMABLK_FLUSH_FUA && !round->msg.count)
		return 0;
	return rdmablk_round_send(flush, round->flags, reason);
}

/* ---- Rounds -------------------------------------------------------------- */

/* Everything must be durable for any but a FUA write. */
static bool rdmablk_wants_all(struct rdmablk_io *io)
{
	return req_op(blk_mq_rq_from_pdu(io)) != REQ_OP_WRITE;
}

/* What waits, and what it asks for. False: nothing. */
static bool rdmablk_round_begin(struct rdmablk_flush *flush)
{
	const struct rdmablk_dirty *dirty = &flush->session->dirty;
	struct rdmablk_round *round = &flush->round;
	struct rdmablk_io *io;
	bool due;

	memset(round, 0, sizeof(*round));
	INIT_LIST_HEAD(&round->requests);
	rdmablk_backlog_take(&flush->backlog, &round->requests);

	due = test_and_clear_bit(0, &flush->clean_due);
	round->clean = due && (dirty->cleaning ||
			       READ_ONCE(dirty->marked[dirty->epoch]));
	round->all = round->clean || (due && !flush->settled);
	list_for_each_entry(io, &round->requests, list)
		round->all = round->all || rdmablk_wants_all(io);
	round->flags = round->clean ? RDMABLK_FLUSH_CLEAN :
		       round->all ? 0 : RDMABLK_FLUSH_FUA;
	return round->all || !list_empty(&round->requests);
}

static void rdmablk_round_take(struct rdmablk_flush *flush)
{
	struct rdmablk_maps *maps = &flush->session->dirty.maps;
	struct rdmablk_io *io;

	if (flush->round.all) {
		rdmablk_maps_take(maps, 0, maps->size);
		return;
	}
	list_for_each_entry(io, &flush->round.requests, list) {
		const struct request *rq = blk_mq_rq_from_pdu(io);

		rdmablk_maps_take(maps, rdmablk_rq_offset(rq),
				  blk_rq_bytes(rq));
	}
}

/* Nobody relies on the marks of the other epoch when it returns. */
static int rdmablk_flush_end_epoch(struct rdmablk_flush *flush)
{
	struct rdmablk_session *session = flush->session;

	/* A round before may have failed after its turn. */
	if (!session->dirty.cleaning) {
		rdmablk_track_turn(session);
		session->dirty.cleaning = true;
	}
	return rdmablk_track_drain(session, !session->dirty.epoch);
}

static int rdmablk_round_transfer(struct rdmablk_flush *flush,
				  struct rdmablk_reason *reason)
{
	int err = 0;

	if (flush->round.clean)
		err = rdmablk_flush_end_epoch(flush);
	if (!err) {
		/* Before the fences, so that these are behind what is taken. */
		rdmablk_round_take(flush);
		err = rdmablk_fence_wait(&flush->fence);
	}
	if (err)
		return rdmablk_reason_set(reason, err, "the path broke");
	return rdmablk_flush_send(flush, reason);
}

static int rdmablk_round_run(struct rdmablk_flush *flush,
			     struct rdmablk_reason *reason)
{
	struct rdmablk_dirty *dirty = &flush->session->dirty;
	s64 unmapped = atomic64_read(&dirty->unmapped);
	int err = rdmablk_round_transfer(flush, reason);

	if (err) {
		rdmablk_maps_put_back(&dirty->maps);
		return err;
	}
	rdmablk_maps_drop_taken(&dirty->maps);
	if (flush->round.all) {
		flush->settled = true;
		atomic64_sub(unmapped, &dirty->unmapped);
	}
	if (flush->round.clean) {
		rdmablk_dirty_forget_marks(dirty, !dirty->epoch);
		dirty->cleaning = false;
	}
	return 0;
}

/*
 * For who looks, and the log once for each new error. A round of FUA writes that
 * were durable already says nothing of an error that the target has latched.
 */
static void rdmablk_round_report(struct rdmablk_flush *flush, int err,
				 const struct rdmablk_reason *reason,
				 s64 took_us)
{
	bool news;

	if (!flush->round.asked)
		return;
	spin_lock_irq(&flush->lock);
	news = err && strcmp(flush->error.text, reason->text);
	flush->error = *reason;
	if (!err && flush->round.all) {
		flush->flushed_at = jiffies;
		flush->took_us = took_us;
		flush->rounds++;
	}
	spin_unlock_irq(&flush->lock);
	if (news)
		pr_err_ratelimited("%s: cannot flush: %s\n",
				   rdmablk_session_dev(flush->session)->name,
				   reason->text);
}

static void rdmablk_round_end(struct rdmablk_flush *flush, int err)
{
	struct rdmablk_io *io, *next;

	list_for_each_entry_safe(io, next, &flush->round.requests, list) {
		list_del(&io->list);
		if (err && !flush->round.refused)
			rdmablk_io_return(io);
		else if (err)
			rdmablk_io_fail(io, BLK_STS_IOERR);
		else
			rdmablk_io_end(io, BLK_STS_OK);
	}
}

static void rdmablk_flush_work(struct work_struct *work)
{
	struct rdmablk_flush *flush =
		container_of(work, struct rdmablk_flush, backlog.work);

	WRITE_ONCE(flush->busy, true);
	while (rdmablk_round_begin(flush)) {
		struct rdmablk_reason reason = { };
		ktime_t start = ktime_get();
		int err = rdmablk_round_run(flush, &reason);

		if (err && !flush->round.refused)
			rdmablk_session_lost(flush->session, err, reason.text);
		else
			rdmablk_round_report(flush, err, &reason,
					     ktime_us_delta(ktime_get(), start));
		rdmablk_round_end(flush, err);
	}
	WRITE_ONCE(flush->busy, false);
	wake_up_all(&flush->session->wait.head);
}

/* ---- Life ---------------------------------------------------------------- */

/**
 * rdmablk_flush_add() - make a request durable, and what completed before it
 * @flush: of a device with a write cache
 * @rq: a flush, or a FUA request whose blocks have been written and noted
 *
 * Context: any. The round that serves it ends it.
 */
void rdmablk_flush_add(struct rdmablk_flush *flush, struct request *rq)
{
	rdmablk_backlog_add(&flush->backlog, blk_mq_rq_to_pdu(rq));
}

static void rdmablk_flush_want_clean(struct rdmablk_flush *flush)
{
	set_bit(0, &flush->clean_due);
	rdmablk_backlog_kick(&flush->backlog);
}

static void rdmablk_clean_later(struct rdmablk_flush *flush)
{
	u32 interval = READ_ONCE(flush->session->opts->settings.sync_interval);

	if (interval)
		rdmablk_work_queue_slow_delayed(&flush->clean_work,
						interval * HZ);
}

static void rdmablk_clean_work(struct work_struct *work)
{
	struct rdmablk_flush *flush = container_of(to_delayed_work(work),
						   struct rdmablk_flush,
						   clean_work);

	rdmablk_flush_want_clean(flush);
	rdmablk_clean_later(flush);
}

/**
 * rdmablk_flush_init() - initialise, once in a device's life
 * @flush: zeroed
 * @session: the owner
 *
 * Context: any.
 */
void rdmablk_flush_init(struct rdmablk_flush *flush,
			struct rdmablk_session *session)
{
	flush->session = session;
	rdmablk_backlog_init(&flush->backlog, rdmablk_flush_work);
	rdmablk_fence_init(&flush->fence, session, RDMABLK_FENCE_FLUSH);
	spin_lock_init(&flush->lock);
	INIT_DELAYED_WORK(&flush->clean_work, rdmablk_clean_work);
}

/**
 * rdmablk_flush_start() - settle, and clean every sync_interval from now on
 * @flush: of a session that is up
 *
 * Settling is the first round of a device, and of a session that finds the target's
 * memory as it was: it makes durable what others, or the session before, have left, as
 * it must not be gone later once it was read.
 *
 * Context: any.
 */
void rdmablk_flush_start(struct rdmablk_flush *flush)
{
	if (!rdmablk_dirty_is_open(&flush->session->dirty))
		return;
	rdmablk_flush_want_clean(flush);
	rdmablk_clean_later(flush);
}

static bool rdmablk_flush_idle(const struct rdmablk_flush *flush)
{
	/* In this order: the work takes the one while it is the other. */
	return !test_bit_acquire(0, &flush->clean_due) &&
	       !READ_ONCE(flush->busy);
}

/**
 * rdmablk_flush_finish() - leave as little as possible to the target
 * @flush: of a session that is up and about to be closed; no request comes
 *
 * The target writes back by itself whatever is marked, but it does not know which
 * blocks are dirty, only which chunks may be. So this saves it work, and nothing
 * depends on it.
 *
 * Context: process; sleeps up to the connect time-out.
 */
void rdmablk_flush_finish(struct rdmablk_flush *flush)
{
	struct rdmablk_session *session = flush->session;

	if (!rdmablk_dirty_is_open(&session->dirty))
		return;
	rdmablk_flush_want_clean(flush);
	rdmablk_wait_event(&session->wait, rdmablk_flush_idle(flush),
			   session->opts->addr.timeout_ms);
}

/**
 * rdmablk_flush_stop() - no round runs when it returns
 * @flush: its session's data queues are drained, its calls end at once, and no
 *	   request comes any more
 *
 * Requests that waited have been handed back to the block layer.
 *
 * Context: process.
 */
void rdmablk_flush_stop(struct rdmablk_flush *flush)
{
	cancel_delayed_work_sync(&flush->clean_work);
	rdmablk_backlog_stop(&flush->backlog);
}
