/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The books of a device whose target has a write cache: which blocks were
 * written since the last flush (the fine map), and which chunks a data queue has
 * marked in the target's coarse maps. Only bits in memory: track.c, flush.c and
 * zero.c say what happens when.
 */
#ifndef RDMABLK_DIRTY_H
#define RDMABLK_DIRTY_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "uapi/rdmablk_proto.h"

/* A bit of the fine map stands for so many bytes. */
#define RDMABLK_DIRTY_SHIFT	12

/**
 * struct rdmablk_bits - bits of a large map, and which of its words have any
 * @words: the bits
 * @touched: a bit for each group of words; clear: none of them has a bit set
 */
struct rdmablk_bits {
	unsigned long *words;
	unsigned long *touched;
};

/**
 * struct rdmablk_dirty - the books
 * @life: held by who looks from outside, and while the maps are exchanged for
 *	  larger ones
 * @size: of the export, bytes; zero: there are no books
 * @nr_groups: groups of words in each of the maps
 * @fine: written since it was taken
 * @taken: what a flush is making durable; only the flush touches it
 * @chunk_shift: log2 of the bytes of a chunk
 * @nr_chunks: chunks of the export
 * @marks: chunks that a data queue has marked, a map for each queue and epoch
 * @epoch: in which writes mark
 * @marked: some queue has marked in that epoch
 * @cleaning: the other epoch's map at the target is not clear yet
 * @unmapped: bytes that the target has to unmap at the next flush
 */
struct rdmablk_dirty {
	struct mutex life;
	u64 size;
	unsigned long nr_groups;
	struct rdmablk_bits fine;
	struct rdmablk_bits taken;
	u32 chunk_shift;
	u32 nr_chunks;
	unsigned long *marks;
	unsigned int epoch;
	bool marked[RDMABLK_EPOCHS];
	bool cleaning;
	atomic64_t unmapped;
};

void rdmablk_dirty_setup(struct rdmablk_dirty *dirty);
int rdmablk_dirty_open(struct rdmablk_dirty *dirty, u64 size, u32 chunk_shift,
		       u32 nr_queues);
int rdmablk_dirty_grow(struct rdmablk_dirty *dirty, u64 size, u32 nr_queues);
void rdmablk_dirty_close(struct rdmablk_dirty *dirty);

/* There is something to keep books of. */
static inline bool rdmablk_dirty_is_open(const struct rdmablk_dirty *dirty)
{
	return dirty->size;
}

void rdmablk_dirty_note(struct rdmablk_dirty *dirty, u64 offset, u64 length);
void rdmablk_dirty_take(struct rdmablk_dirty *dirty, u64 offset, u64 length);
bool rdmablk_dirty_next(const struct rdmablk_dirty *dirty, u64 *offset,
			u64 *length);
void rdmablk_dirty_drop_taken(struct rdmablk_dirty *dirty);
void rdmablk_dirty_put_back(struct rdmablk_dirty *dirty);
u64 rdmablk_dirty_bytes(struct rdmablk_dirty *dirty);

unsigned long *rdmablk_dirty_marks(const struct rdmablk_dirty *dirty,
				   u32 queue, unsigned int epoch);
void rdmablk_dirty_forget_marks(struct rdmablk_dirty *dirty, u32 nr_queues,
				unsigned int epoch);

#endif /* RDMABLK_DIRTY_H */
