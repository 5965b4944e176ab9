/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The region as the client sees it: a table of extents, each with its remote
 * address. The keys that belong to them depend on the queue, see keys.h. Pure
 * lookup, 64-bit throughout; unit-tested in user space.
 */
#ifndef RDMABLK_EXTENT_H
#define RDMABLK_EXTENT_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/**
 * struct rdmablk_piece - part of the region behind one remote key
 * @offset: of the first byte in the export
 * @length: bytes
 * @addr: remote address of the first byte
 */
struct rdmablk_piece {
	u64 offset;
	u64 length;
	u64 addr;
};

/**
 * struct rdmablk_region - all pieces, in order of their offset, without gaps
 * @nr: how many, at least one
 * @piece: the pieces
 */
struct rdmablk_region {
	u32 nr;
	struct rdmablk_piece piece[];
};

u64 rdmablk_region_span(const struct rdmablk_region *region, u64 offset,
			u64 length, u64 *addr, u32 *index);

#endif /* RDMABLK_EXTENT_H */
