/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which chunks of an export may have what its backing lacks. The maps are in
 * the staging file and outlive the daemon, which may be killed between any two
 * stores to them.
 */
#ifndef RDMABLKD_DIRTY_H
#define RDMABLKD_DIRTY_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/rdmablk_proto.h"

/**
 * struct dirty - the maps of an export, a byte for each chunk
 * @coarse: one for each epoch: chunks that the writer, or a ZERO of it, marked.
 *	    The writer's card writes here, and may write anything but 0
 * @orphan: chunks that the target writes back by itself
 * @nr_chunks: bytes of each map
 * @chunk_shift: log2 of a chunk's bytes
 * @size: of the export, bytes; its last chunk may be short
 */
struct dirty {
	uint8_t		*coarse[RDMABLK_EPOCHS];
	uint8_t		*orphan;
	uint32_t	nr_chunks;
	uint32_t	chunk_shift;
	uint64_t	size;
};

void dirty_mark(struct dirty *dirty, unsigned int epoch, uint64_t offset,
		uint64_t length);
void dirty_clear(struct dirty *dirty, unsigned int epoch);
void dirty_fold(struct dirty *dirty);
void dirty_orphan(struct dirty *dirty, uint64_t offset, uint64_t length);
bool dirty_has_orphans(const struct dirty *dirty);
bool dirty_take(struct dirty *dirty, uint32_t *cursor, uint32_t max,
		uint64_t *offset, uint64_t *length);
void dirty_settle(struct dirty *dirty, bool durable);
uint64_t dirty_bytes(const struct dirty *dirty);

#endif /* RDMABLKD_DIRTY_H */
