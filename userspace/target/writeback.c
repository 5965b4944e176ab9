// SPDX-License-Identifier: GPL-2.0
/*
 * Write-back. Requests wait in a queue, and there is one round at a time:
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
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backing_restore.h"
#include "clock.h"
#include "log.h"
#include "macros.h"
#include "size.h"
#include "writeback.h"

/* A flush that comes meanwhile waits for so much: some tens of milliseconds. */
#define ORPHANS_AT_ONCE	8U

/* ---- Requests ------------------------------------------------------------ */

static void enqueue(struct writeback_queue *queue,
		    struct writeback_request *request)
{
	if (request->queue)
		TAILQ_REMOVE(request->queue, request, entry);
	TAILQ_INSERT_TAIL(queue, request, entry);
	request->queue = queue;
}

static void end_request(struct writeback *wb,
			struct writeback_request *request, int err)
{
	request->err = err;
	enqueue(&wb->ended, request);
	if (sd_event_source_set_enabled(wb->delivery, SD_EVENT_ON) < 0)
		abort();
}

/* One at a time: who is told may free everything. */
static int deliver(sd_event_source *source, void *data)
{
	struct writeback *wb = data;
	struct writeback_request *request = TAILQ_FIRST(&wb->ended);

	if (request) {
		TAILQ_REMOVE(&wb->ended, request, entry);
		request->queue = NULL;
	}
	if (TAILQ_EMPTY(&wb->ended) &&
	    sd_event_source_set_enabled(source, SD_EVENT_OFF) < 0)
		abort();
	if (request)
		request->done(request, request->err);
	return 0;
}

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
		enqueue(&wb->served, request);
	}
	blockmap_move(&wb->round.write, &wb->edges);
	gather_orphans(wb, UINT32_MAX);
	blockmap_subtract(&wb->punch, &wb->round.write);
	blockmap_move(&wb->round.punch, &wb->punch);
}

static void gather_fua(struct writeback *wb, struct writeback_request *request)
{
	enqueue(&wb->served, request);
	blockmap_move(&wb->round.write, &wb->named);
	blockmap_subtract(&wb->punch, &wb->round.write);
}

static void gather_some(struct writeback *wb)
{
	gather_orphans(wb, ORPHANS_AT_ONCE);
	blockmap_subtract(&wb->punch, &wb->round.write);
}

/* After an error that truncated the file, all of it is to be written. */
static void restore(struct writeback *wb)
{
	struct reason why;

	if (backing_restore(wb->backing, &why))
		log_error("export %s: %s", wb->name, why.message);
}

static void next_round(struct writeback *wb)
{
	struct writeback_request *head = TAILQ_FIRST(&wb->waiting);

	if (wb->round.phase != ROUND_IDLE)
		return;
	if (!head && (wb->error.err || !dirty_has_orphans(&wb->dirty)))
		return;
	if (!head)
		gather_some(wb);
	else if (head->kind == WRITEBACK_FUA)
		gather_fua(wb, head);
	else
		gather_flush(wb);
	if (head && head->kind == WRITEBACK_RETRY)
		restore(wb);
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

	orphan_blocks(wb, &wb->round.write);
	orphan_blocks(wb, &wb->round.punch);
	dirty_settle(&wb->dirty, false);
	/* A file that was cut short or deleted has lost what was durable. */
	if (err == -ESTALE || err == -ENOENT)
		dirty_orphan(&wb->dirty, 0, wb->dirty.size);
	latch(wb, err);
	TAILQ_FOREACH_SAFE(request, &wb->waiting, entry, next) {
		if (request->kind == WRITEBACK_RETRY)
			continue;
		if (request->named)
			writeback_forget(wb);
		end_request(wb, request, err);
	}
}

static void count_flush(struct writeback *wb,
			const struct writeback_request *request)
{
	struct writeback_stats *stats = &wb->stats;

	stats->flushes++;
	stats->last_us = clock_now_us();
	stats->last_took_us = stats->last_us - request->since_us;
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
		log_info("export %s: %s that ended sessions left are written back",
			 wb->name, size_text(wb->adopted, size));
		wb->adopted = 0;
	}
}

static void round_done(struct round *round, int err)
{
	struct writeback *wb = container_of(round, struct writeback, round);
	struct writeback_request *request;

	wb->stats.written += round->written;
	wb->stats.punched += round->punched;
	if (err)
		round_failed(wb, err);
	else
		round_succeeded(wb);
	blockmap_clear(&round->write);
	blockmap_clear(&round->punch);
	while ((request = TAILQ_FIRST(&wb->served)))
		end_request(wb, request, err);
	next_round(wb);
}

/* ---- What others ask for ------------------------------------------------- */

/**
 * writeback_name() - the writer names a range for its next flush
 * @wb: the write-back
 * @offset: of the range, bytes
 * @length: bytes, not 0; within the export
 */
void writeback_name(struct writeback *wb, uint64_t offset, uint64_t length)
{
	uint64_t first = offset >> BLOCK_SHIFT;

	wb->stats.named += length;
	blockmap_add(&wb->named, first,
		     ((offset + length - 1) >> BLOCK_SHIFT) - first + 1);
}

/**
 * writeback_forget() - forget what the writer named and did not flush
 * @wb: the write-back
 */
void writeback_forget(struct writeback *wb)
{
	blockmap_clear(&wb->named);
}

/**
 * writeback_unmap() - the backing may give up the space of a range
 * @wb: the write-back
 * @offset: of the range, which is marked as dirty, and zero in memory; bytes
 * @length: bytes, not 0; within the export
 */
void writeback_unmap(struct writeback *wb, uint64_t offset, uint64_t length)
{
	uint64_t end = offset + length, first, stop;

	first = (offset + BLOCK_BYTES - 1) >> BLOCK_SHIFT;
	stop = end >> BLOCK_SHIFT;
	if (first < stop)
		blockmap_add(&wb->punch, first, stop - first);
	if (offset % BLOCK_BYTES)
		blockmap_add(&wb->edges, offset >> BLOCK_SHIFT, 1);
	if (end % BLOCK_BYTES)
		blockmap_add(&wb->edges, end >> BLOCK_SHIFT, 1);
}

/**
 * writeback_adopt() - a writer is gone: see to what it may have written
 * @wb: the write-back; no card writes to the export and its maps
 *
 * Also when an export gets ready, for what was found in its staging.
 */
void writeback_adopt(struct writeback *wb)
{
	dirty_fold(&wb->dirty);
	next_round(wb);
}

/**
 * writeback_submit() - ask for durability
 * @wb: the write-back
 * @request: asks for nothing yet, with @done set, which is called later
 * @kind: of what
 * @named: what was named since the last time is part of it
 */
void writeback_submit(struct writeback *wb, struct writeback_request *request,
		      enum writeback_kind kind, bool named)
{
	request->kind = kind;
	request->named = named;
	request->since_us = clock_now_us();
	request->queue = NULL;
	if (wb->error.err && kind != WRITEBACK_RETRY) {
		if (named)
			writeback_forget(wb);
		end_request(wb, request, wb->error.err);
		return;
	}
	enqueue(&wb->waiting, request);
	next_round(wb);
}

/**
 * writeback_cancel() - wait for durability no longer
 * @wb: the write-back
 * @request: waits or not; its @done is not called any more
 *
 * A round that serves it goes on.
 */
void writeback_cancel(struct writeback *wb, struct writeback_request *request)
{
	if (!request->queue)
		return;
	if (request->named && request->queue == &wb->waiting)
		writeback_forget(wb);
	TAILQ_REMOVE(request->queue, request, entry);
	request->queue = NULL;
}

/**
 * writeback_progress() - how far has the round come?
 * @wb: the write-back
 * @total: set to the bytes that it has to do; 0: there is none
 *
 * Return: bytes done.
 */
uint64_t writeback_progress(const struct writeback *wb, uint64_t *total)
{
	const struct round *round = &wb->round;

	*total = round->phase == ROUND_IDLE ? 0 : round->total;
	return *total ? round->written + round->punched : 0;
}

/* ---- Life ---------------------------------------------------------------- */

static int open_maps(struct writeback *wb, struct reason *why)
{
	uint64_t size = wb->dirty.size;

	if (!blockmap_init(&wb->named, size) &&
	    !blockmap_init(&wb->edges, size) &&
	    !blockmap_init(&wb->punch, size))
		return 0;
	return reason_set(why, -ENOMEM, "out of memory");
}

static int open_delivery(struct writeback *wb, sd_event *event,
			 struct reason *why)
{
	int err = sd_event_add_defer(event, &wb->delivery, deliver, wb);

	if (err >= 0)
		err = sd_event_source_set_enabled(wb->delivery, SD_EVENT_OFF);
	return err < 0 ? reason_set(why, err, "event loop: %s",
				    strerror(-err)) : 0;
}

static void free_parts(struct writeback *wb)
{
	sd_event_source_disable_unref(wb->delivery);
	blockmap_free(&wb->named);
	blockmap_free(&wb->edges);
	blockmap_free(&wb->punch);
	free(wb);
}

/**
 * writeback_new() - get ready to write back
 * @out: set to the write-back
 * @event: the event loop
 * @name: of the export; outlives the write-back
 * @backing: where to; likewise
 * @dirty: the maps, in the staging file
 * @map: memory of the export
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int writeback_new(struct writeback **out, sd_event *event, const char *name,
		  struct backing *backing, const struct dirty *dirty,
		  const void *map, struct reason *why)
{
	struct writeback *wb = calloc(1, sizeof(*wb));
	int err;

	if (!wb)
		return reason_set(why, -ENOMEM, "out of memory");
	wb->name = name;
	wb->backing = backing;
	wb->dirty = *dirty;
	TAILQ_INIT(&wb->waiting);
	TAILQ_INIT(&wb->served);
	TAILQ_INIT(&wb->ended);
	err = open_maps(wb, why);
	if (!err)
		err = open_delivery(wb, event, why);
	if (!err)
		err = round_open(&wb->round, event, backing, map, dirty->size,
				 why);
	if (err) {
		free_parts(wb);
		return err;
	}
	wb->round.done = round_done;
	/* What a daemon that was killed had taken is not durable. */
	dirty_settle(&wb->dirty, false);
	*out = wb;
	return 0;
}

/**
 * writeback_free() - write back no more
 * @wb: no round is under way and nobody waits; NULL is fine
 */
void writeback_free(struct writeback *wb)
{
	if (!wb)
		return;
	round_close(&wb->round);
	free_parts(wb);
}
