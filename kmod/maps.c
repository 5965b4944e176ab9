// SPDX-License-Identifier: GPL-2.0
/*
 * The maps of a device whose target has a write cache. See maps.h.
 *
 * Both maps of blocks have a second level, so that a flush of a few blocks on a
 * large device does not look at every word: a group of words is one bit there.
 * Writers set bits at any time, one flush at a time takes them out:
 *
 *	writer				flush
 *	1. set bits in a word		1. clear the group's bit
 *	2. set the group's bit		2. exchange its words for zero
 *
 * with a full barrier between the steps: if the exchange misses the writer's
 * bits, then the writer finds the group's bit clear and sets it again.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/minmax.h>

#include "maps.h"

/* ---- Size ---------------------------------------------------------------- */

/**
 * rdmablk_maps_measure() - work out how much there is to allocate
 * @maps: filled in, but for the memory
 * @size: of the export, bytes, not zero
 * @chunk_shift: log2 of the bytes of a chunk
 * @nr_queues: data queues that will mark
 *
 * Context: any.
 * Return: false when there are more blocks or chunks than can be counted.
 */
bool rdmablk_maps_measure(struct rdmablk_maps *maps, u64 size, u32 chunk_shift,
			  u32 nr_queues)
{
	u64 last_block = (size - 1) >> RDMABLK_DIRTY_SHIFT;
	u64 last_chunk = (size - 1) >> chunk_shift;

	/* A whole group of blocks must be counted, too. */
	if (last_block > ULONG_MAX - RDMABLK_GROUP_BITS ||
	    last_chunk >= U32_MAX)
		return false;
	maps->size = size;
	maps->nr_groups = (unsigned long)last_block / RDMABLK_GROUP_BITS + 1;
	maps->chunk_shift = chunk_shift;
	maps->nr_chunks = last_chunk + 1;
	maps->nr_queues = nr_queues;
	return true;
}

/**
 * rdmablk_maps_have_room() - would an export of another size do with these?
 * @maps: measured
 * @size: of the export, bytes, not zero
 *
 * Context: any.
 * Return: true if no larger ones are needed.
 */
bool rdmablk_maps_have_room(const struct rdmablk_maps *maps, u64 size)
{
	u64 last_block = (size - 1) >> RDMABLK_DIRTY_SHIFT;

	return last_block / RDMABLK_GROUP_BITS < maps->nr_groups &&
	       (size - 1) >> maps->chunk_shift < maps->nr_chunks;
}

/**
 * rdmablk_maps_marks_size() - size of one queue's marks in one epoch
 * @maps: measured
 *
 * Context: any.
 * Return: bytes, whole words.
 */
size_t rdmablk_maps_marks_size(const struct rdmablk_maps *maps)
{
	return BITS_TO_LONGS(maps->nr_chunks) * sizeof(long);
}

/**
 * rdmablk_maps_memory() - memory that all the maps take together
 * @maps: measured
 *
 * Context: any.
 * Return: bytes; as many as it takes, whether or not there is such a memory.
 */
u64 rdmablk_maps_memory(const struct rdmablk_maps *maps)
{
	u64 bits = (u64)maps->nr_groups * RDMABLK_GROUP_WORDS * sizeof(long) +
		   BITS_TO_LONGS(maps->nr_groups) * sizeof(long);
	u64 marks = (u64)maps->nr_queues * RDMABLK_EPOCHS *
		    rdmablk_maps_marks_size(maps);

	return 2 * bits + marks;
}

/**
 * rdmablk_maps_copy_fine() - larger maps take the place of others
 * @to: no smaller, and empty
 * @from: nothing is taken
 *
 * Marks are not copied.
 *
 * Context: any.
 */
void rdmablk_maps_copy_fine(struct rdmablk_maps *to,
			    const struct rdmablk_maps *from)
{
	memcpy(to->fine.words, from->fine.words,
	       from->nr_groups * RDMABLK_GROUP_WORDS * sizeof(long));
	memcpy(to->fine.touched, from->fine.touched,
	       BITS_TO_LONGS(from->nr_groups) * sizeof(long));
}

/* ---- Blocks -------------------------------------------------------------- */

/* The bits of @word from block @first to block @last of the map. */
static unsigned long rdmablk_word_mask(unsigned long word, unsigned long first,
				       unsigned long last)
{
	unsigned long mask = ~0UL;

	if (word == first / BITS_PER_LONG)
		mask &= BITMAP_FIRST_WORD_MASK(first);
	if (word == last / BITS_PER_LONG)
		mask &= BITMAP_LAST_WORD_MASK(last + 1);
	return mask;
}

/* Ordered: a later flush finds the bits; see the top. */
static void rdmablk_bits_set(struct rdmablk_bits *bits, unsigned long word,
			     unsigned long mask)
{
	unsigned long group = word / RDMABLK_GROUP_WORDS;

	atomic_long_fetch_or(mask, (atomic_long_t *)&bits->words[word]);
	if (!test_bit(group, bits->touched))
		set_bit(group, bits->touched);
}

/**
 * rdmablk_maps_note() - part of the export was written
 * @maps: of the device
 * @offset: bytes
 * @length: bytes, not zero
 *
 * Context: any.
 */
void rdmablk_maps_note(struct rdmablk_maps *maps, u64 offset, u64 length)
{
	unsigned long first = offset >> RDMABLK_DIRTY_SHIFT;
	unsigned long last = (offset + length - 1) >> RDMABLK_DIRTY_SHIFT;
	unsigned long word;

	for (word = first / BITS_PER_LONG; word <= last / BITS_PER_LONG; word++)
		rdmablk_bits_set(&maps->fine, word,
				 rdmablk_word_mask(word, first, last));
}

/* Moves what @mask selects of a word from the fine map to the taken one. */
static void rdmablk_take_word(struct rdmablk_maps *maps, unsigned long word,
			      unsigned long mask)
{
	unsigned long bits;

	bits = atomic_long_fetch_andnot(mask,
			(atomic_long_t *)&maps->fine.words[word]) & mask;
	if (!bits)
		return;
	maps->taken.words[word] |= bits;
	__set_bit(word / RDMABLK_GROUP_WORDS, maps->taken.touched);
}

static void rdmablk_take_group(struct rdmablk_maps *maps, unsigned long group,
			       unsigned long first, unsigned long last)
{
	unsigned long word = max(group * RDMABLK_GROUP_WORDS,
				 first / BITS_PER_LONG);
	unsigned long end = min((group + 1) * RDMABLK_GROUP_WORDS,
				last / BITS_PER_LONG + 1);

	for (; word < end; word++)
		rdmablk_take_word(maps, word,
				  rdmablk_word_mask(word, first, last));
}

/**
 * rdmablk_maps_take() - take the bits of part of the export out, for a flush
 * @maps: of the device
 * @offset: bytes
 * @length: bytes, not zero
 *
 * Context: the flush, one at a time.
 */
void rdmablk_maps_take(struct rdmablk_maps *maps, u64 offset, u64 length)
{
	unsigned long first = offset >> RDMABLK_DIRTY_SHIFT;
	unsigned long last = (offset + length - 1) >> RDMABLK_DIRTY_SHIFT;
	unsigned long group = first / RDMABLK_GROUP_BITS;
	unsigned long end = last / RDMABLK_GROUP_BITS + 1;

	/* The bits behind the last block are never set. */
	if (offset + length == maps->size)
		last = end * RDMABLK_GROUP_BITS - 1;
	for_each_set_bit_from(group, maps->fine.touched, end) {
		/* A group that is taken in part may keep bits. */
		if (group * RDMABLK_GROUP_BITS >= first &&
		    (group + 1) * RDMABLK_GROUP_BITS - 1 <= last)
			clear_bit(group, maps->fine.touched);
		/* Step 1 before step 2; see the top. */
		smp_mb__after_atomic();
		rdmablk_take_group(maps, group, first, last);
	}
}

/* The first taken block from @block on, or one beyond the last. */
static unsigned long rdmablk_taken_from(const struct rdmablk_maps *maps,
					unsigned long block)
{
	unsigned long group = block / RDMABLK_GROUP_BITS, end, found;

	while ((group = find_next_bit(maps->taken.touched, maps->nr_groups,
				      group)) < maps->nr_groups) {
		block = max(block, group * RDMABLK_GROUP_BITS);
		end = (group + 1) * RDMABLK_GROUP_BITS;
		found = find_next_bit(maps->taken.words, end, block);
		if (found < end)
			return found;
		group++;
	}
	return maps->nr_groups * RDMABLK_GROUP_BITS;
}

/**
 * rdmablk_maps_next() - the next range that was taken
 * @maps: of the device
 * @offset: where to look from, bytes; set to the start of the range
 * @length: set to its length, bytes
 *
 * Context: the flush.
 * Return: false when there is none.
 */
bool rdmablk_maps_next(const struct rdmablk_maps *maps, u64 *offset,
		       u64 *length)
{
	unsigned long nr_blocks = maps->nr_groups * RDMABLK_GROUP_BITS;
	unsigned long first, end;

	if (*offset >= maps->size)
		return false;
	first = rdmablk_taken_from(maps, *offset >> RDMABLK_DIRTY_SHIFT);
	if (first >= nr_blocks)
		return false;
	end = find_next_zero_bit(maps->taken.words, nr_blocks, first);
	*offset = (u64)first << RDMABLK_DIRTY_SHIFT;
	/* The last block may be short. */
	*length = min((u64)end << RDMABLK_DIRTY_SHIFT, maps->size) - *offset;
	return true;
}

/* Empties the taken map; puts its bits back into the fine one if @again. */
static void rdmablk_taken_clear(struct rdmablk_maps *maps, bool again)
{
	unsigned long group, word;

	for_each_set_bit(group, maps->taken.touched, maps->nr_groups) {
		for (word = group * RDMABLK_GROUP_WORDS;
		     word < (group + 1) * RDMABLK_GROUP_WORDS; word++) {
			if (again && maps->taken.words[word])
				rdmablk_bits_set(&maps->fine, word,
						 maps->taken.words[word]);
			maps->taken.words[word] = 0;
		}
		__clear_bit(group, maps->taken.touched);
	}
}

/**
 * rdmablk_maps_drop_taken() - what was taken is durable
 * @maps: of the device
 *
 * Context: the flush.
 */
void rdmablk_maps_drop_taken(struct rdmablk_maps *maps)
{
	rdmablk_taken_clear(maps, false);
}

/**
 * rdmablk_maps_put_back() - what was taken is as dirty as before
 * @maps: of the device
 *
 * Context: the flush.
 */
void rdmablk_maps_put_back(struct rdmablk_maps *maps)
{
	rdmablk_taken_clear(maps, true);
}

static u64 rdmablk_bits_weight(const struct rdmablk_bits *bits,
			       unsigned long nr_groups)
{
	unsigned long group;
	u64 weight = 0;

	for_each_set_bit(group, bits->touched, nr_groups)
		weight += bitmap_weight(bits->words +
					group * RDMABLK_GROUP_WORDS,
					RDMABLK_GROUP_BITS);
	return weight;
}

/**
 * rdmablk_maps_bytes() - how much was written since the last flush
 * @maps: of the device
 *
 * Context: any.
 * Return: bytes, in whole blocks; roughly, while writes and flushes are under
 * way.
 */
u64 rdmablk_maps_bytes(const struct rdmablk_maps *maps)
{
	return (rdmablk_bits_weight(&maps->fine, maps->nr_groups) +
		rdmablk_bits_weight(&maps->taken, maps->nr_groups)) <<
	       RDMABLK_DIRTY_SHIFT;
}

/* ---- Marks --------------------------------------------------------------- */

/**
 * rdmablk_maps_marks() - the chunks that a queue has marked in an epoch
 * @maps: of the device
 * @queue: index of the data queue
 * @epoch: of which epoch
 *
 * Context: any.
 * Return: a bit for each chunk.
 */
unsigned long *rdmablk_maps_marks(const struct rdmablk_maps *maps, u32 queue,
				  unsigned int epoch)
{
	size_t words = BITS_TO_LONGS(maps->nr_chunks);

	return maps->marks + (queue * RDMABLK_EPOCHS + epoch) * words;
}

/**
 * rdmablk_maps_forget_marks() - the target has cleared a coarse map
 * @maps: of the device
 * @epoch: whose
 *
 * Context: no write that marks in this epoch is under way.
 */
void rdmablk_maps_forget_marks(struct rdmablk_maps *maps, unsigned int epoch)
{
	u32 queue;

	for (queue = 0; queue < maps->nr_queues; queue++)
		bitmap_zero(rdmablk_maps_marks(maps, queue, epoch),
			    maps->nr_chunks);
}
