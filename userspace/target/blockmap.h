/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A set of an export's 4 KiB blocks: a bit for each, so that its size depends
 * on the export alone, whatever a client names and in which order.
 */
#ifndef RDMABLKD_BLOCKMAP_H
#define RDMABLKD_BLOCKMAP_H

#include <stdbool.h>
#include <stdint.h>

#define BLOCK_SHIFT	12
#define BLOCK_BYTES	((uint64_t)1 << BLOCK_SHIFT)

/**
 * struct blockmap - a set of blocks
 * @words: a bit for each block
 * @summary: a bit for each word that is not zero, so that a set with little in
 *	     it is walked quickly
 * @nr_words: entries of @words
 * @nr_sums: entries of @summary
 */
struct blockmap {
	uint64_t	*words;
	uint64_t	*summary;
	uint64_t	nr_words;
	uint64_t	nr_sums;
};

int blockmap_init(struct blockmap *map, uint64_t size);
void blockmap_free(struct blockmap *map);
void blockmap_add(struct blockmap *map, uint64_t first, uint64_t count);
void blockmap_clear(struct blockmap *map);
void blockmap_move(struct blockmap *to, struct blockmap *from);
void blockmap_subtract(struct blockmap *map, const struct blockmap *what);
uint64_t blockmap_count(const struct blockmap *map);
bool blockmap_next(const struct blockmap *map, uint64_t *cursor, uint64_t max,
		   uint64_t *first, uint64_t *count);

#endif /* RDMABLKD_BLOCKMAP_H */
