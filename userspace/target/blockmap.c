// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of blocks. See blockmap.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "blockmap.h"
#include "macros.h"

#define WORD_BITS	64

static uint64_t per_word(uint64_t n)
{
	return n / WORD_BITS + !!(n % WORD_BITS);
}

/**
 * blockmap_init() - make an empty set
 * @map: filled in
 * @size: of the export, bytes
 *
 * Return: 0 or -ENOMEM.
 */
int blockmap_init(struct blockmap *map, uint64_t size)
{
	uint64_t blocks = size / BLOCK_BYTES + !!(size % BLOCK_BYTES);

	map->nr_words = per_word(blocks);
	map->nr_sums = per_word(map->nr_words);
	map->words = calloc(map->nr_words, sizeof(*map->words));
	map->summary = calloc(map->nr_sums, sizeof(*map->summary));
	if (map->words && map->summary)
		return 0;
	blockmap_free(map);
	return -ENOMEM;
}

/**
 * blockmap_free() - give a set's memory back
 * @map: the set; may have been freed already
 */
void blockmap_free(struct blockmap *map)
{
	free(map->words);
	free(map->summary);
	*map = (struct blockmap){ 0 };
}

static void sum(struct blockmap *map, uint64_t word)
{
	uint64_t bit = (uint64_t)1 << word % WORD_BITS;

	if (map->words[word])
		map->summary[word / WORD_BITS] |= bit;
	else
		map->summary[word / WORD_BITS] &= ~bit;
}

/**
 * blockmap_add() - put blocks into a set
 * @map: the set
 * @first: of the blocks
 * @count: how many; all are blocks of the export
 */
void blockmap_add(struct blockmap *map, uint64_t first, uint64_t count)
{
	uint64_t bits, some;

	for (; count; first += some, count -= some) {
		some = MIN(count, WORD_BITS - first % WORD_BITS);
		bits = some == WORD_BITS ? UINT64_MAX :
					   ((uint64_t)1 << some) - 1;
		map->words[first / WORD_BITS] |= bits << first % WORD_BITS;
		sum(map, first / WORD_BITS);
	}
}

/* The first word at or after @word that is not zero, or nr_words. */
static uint64_t next_word(const struct blockmap *map, uint64_t word)
{
	uint64_t i = word / WORD_BITS, bits;

	if (word >= map->nr_words)
		return map->nr_words;
	bits = map->summary[i] & (UINT64_MAX << word % WORD_BITS);
	while (!bits && ++i < map->nr_sums)
		bits = map->summary[i];
	return bits ? i * WORD_BITS + (unsigned int)__builtin_ctzll(bits) :
		      map->nr_words;
}

#define for_each_word(map, word)					\
	for (word = next_word(map, 0); word < (map)->nr_words;		\
	     word = next_word(map, word + 1))

/**
 * blockmap_clear() - make a set empty
 * @map: the set
 */
void blockmap_clear(struct blockmap *map)
{
	uint64_t word;

	for_each_word(map, word) {
		map->words[word] = 0;
		sum(map, word);
	}
}

/**
 * blockmap_move() - put all blocks of a set into another
 * @to: gets them
 * @from: of the same export; empty afterwards
 */
void blockmap_move(struct blockmap *to, struct blockmap *from)
{
	uint64_t word;

	for_each_word(from, word) {
		to->words[word] |= from->words[word];
		sum(to, word);
	}
	blockmap_clear(from);
}

/**
 * blockmap_subtract() - take blocks out of a set
 * @map: the set
 * @what: of the same export: those that @map shall not have
 */
void blockmap_subtract(struct blockmap *map, const struct blockmap *what)
{
	uint64_t word;

	for_each_word(map, word) {
		map->words[word] &= ~what->words[word];
		sum(map, word);
	}
}

/**
 * blockmap_count() - how many blocks are in a set?
 * @map: the set
 *
 * Return: blocks.
 */
uint64_t blockmap_count(const struct blockmap *map)
{
	uint64_t word, count = 0;

	for_each_word(map, word)
		count += (unsigned int)__builtin_popcountll(map->words[word]);
	return count;
}

/* Blocks in the set from @block on without a gap, at most @max. */
static uint64_t run_length(const struct blockmap *map, uint64_t block,
			   uint64_t max)
{
	uint64_t start = block, bits, ones;

	while (block - start < max && block / WORD_BITS < map->nr_words) {
		bits = ~(map->words[block / WORD_BITS] >> block % WORD_BITS);
		ones = bits ? (unsigned int)__builtin_ctzll(bits) : WORD_BITS;
		ones = MIN(ones, WORD_BITS - block % WORD_BITS);
		block += ones;
		if (!ones || block % WORD_BITS)
			break;
	}
	return MIN(block - start, max);
}

/**
 * blockmap_next() - walk through a set, run by run
 * @map: the set
 * @cursor: 0 to begin with; where the walk goes on
 * @max: most blocks that a run may have
 * @first: set to the run's first block
 * @count: set to its blocks
 *
 * Return: false: there is nothing more.
 */
bool blockmap_next(const struct blockmap *map, uint64_t *cursor, uint64_t max,
		   uint64_t *first, uint64_t *count)
{
	uint64_t word = *cursor / WORD_BITS, bits = 0;

	if (word < map->nr_words)
		bits = map->words[word] & (UINT64_MAX << *cursor % WORD_BITS);
	if (!bits) {
		word = next_word(map, word + 1);
		if (word >= map->nr_words)
			return false;
		bits = map->words[word];
	}
	*first = word * WORD_BITS + (unsigned int)__builtin_ctzll(bits);
	*count = run_length(map, *first, max);
	*cursor = *first + *count;
	return true;
}
