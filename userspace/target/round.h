/* SPDX-License-Identifier: GPL-2.0 */
/* One pass of the write-back: punch, write, make durable. */
#ifndef RDMABLKD_ROUND_H
#define RDMABLKD_ROUND_H

#include "backing.h"
#include "blockmap.h"
#include "ring.h"

enum round_phase {
	ROUND_IDLE,
	ROUND_PUNCH,
	ROUND_WRITE,
	ROUND_SYNC,
};

/**
 * struct round - one pass of the write-back
 * @ring: does the I/O
 * @backing: where to
 * @size: of the export, bytes
 * @write: blocks to be written from memory
 * @punch: blocks to be punched; those that are in both are written
 * @phase: what it is at
 * @cursor: where the phase has come to
 * @err: the first error; 0: none
 * @why: what it was
 * @total: bytes to be written and punched
 * @written: bytes that were written
 * @punched: bytes that were punched
 * @no_punch: the backing cannot punch
 * @done: told when the pass has ended, with 0 or @err; may begin another
 *
 * The user fills @write and @punch while the phase is ROUND_IDLE; both are as
 * they were, or all of it is in @write, when @done is called.
 */
struct round {
	struct ring		ring;
	const struct backing	*backing;
	uint64_t		size;
	struct blockmap		write;
	struct blockmap		punch;
	enum round_phase	phase;
	uint64_t		cursor;
	int			err;
	struct reason		why;
	uint64_t		total;
	uint64_t		written;
	uint64_t		punched;
	bool			no_punch;
	void (*done)(struct round *round, int err);
};

int round_open(struct round *round, sd_event *event,
	       const struct backing *backing, const void *map, uint64_t size,
	       struct reason *why);
void round_close(struct round *round);
void round_begin(struct round *round);

#endif /* RDMABLKD_ROUND_H */
