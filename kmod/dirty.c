// SPDX-License-Identifier: GPL-2.0
/*
 * The books of a device whose target has a write cache. See dirty.h.
 *
 * Both maps of blocks have a second level, so that a flush of a few blocks on a
 * large device does not look at every word: a group of words, GROUP_WORDS of
 * them, is one bit there. Writers set bits at any time, one flush at a time takes
 * them out:
 *
 *	writer				flush
 *	1. set bits in a word		1. clear the group's bit
 *	2. set the group's bit		2. exchange its words for zero
 *
 * with a full barrier between the steps: if the exchange misses the writer's
 * bits, then the writer finds the group's bit clear and sets it again.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>

#include "dirty.h"

#define GROUP_WORDS	8
#define GROUP_BITS	(GROUP_WORDS * BITS_PER_LONG)

/* ---- Life ---------------------------------------------------------------- */

/*
 * The size is the target's word, up to 2^62, and a failure is reported with its
 * reason: no warning of the allocator's.
 */
#define DIRTY_GFP	(GFP_KERNEL | __GFP_NOWARN)

static int rdmablk_bits_alloc(struct rdmablk_bits *bits, unsigned long nr_groups)
{
	bits->words = kvcalloc(nr_groups, GROUP_WORDS * sizeof(long),
			       DIRTY_GFP);
	bits->touched = kvcalloc(BITS_TO_LONGS(nr_groups), sizeof(long),
				 DIRTY_GFP);
	return bits->words && bits->touched ? 0 : -ENOMEM;
}

static void rdmablk_bits_free(struct rdmablk_bits *bits)
{
	kvfree(bits->words);
	kvfree(bits->touched);
	memset(bits, 0, sizeof(*bits));
}

/**
 * rdmablk_dirty_setup() - initialise, once in a device's life
 * @dirty: zeroed; closed afterwards
 */
void rdmablk_dirty_setup(struct rdmablk_dirty *dirty)
{
	mutex_init(&dirty->life);
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
	u64 nr_blocks = ((size - 1) >> RDMABLK_DIRTY_SHIFT) + 1;

	dirty->nr_groups = DIV_ROUND_UP_ULL(nr_blocks, GROUP_BITS);
	dirty->chunk_shift = chunk_shift;
	dirty->nr_chunks = ((size - 1) >> chunk_shift) + 1;
	dirty->marks = kvcalloc(array_size(nr_queues, RDMABLK_EPOCHS),
				BITS_TO_LONGS(dirty->nr_chunks) * sizeof(long),
				DIRTY_GFP);
	if (!dirty->marks ||
	    rdmablk_bits_alloc(&dirty->fine, dirty->nr_groups) ||
	    rdmablk_bits_alloc(&dirty->taken, dirty->nr_groups)) {
		rdmablk_dirty_close(dirty);
		return -ENOMEM;
	}
	dirty->size = size;
	return 0;
}

static void rdmablk_bits_exchange(struct rdmablk_bits *bits,
				  struct rdmablk_bits *larger,
				  unsigned long nr_groups)
{
	memcpy(larger->words, bits->words,
	       nr_groups * GROUP_WORDS * sizeof(long));
	memcpy(larger->touched, bits->touched,
	       BITS_TO_LONGS(nr_groups) * sizeof(long));
	swap(*bits, *larger);
}

/**
 * rdmablk_dirty_grow() - the export has become larger
 * @dirty: open; no request is under way
 * @size: of the export, bytes
 * @nr_queues: as in rdmablk_dirty_open()
 *
 * What was noted stays; marks are forgotten.
 *
 * Context: process.
 * Return: 0, or -ENOMEM; then nothing has changed.
 */
int rdmablk_dirty_grow(struct rdmablk_dirty *dirty, u64 size, u32 nr_queues)
{
	struct rdmablk_dirty larger = { };

	if (rdmablk_dirty_open(&larger, size, dirty->chunk_shift, nr_queues))
		return -ENOMEM;
	mutex_lock(&dirty->life);
	rdmablk_bits_exchange(&dirty->fine, &larger.fine, dirty->nr_groups);
	rdmablk_bits_exchange(&dirty->taken, &larger.taken, dirty->nr_groups);
	swap(dirty->marks, larger.marks);
	dirty->nr_groups = larger.nr_groups;
	dirty->nr_chunks = larger.nr_chunks;
	dirty->size = size;
	mutex_unlock(&dirty->life);
	rdmablk_dirty_close(&larger);
	return 0;
}

/**
 * rdmablk_dirty_close() - free the books
 * @dirty: open, half open or closed
 */
void rdmablk_dirty_close(struct rdmablk_dirty *dirty)
{
	dirty->size = 0;
	kvfree(dirty->marks);
	dirty->marks = NULL;
	rdmablk_bits_free(&dirty->fine);
	rdmablk_bits_free(&dirty->taken);
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
	atomic_long_fetch_or(mask, (atomic_long_t *)&bits->words[word]);
	if (!test_bit(word / GROUP_WORDS, bits->touched))
		set_bit(word / GROUP_WORDS, bits->touched);
}

/**
 * rdmablk_dirty_note() - part of the export was written
 * @dirty: open
 * @offset: bytes
 * @length: bytes, not zero
 *
 * Context: any.
 */
void rdmablk_dirty_note(struct rdmablk_dirty *dirty, u64 offset, u64 length)
{
	unsigned long first = offset >> RDMABLK_DIRTY_SHIFT;
	unsigned long last = (offset + length - 1) >> RDMABLK_DIRTY_SHIFT;
	unsigned long word;

	for (word = first / BITS_PER_LONG; word <= last / BITS_PER_LONG; word++)
		rdmablk_bits_set(&dirty->fine, word,
				 rdmablk_word_mask(word, first, last));
}

/* Moves what @mask selects of a word from the fine map to the taken one. */
static void rdmablk_take_word(struct rdmablk_dirty *dirty, unsigned long word,
			      unsigned long mask)
{
	unsigned long bits;

	bits = atomic_long_fetch_andnot(mask,
			(atomic_long_t *)&dirty->fine.words[word]) & mask;
	if (!bits)
		return;
	dirty->taken.words[word] |= bits;
	__set_bit(word / GROUP_WORDS, dirty->taken.touched);
}

static void rdmablk_take_group(struct rdmablk_dirty *dirty, unsigned long group,
			       unsigned long first, unsigned long last)
{
	unsigned long word = max(group * GROUP_WORDS, first / BITS_PER_LONG);
	unsigned long end = min((group + 1) * GROUP_WORDS,
				last / BITS_PER_LONG + 1);

	for (; word < end; word++)
		rdmablk_take_word(dirty, word,
				  rdmablk_word_mask(word, first, last));
}

/**
 * rdmablk_dirty_take() - take the bits of part of the export out, for a flush
 * @dirty: open
 * @offset: bytes
 * @length: bytes, not zero
 *
 * Context: the flush, one at a time.
 */
void rdmablk_dirty_take(struct rdmablk_dirty *dirty, u64 offset, u64 length)
{
	unsigned long first = offset >> RDMABLK_DIRTY_SHIFT;
	unsigned long last = (offset + length - 1) >> RDMABLK_DIRTY_SHIFT;
	unsigned long group = first / GROUP_BITS;
	unsigned long end = last / GROUP_BITS + 1;

	/* The bits behind the last block are never set. */
	if (offset + length == dirty->size)
		last = dirty->nr_groups * GROUP_BITS - 1;
	for_each_set_bit_from(group, dirty->fine.touched, end) {
		/* A group that is taken in part may keep bits. */
		if (group * GROUP_BITS >= first &&
		    (group + 1) * GROUP_BITS - 1 <= last)
			clear_bit(group, dirty->fine.touched);
		/* Step 1 before step 2; see the top. */
		smp_mb__after_atomic();
		rdmablk_take_group(dirty, group, first, last);
	}
}

/* The first taken block from @block on, or one beyond the last. */
static unsigned long rdmablk_taken_from(const struct rdmablk_dirty *dirty,
					unsigned long block)
{
	unsigned long nr_blocks = dirty->nr_groups * GROUP_BITS;
	unsigned long group = block / GROUP_BITS, end, found;

	while ((group = find_next_bit(dirty->taken.touched, dirty->nr_groups,
				      group)) < dirty->nr_groups) {
		block = max(block, group * GROUP_BITS);
		end = (group + 1) * GROUP_BITS;
		found = find_next_bit(dirty->taken.words, end, block);
		if (found < end)
			return found;
		group++;
	}
	return nr_blocks;
}

/**
 * rdmablk_dirty_next() - the next range that was taken
 * @dirty: open
 * @offset: where to look from, bytes; set to the start of the range
 * @length: set to its length, bytes
 *
 * Context: the flush.
 * Return: false when there is none.
 */
bool rdmablk_dirty_next(const struct rdmablk_dirty *dirty, u64 *offset,
			u64 *length)
{
	unsigned long nr_blocks = dirty->nr_groups * GROUP_BITS;
	unsigned long first, end;

	if (*offset >= dirty->size)
		return false;
	first = rdmablk_taken_from(dirty, *offset >> RDMABLK_DIRTY_SHIFT);
	if (first >= nr_blocks)
		return false;
	end = find_next_zero_bit(dirty->taken.words, nr_blocks, first);
	*offset = (u64)first << RDMABLK_DIRTY_SHIFT;
	/* The last block may be short. */
	*length = min((u64)end << RDMABLK_DIRTY_SHIFT, dirty->size) - *offset;
	return true;
}

/* Empties the taken map; puts its bits back into the fine one if @again. */
static void rdmablk_taken_clear(struct rdmablk_dirty *dirty, bool again)
{
	unsigned long group, word;

	for_each_set_bit(group, dirty->taken.touched, dirty->nr_groups) {
		for (word = group * GROUP_WORDS;
		     word < (group + 1) * GROUP_WORDS; word++) {
			if (again && dirty->taken.words[word])
				rdmablk_bits_set(&dirty->fine, word,
						 dirty->taken.words[word]);
			dirty->taken.words[word] = 0;
		}
		__clear_bit(group, dirty->taken.touched);
	}
}

/**
 * rdmablk_dirty_drop_taken() - what was taken is durable
 * @dirty: open
 *
 * Context: the flush.
 */
void rdmablk_dirty_drop_taken(struct rdmablk_dirty *dirty)
{
	rdmablk_taken_clear(dirty, false);
}

/**
 * rdmablk_dirty_put_back() - what was taken is as dirty as before
 * @dirty: open
 *
 * Context: the flush.
 */
void rdmablk_dirty_put_back(struct rdmablk_dirty *dirty)
{
	rdmablk_taken_clear(dirty, true);
}

static u64 rdmablk_bits_weight(const struct rdmablk_bits *bits,
			       unsigned long nr_groups)
{
	unsigned long group;
	u64 weight = 0;

	for_each_set_bit(group, bits->touched, nr_groups)
		weight += bitmap_weight(bits->words + group * GROUP_WORDS,
					GROUP_BITS);
	return weight;
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
	u64 blocks = 0;

	mutex_lock(&dirty->life);
	if (rdmablk_dirty_is_open(dirty))
		blocks = rdmablk_bits_weight(&dirty->fine, dirty->nr_groups) +
			 rdmablk_bits_weight(&dirty->taken, dirty->nr_groups);
	mutex_unlock(&dirty->life);
	return (blocks << RDMABLK_DIRTY_SHIFT) +
	       atomic64_read(&dirty->unmapped);
}

/* ---- Marks --------------------------------------------------------------- */

/**
 * rdmablk_dirty_marks() - the chunks that a queue has marked in an epoch
 * @dirty: open
 * @queue: index of the data queue
 * @epoch: of which epoch
 *
 * Return: a bit for each chunk.
 */
unsigned long *rdmablk_dirty_marks(const struct rdmablk_dirty *dirty,
				   u32 queue, unsigned int epoch)
{
	size_t words = BITS_TO_LONGS(dirty->nr_chunks);

	return dirty->marks + (queue * RDMABLK_EPOCHS + epoch) * words;
}

/**
 * rdmablk_dirty_forget_marks() - the target has cleared a coarse map
 * @dirty: open
 * @nr_queues: as in rdmablk_dirty_open()
 * @epoch: whose
 *
 * Context: no write that marks in this epoch is under way.
 */
void rdmablk_dirty_forget_marks(struct rdmablk_dirty *dirty, u32 nr_queues,
				unsigned int epoch)
{
	u32 queue;

	for (queue = 0; queue < nr_queues; queue++)
		bitmap_zero(rdmablk_dirty_marks(dirty, queue, epoch),
			    dirty->nr_chunks);
	dirty->marked[epoch] = false;
}
