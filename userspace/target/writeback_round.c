// SPDX-License-Identifier: GPL-2.0
/*
 * What the rounds of the write-back do, of which there is one at a time:
 *
 * - a FUA's, which writes what was named, alone;
 * - a flush's, which serves all flushes that wait: it punches and writes what
 *   they know of, and all orphans;
 * - when nobody waits, one that writes a few orphans.
 *
 * A block that a round writes leaves the set of those to be punched, and one
 * that is unmapped while a round is under way is a matter of the next one. So
 * no round punches what an earlier one has written. What is in the memory is
 * always right to be written, however often.
 *
 * When a round fails, all of its chunks become orphans, and the error is kept:
 * nothing is written any more, and all requests fail, until one to try again
 * succeeds. No chunk stops being an orphan before it is durable.
 */
#include <errno.h>
#include <time.h>

#include "backing_restore.h"
#include "bucket.h"
#include "clock.h"
#include "log.h"
#include "macros.h"
#include "size.h"
#include "writeback_round.h"

/* A flush that comes meanwhile waits for so much: some tens of milliseconds. */
#define ORPHANS_AT_ONCE	8U

/* ---- What a round does --------------------------------------------------- */

static void gather_orphans(struct writeback *wb, uint32_t max)
{
	uint64_t offset, length;
	uint32_t cursor = 0;

	while (dirty_take(&wb->dirty, &cursor, max, &offset, &length)) {
		blockmap_add(&wb->round.write, offset >> BLOCK_SHIFT,
			     (length + BLOCK_BYTES - 1) >> BLOCK_SHIFT);
		if (max != UINT32_MAX)
			break;
	}
}

/* All that is dirty, for all requests that want just that. */
static void gather_flush(struct writeback *wb)
{
	struct writeback_request *request, *next;

	TAILQ_FOREACH_SAFE(request, &wb->waiting, entry, next) {
		if (request->kind == WRITEBACK_FUA)
			continue;
		if (request->named)
			blockmap_move(&wb->round.write, &wb->named);
		writeback_enqueue(&wb->served, request);
	}
	blockmap_move(&wb->round.write, &wb->edges);
	gather_orphans(wb, UINT32_MAX);
	blockmap_subtract(&wb->punch, &wb->round.write);
	blockmap_move(&wb->round.punch, &wb->punch);
}

static void gather_fua(struct writeback *wb, struct writeback_request *request)
{
	writeback_enqueue(&wb->served, request);
	blockmap_move(&wb->round.write, &wb->named);
	blockmap_subtract(&wb->punch, &wb->round.write);
}

static void gather_some(struct writeback *wb)
{
	gather_orphans(wb, ORPHANS_AT_ONCE);
	blockmap_subtract(&wb->punch, &wb->round.write);
}

/* Of one that is to be read only nobody has anything that it lacks. */
static void orphan_all(struct writeback *wb)
{
	if (!wb->backing->read_only)
		dirty_orphan(&wb->dirty, 0, wb->dirty.size);
}

/*
 * Only a file that is known to have been truncated gets its size again: all of
 * it is dirty by then, and will be written. One whose loss was not seen yet fails
 * this round, too, and counts as known then.
 */
static void restore(struct writeback *wb)
{
	struct reason why;

	if (wb->error.err == -ESTALE && backing_restore(wb->backing, &why))
		log_error("export %s: %s", wb->name, why.message);
}

/**
 * writeback_next_round() - begin a round, if there is none and one is needed
 * @wb: the write-back
 */
void writeback_next_round(struct writeback *wb)
{
	struct writeback_request *head = TAILQ_FIRST(&wb->waiting);

	if (wb->round.phase != ROUND_IDLE)
		return;
	if (!head && (wb->error.err || !dirty_has_orphans(&wb->dirty)))
		return;
	if (head && head->kind == WRITEBACK_RETRY)
		restore(wb);
	if (!head)
		gather_some(wb);
	else if (head->kind == WRITEBACK_FUA)
		gather_fua(wb, head);
	else
		gather_flush(wb);
	round_begin(&wb->round);
}

/* ---- How a round ends ---------------------------------------------------- */

static void orphan_blocks(struct writeback *wb, const struct blockmap *map)
{
	uint64_t cursor = 0, first, count, offset;

	while (blockmap_next(map, &cursor, UINT64_MAX, &first, &count)) {
		offset = first << BLOCK_SHIFT;
		dirty_orphan(&wb->dirty, offset,
			     MIN(count << BLOCK_SHIFT,
				 wb->dirty.size - offset));
	}
}

static void latch(struct writeback *wb, int err)
{
	const struct reason *why = &wb->round.why;

	log_error("export %s: %s", wb->name, why->message);
	log_notice("export %s: flushes fail until 'rbdctl export retry %s' succeeds",
		   wb->name, wb->name);
	if (!wb->error.err)
		wb->error.since = time(NULL);
	wb->error.err = err;
	wb->error.why = *why;
}

static void round_failed(struct writeback *wb, int err)
{
	struct writeback_request *request, *next;
	struct reason why;

	orphan_blocks(wb, &wb->round.write);
	orphan_blocks(wb, &wb->round.punch);
	dirty_settle(&wb->dirty, false);
	/*
	 * A file that was cut short or deleted has lost what was durable, even
	 * if it was something else that failed first.
	 */
	if (err == -ESTALE || err == -ENOENT ||
	    backing_check(wb->backing, &why))
		orphan_all(wb);
	latch(wb, err);
	TAILQ_FOREACH_SAFE(request, &wb->waiting, entry, next) {
		if (request->kind == WRITEBACK_RETRY)
			continue;
		if (request->named)
			writeback_forget(wb);
		writeback_end(wb, request, err);
	}
}

static void count_flush(struct writeback *wb,
			const struct writeback_request *request)
{
	struct writeback_stats *stats = &wb->stats;

	stats->flushes++;
	stats->last_us = clock_now_us();
	stats->last_took_us = stats->last_us - request->since_us;
	stats->took_us += stats->last_took_us;
	stats->took.buckets[rdmablk_bucket(stats->last_took_us * 1000)]++;
	stats->last_bytes = wb->round.written + wb->round.punched;
}

static void round_succeeded(struct writeback *wb)
{
	struct writeback_request *request;
	char size[SIZE_TEXT_MAX];

	dirty_settle(&wb->dirty, true);
	if (wb->error.err)
		log_notice("export %s: written again: flushes succeed from now on",
			   wb->name);
	wb->error.err = 0;
	TAILQ_FOREACH(request, &wb->served, entry)
		if (request->kind != WRITEBACK_RETRY)
			count_flush(wb, request);
	if (TAILQ_EMPTY(&wb->served))
		wb->adopted += wb->round.written;
	if (wb->adopted && !dirty_has_orphans(&wb->dirty)) {
		log_limited(&wb->log, LOG_INFO,
			    "export %s: %s that ended sessions left are written back",
			    wb->name, size_text(wb->adopted, size));
		wb->adopted = 0;
	}
}

/**
 * writeback_round_done() - a round has ended
 * @round: of a write-back
 * @err: 0 or a negative errno
 */
void writeback_round_done(struct round *round, int err)
{
	struct writeback *wb = container_of(round, struct writeback, round);
	struct writeback_request *request;

	wb->stats.written += round->written;
	wb->stats.punched += round->punched;
	if (err) {
		wb->stats.failures++;
		round_failed(wb, err);
	} else {
		wb->stats.rounds++;
		round_succeeded(wb);
	}
	blockmap_clear(&round->write);
	blockmap_clear(&round->punch);
	while ((request = TAILQ_FIRST(&wb->served)))
		writeback_end(wb, request, err);
	writeback_next_round(wb);
}
