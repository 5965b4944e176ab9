/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The maps of a device whose target has a write cache: which blocks were written
 * since the last flush (the fine map), which of them a flush has taken out, and
 * which chunks a data queue has marked in the target's coarse maps. Only bits in
 * memory that others allocate, no locks; unit-tested in user space.
 */
#ifndef RDMABLK_MAPS_H
#define RDMABLK_MAPS_H

#include <linux/bitops.h>
#include <linux/types.h>

#include "uapi/rdmablk_proto.h"

/* A bit of the fine map stands for so many bytes: a block. */
#define RDMABLK_DIRTY_SHIFT	12

/* Words of the fine map that a bit of its second level stands for. */
#define RDMABLK_GROUP_WORDS	8
#define RDMABLK_GROUP_BITS	(RDMABLK_GROUP_WORDS * BITS_PER_LONG)

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
 * struct rdmablk_maps - the maps
 * @size: of the export, bytes; what they have room for may be more
 * @nr_groups: groups of words in each of the fine and the taken map
 * @fine: written since it was taken
 * @taken: what a flush is making durable; only the flush touches it
 * @chunk_shift: log2 of the bytes of a chunk
 * @nr_chunks: bits of a map of marks
 * @nr_queues: data queues that mark
 * @marks: chunks that a data queue has marked, a map for each queue and epoch
 */
struct rdmablk_maps {
	u64 size;
	unsigned long nr_groups;
	struct rdmablk_bits fine;
	struct rdmablk_bits taken;
	u32 chunk_shift;
	u32 nr_chunks;
	u32 nr_queues;
	unsigned long *marks;
};

bool rdmablk_maps_measure(struct rdmablk_maps *maps, u64 size, u32 chunk_shift,
			  u32 nr_queues);
bool rdmablk_maps_have_room(const struct rdmablk_maps *maps, u64 size);
size_t rdmablk_maps_marks_size(const struct rdmablk_maps *maps);
u64 rdmablk_maps_memory(const struct rdmablk_maps *maps);
void rdmablk_maps_copy_fine(struct rdmablk_maps *to,
			    const struct rdmablk_maps *from);

void rdmablk_maps_note(struct rdmablk_maps *maps, u64 offset, u64 length);
void rdmablk_maps_take(struct rdmablk_maps *maps, u64 offset, u64 length);
bool rdmablk_maps_next(const struct rdmablk_maps *maps, u64 *offset,
		       u64 *length);
void rdmablk_maps_drop_taken(struct rdmablk_maps *maps);
void rdmablk_maps_put_back(struct rdmablk_maps *maps);
u64 rdmablk_maps_bytes(const struct rdmablk_maps *maps);

unsigned long *rdmablk_maps_marks(const struct rdmablk_maps *maps, u32 queue,
				  unsigned int epoch);
void rdmablk_maps_forget_marks(struct rdmablk_maps *maps, unsigned int epoch);

#endif /* RDMABLK_MAPS_H */
