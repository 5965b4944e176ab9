// SPDX-License-Identifier: GPL-2.0
/*
 * The books of a device whose target has a write cache. See dirty.h.
 */
#include <linux/mm.h>

#include "dirty.h"

/*
 * The size is the target's word, and a failure is reported with its reason: no
 * warning of the allocator's.
 */
#define DIRTY_GFP	(GFP_KERNEL | __GFP_NOWARN)

static int rdmablk_bits_alloc(struct rdmablk_bits *bits, unsigned long nr_groups)
{
	bits->words = kvcalloc(nr_groups, RDMABLK_GROUP_WORDS * sizeof(long),
			       DIRTY_GFP);
	bits->touched = kvcalloc(BITS_TO_LONGS(nr_groups), sizeof(long),
				 DIRTY_GFP);
	return bits->words && bits->touched ? 0 : -ENOMEM;
}

static void rdmablk_bits_free(struct rdmablk_bits *bits)
{
	kvfree(bits->words);
	kvfree(bits->touched);
}

static void rdmablk_maps_free(struct rdmablk_maps *maps)
{
	kvfree(maps->marks);
	rdmablk_bits_free(&maps->fine);
	rdmablk_bits_free(&maps->taken);
	memset(maps, 0, sizeof(*maps));
}

/* Nobody, for all that they claim to have, takes more than that of a host. */
static bool rdmablk_maps_are_bearable(const struct rdmablk_maps *maps)
{
	return rdmablk_maps_memory(maps) >> PAGE_SHIFT <= totalram_pages() / 4;
}

/* @maps: zeroed; and again after a failure. */
static int rdmablk_maps_alloc(struct rdmablk_maps *maps, u64 size,
			      u32 chunk_shift, u32 nr_queues)
{
	if (!rdmablk_maps_measure(maps, size, chunk_shift, nr_queues) ||
	    !rdmablk_maps_are_bearable(maps)) {
		memset(maps, 0, sizeof(*maps));
		return -ENOMEM;
	}
	maps->marks = kvcalloc(array_size(nr_queues, RDMABLK_EPOCHS),
			       rdmablk_maps_marks_size(maps), DIRTY_GFP);
	if (maps->marks && !rdmablk_bits_alloc(&maps->fine, maps->nr_groups) &&
	    !rdmablk_bits_alloc(&maps->taken, maps->nr_groups))
		return 0;
	rdmablk_maps_free(maps);
	return -ENOMEM;
}

/**
 * rdmablk_dirty_init() - initialise, once in a device's life
 * @dirty: zeroed; closed afterwards
 *
 * Context: any.
 */
void rdmablk_dirty_init(struct rdmablk_dirty *dirty)
{
	mutex_init(&dirty->life);
}

/* Empty maps, or larger ones with what was noted so far. */
static int rdmablk_dirty_exchange(struct rdmablk_dirty *dirty, u64 size,
				  u32 chunk_shift, u32 nr_queues)
{
	struct rdmablk_maps maps = { };

	if (rdmablk_maps_alloc(&maps, size, chunk_shift, nr_queues))
		return -ENOMEM;
	if (rdmablk_dirty_is_open(dirty))
		rdmablk_maps_copy_fine(&maps, &dirty->maps);
	mutex_lock(&dirty->life);
	swap(dirty->maps, maps);
	mutex_unlock(&dirty->life);
	rdmablk_maps_free(&maps);
	return 0;
}

/**
 * rdmablk_dirty_open() - open the books, empty
 * @dirty: closed
 * @size: of the export, bytes
 * @chunk_shift: log2 of the bytes of a chunk
 * @nr_queues: data queues that will mark
 *
 * Context: process.
 * Return: 0, or -ENOMEM; then they are not open.
 */
int rdmablk_dirty_open(struct rdmablk_dirty *dirty, u64 size, u32 chunk_shift,
		       u32 nr_queues)
{
	return rdmablk_dirty_exchange(dirty, size, chunk_shift, nr_queues);
}

/**
 * rdmablk_dirty_resize() - the export may have another size
 * @dirty: open; no request is under way, and nothing is taken
 * @size: of the export, bytes
 *
 * What was noted stays, beyond @size, too; marks are to be forgotten.
 *
 * Context: process.
 * Return: 0, or -ENOMEM; then nothing has changed.
 */
int rdmablk_dirty_resize(struct rdmablk_dirty *dirty, u64 size)
{
	if (!rdmablk_maps_have_room(&dirty->maps, size))
		return rdmablk_dirty_exchange(dirty, size,
					      dirty->maps.chunk_shift,
					      dirty->maps.nr_queues);
	mutex_lock(&dirty->life);
	dirty->maps.size = size;
	mutex_unlock(&dirty->life);
	return 0;
}

/**
 * rdmablk_dirty_close() - free the books
 * @dirty: open or closed
 *
 * Context: process; nobody looks any more.
 */
void rdmablk_dirty_close(struct rdmablk_dirty *dirty)
{
	rdmablk_maps_free(&dirty->maps);
}

/**
 * rdmablk_dirty_bytes() - how much was written since the last flush
 * @dirty: open or closed
 *
 * Context: process.
 * Return: bytes, in whole blocks of the maps; roughly, while writes and flushes
 * are under way.
 */
u64 rdmablk_dirty_bytes(struct rdmablk_dirty *dirty)
{
	u64 bytes = 0;

	mutex_lock(&dirty->life);
	if (rdmablk_dirty_is_open(dirty))
		bytes = rdmablk_maps_bytes(&dirty->maps);
	mutex_unlock(&dirty->life);
	return bytes + atomic64_read(&dirty->unmapped);
}

/**
 * rdmablk_dirty_forget_marks() - the target has cleared a coarse map
 * @dirty: open
 * @epoch: whose
 *
 * Context: no write that marks in this epoch is under way.
 */
void rdmablk_dirty_forget_marks(struct rdmablk_dirty *dirty,
				unsigned int epoch)
{
	rdmablk_maps_forget_marks(&dirty->maps, epoch);
	dirty->marked[epoch] = false;
}
