// SPDX-License-Identifier: GPL-2.0
/*
 * The coarse maps and the map of orphans. See dirty.h.
 *
 * An orphan is taken when a round begins to write it back, and given up when
 * the round has made it durable, unless it became an orphan again meanwhile:
 * what was stored after the round read the memory is not in it. Whoever finds
 * the maps after a kill settles first: what was taken then is not durable.
 */
#include <stdatomic.h>
#include <string.h>

#include "dirty.h"
#include "macros.h"

enum { CLEAN = 0, ORPHAN = 1, TAKEN = 2 };

static uint32_t chunk_of(const struct dirty *dirty, uint64_t offset)
{
	return (uint32_t)(offset >> dirty->chunk_shift);
}

static void fill(const struct dirty *dirty, uint8_t *map, uint64_t offset,
		 uint64_t length)
{
	uint32_t first = chunk_of(dirty, offset);

	memset(map + first, ORPHAN,
	       chunk_of(dirty, offset + length - 1) - first + 1);
}

/* The first chunk from @chunk on that is not clean, or nr_chunks. */
static uint32_t find(const struct dirty *dirty, const uint8_t *map,
		     uint32_t chunk)
{
	uint64_t eight;

	while (chunk < dirty->nr_chunks) {
		if (dirty->nr_chunks - chunk >= sizeof(eight)) {
			memcpy(&eight, map + chunk, sizeof(eight));
			if (!eight) {
				chunk += sizeof(eight);
				continue;
			}
		}
		if (map[chunk])
			return chunk;
		chunk++;
	}
	return dirty->nr_chunks;
}

/* Bytes from the chunk @first to the chunk before @end. */
static uint64_t span(const struct dirty *dirty, uint32_t first, uint32_t end)
{
	uint64_t stop = (uint64_t)end << dirty->chunk_shift;

	return MIN(stop, dirty->size) - ((uint64_t)first << dirty->chunk_shift);
}

/**
 * dirty_mark() - say that a range is about to be changed
 * @dirty: the maps
 * @epoch: whose coarse map is marked
 * @offset: of the range, bytes
 * @length: bytes, not 0; within the export
 *
 * The mark is in memory before anything that the caller stores after this.
 */
void dirty_mark(struct dirty *dirty, unsigned int epoch, uint64_t offset,
		uint64_t length)
{
	fill(dirty, dirty->coarse[epoch], offset, length);
	atomic_thread_fence(memory_order_release);
}

/**
 * dirty_clear() - forget an epoch's marks
 * @dirty: the maps
 * @epoch: all that its map marks is durable, and its writer, who lives, marks
 *	   in the other one
 */
void dirty_clear(struct dirty *dirty, unsigned int epoch)
{
	memset(dirty->coarse[epoch], CLEAN, dirty->nr_chunks);
}

/**
 * dirty_fold() - a writer is gone: make orphans of what it marked
 * @dirty: the maps, to which no card writes any more
 */
void dirty_fold(struct dirty *dirty)
{
	const uint8_t *map;
	unsigned int epoch;
	uint32_t i;

	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++) {
		map = dirty->coarse[epoch];
		for (i = find(dirty, map, 0); i < dirty->nr_chunks;
		     i = find(dirty, map, i + 1))
			dirty->orphan[i] = ORPHAN;
	}
	/* A kill in between must find every chunk in one map at least. */
	atomic_thread_fence(memory_order_release);
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		dirty_clear(dirty, epoch);
}

/**
 * dirty_orphan() - have a range written back some time
 * @dirty: the maps
 * @offset: of the range, bytes
 * @length: bytes, not 0; within the export
 */
void dirty_orphan(struct dirty *dirty, uint64_t offset, uint64_t length)
{
	fill(dirty, dirty->orphan, offset, length);
}

/**
 * dirty_has_orphans() - is there anything to write back?
 * @dirty: the maps
 *
 * Return: true if there is; also when it has been taken already.
 */
bool dirty_has_orphans(const struct dirty *dirty)
{
	return find(dirty, dirty->orphan, 0) < dirty->nr_chunks;
}

/**
 * dirty_take() - take the next orphans, to write them back
 * @dirty: the maps
 * @cursor: chunk to look from; set to the one behind those taken
 * @max: most chunks
 * @offset: set to where the range begins, bytes
 * @length: set to its bytes
 *
 * Return: false: there are no more. dirty_settle() ends what this begins.
 */
bool dirty_take(struct dirty *dirty, uint32_t *cursor, uint32_t max,
		uint64_t *offset, uint64_t *length)
{
	uint32_t first = find(dirty, dirty->orphan, *cursor), end;

	if (first == dirty->nr_chunks)
		return false;
	for (end = first; end < dirty->nr_chunks && end - first < max &&
			  dirty->orphan[end]; end++)
		dirty->orphan[end] = TAKEN;
	*offset = (uint64_t)first << dirty->chunk_shift;
	*length = span(dirty, first, end);
	*cursor = end;
	return true;
}

/**
 * dirty_settle() - the orphans that were taken have been written back, or not
 * @dirty: the maps
 * @durable: they are orphans no more, but for those that became it again
 */
void dirty_settle(struct dirty *dirty, bool durable)
{
	uint32_t i;

	for (i = find(dirty, dirty->orphan, 0); i < dirty->nr_chunks;
	     i = find(dirty, dirty->orphan, i + 1))
		if (dirty->orphan[i] == TAKEN)
			dirty->orphan[i] = durable ? CLEAN : ORPHAN;
}

/**
 * dirty_bytes() - how much may be dirty?
 * @dirty: the maps
 *
 * Return: bytes of all chunks that any map names: at most so much is dirty.
 */
uint64_t dirty_bytes(const struct dirty *dirty)
{
	const volatile uint8_t *const maps[] = {
		dirty->coarse[0], dirty->coarse[1], dirty->orphan,
	};
	uint64_t bytes = 0;
	uint32_t i;

	for (i = 0; i < dirty->nr_chunks; i++)
		if (maps[0][i] || maps[1][i] || maps[2][i])
			bytes += span(dirty, i, i + 1);
	return bytes;
}
