// SPDX-License-Identifier: GPL-2.0
/*
 * Write-back: who asks for what. Requests wait in a queue; what the rounds do
 * that serve them is in writeback_round.c. However a request ends, it is told
 * from the event loop, when nothing else is on the stack.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "writeback.h"
#include "writeback_round.h"

/* ---- Requests ------------------------------------------------------------ */

/**
 * writeback_enqueue() - put a request into a queue
 * @queue: of its write-back
 * @request: in another queue, or in none
 */
void writeback_enqueue(struct writeback_queue *queue,
		       struct writeback_request *request)
{
	if (request->queue)
		TAILQ_REMOVE(request->queue, request, entry);
	TAILQ_INSERT_TAIL(queue, request, entry);
	request->queue = queue;
}

/**
 * writeback_end() - a request has ended: its @done is called some time later
 * @wb: the write-back
 * @request: of it
 * @err: 0 or a negative errno
 */
void writeback_end(struct writeback *wb, struct writeback_request *request,
		   int err)
{
	request->err = err;
	writeback_enqueue(&wb->ended, request);
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
	writeback_next_round(wb);
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
		writeback_end(wb, request, wb->error.err);
		return;
	}
	writeback_enqueue(&wb->waiting, request);
	writeback_next_round(wb);
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
	wb->round.done = writeback_round_done;
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
