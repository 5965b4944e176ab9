// SPDX-License-Identifier: GPL-2.0
/*
 * One pass of the write-back, a state machine that the ring's completions
 * drive:
 *
 *	PUNCH -> WRITE -> SYNC -> IDLE
 *
 * A phase begins when all operations of the one before have ended, so that what
 * is written is not punched. After an error nothing more is begun, and the pass
 * ends when what is in flight has. Before and after, the backing is looked at:
 * writes to a file that was deleted or truncated succeed, but do not help.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "macros.h"
#include "round.h"

#define WRITE_BLOCKS	(((uint64_t)1 << 20) >> BLOCK_SHIFT)
#define PUNCH_BLOCKS	(((uint64_t)1 << 30) >> BLOCK_SHIFT)

static void end(struct round *round)
{
	if (!round->err)
		round->err = backing_check(round->backing, &round->why);
	round->phase = ROUND_IDLE;
	round->done(round, round->err);
}

/* The next operation of a phase that walks through @map. */
static bool start_next(struct round *round, enum ring_op op,
		       const struct blockmap *map, uint64_t max)
{
	uint64_t first, count, offset, cursor = round->cursor;

	if (!blockmap_next(map, &cursor, max, &first, &count))
		return false;
	offset = first << BLOCK_SHIFT;
	if (!ring_start(&round->ring, op, offset,
			MIN(count << BLOCK_SHIFT, round->size - offset)))
		return false;
	round->cursor = cursor;
	return true;
}

static bool start_sync(struct round *round)
{
	if (!round->total || round->cursor)
		return false;
	round->cursor = 1;
	return ring_start(&round->ring, RING_SYNC, 0, 0);
}

/* Begins an operation, if there is one and room for it. */
static bool start(struct round *round)
{
	switch (round->phase) {
	case ROUND_PUNCH:
		return start_next(round, RING_PUNCH, &round->punch,
				  PUNCH_BLOCKS);
	case ROUND_WRITE:
		return start_next(round, RING_WRITE, &round->write,
				  WRITE_BLOCKS);
	default:
		return start_sync(round);
	}
}

static void advance(struct round *round)
{
	for (;;) {
		while (!round->err && start(round))
			;
		if (round->ring.nr_busy)
			return;
		if (round->err || round->phase == ROUND_SYNC)
			break;
		round->phase++;
		round->cursor = 0;
	}
	end(round);
}

static void fail(struct round *round, const struct ring_io *io, int err)
{
	static const char *const verbs[] = {
		[RING_WRITE]	= "write",
		[RING_PUNCH]	= "free",
	};
	const char *path = round->backing->path;

	if (round->err)
		return;
	round->err = err;
	if (io->op == RING_SYNC)
		reason_set(&round->why, err, "cannot make what was written to %s durable: %s",
			   path, strerror(-err));
	else
		reason_set(&round->why, err, "cannot %s %" PRIu64
			   " bytes at %" PRIu64 " of %s: %s", verbs[io->op],
			   io->length, io->offset, path, strerror(-err));
	if (err == -ENOSPC || err == -EDQUOT)
		reason_hint(&round->why, "free space there, then 'rbdctl export retry'");
	else
		reason_hint(&round->why, "see to it, then 'rbdctl export retry'");
}

/* What cannot be punched is written: its memory is zero, or newer. */
static void give_up_punching(struct round *round)
{
	round->no_punch = true;
	blockmap_move(&round->write, &round->punch);
}

static void io_done(struct ring *ring, const struct ring_io *io, int err)
{
	struct round *round = container_of(ring, struct round, ring);

	if (io->op == RING_PUNCH && err == -EOPNOTSUPP)
		give_up_punching(round);
	else if (err)
		fail(round, io, err);
	else if (io->op == RING_PUNCH)
		round->punched += io->length;
	else
		round->written += io->done;
}

static void ring_turn(struct ring *ring)
{
	struct round *round = container_of(ring, struct round, ring);

	if (round->phase != ROUND_IDLE)
		advance(round);
	ring_submit(ring);
}

/**
 * round_begin() - begin a pass
 * @round: idle, with what to write and to punch filled in
 *
 * Calls @round->done() before it returns if there is nothing to do.
 */
void round_begin(struct round *round)
{
	blockmap_subtract(&round->punch, &round->write);
	round->total = (blockmap_count(&round->write) +
			blockmap_count(&round->punch)) << BLOCK_SHIFT;
	round->written = 0;
	round->punched = 0;
	round->cursor = 0;
	round->phase = ROUND_PUNCH;
	if (round->no_punch)
		give_up_punching(round);
	round->err = backing_check(round->backing, &round->why);
	advance(round);
	ring_submit(&round->ring);
}

static const struct ring_ops ring_ops = {
	.done	= io_done,
	.turn	= ring_turn,
};

/**
 * round_open() - get ready for passes
 * @round: filled in, but for @done
 * @event: the event loop
 * @backing: where to; outlives the round
 * @map: memory of the export
 * @size: of the export, bytes
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int round_open(struct round *round, sd_event *event,
	       const struct backing *backing, const void *map, uint64_t size,
	       struct reason *why)
{
	int err;

	*round = (struct round){ .backing = backing, .size = size };
	if (blockmap_init(&round->write, size) ||
	    blockmap_init(&round->punch, size))
		err = reason_set(why, -ENOMEM, "out of memory");
	else
		err = ring_open(&round->ring, &ring_ops, event, backing->fd,
				map, why);
	if (!err)
		return 0;
	blockmap_free(&round->write);
	blockmap_free(&round->punch);
	return err;
}

/**
 * round_close() - no more passes
 * @round: idle
 */
void round_close(struct round *round)
{
	ring_close(&round->ring);
	blockmap_free(&round->write);
	blockmap_free(&round->punch);
}
