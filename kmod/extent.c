// SPDX-License-Identifier: GPL-2.0
/*
 * From an offset in the export to a remote address, and which key goes with it.
 */
#include "extent.h"

/* Index of the last piece that starts at or before @offset. */
static u32 rdmablk_piece_find(const struct rdmablk_region *region, u64 offset)
{
	u32 low = 0, high = region->nr - 1;

	while (low < high) {
		u32 middle = low + (high - low + 1) / 2;

		if (region->piece[middle].offset <= offset)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/**
 * rdmablk_region_span() - find the remote memory behind part of an export
 * @region: the extents, as rdmablk_check_extents() accepted them
 * @offset: in the export, bytes
 * @length: wanted, bytes
 * @addr: set to the remote address of @offset
 * @index: set to that of the extent there, and so of its key
 *
 * Context: any; takes no lock.
 * Return: how many of the @length bytes lie behind that key, zero when @offset
 * is beyond the end of the region.
 */
u64 rdmablk_region_span(const struct rdmablk_region *region, u64 offset,
			u64 length, u64 *addr, u32 *index)
{
	u32 found = rdmablk_piece_find(region, offset);
	const struct rdmablk_piece *piece = &region->piece[found];
	u64 skip = offset - piece->offset;
	u64 left;

	if (skip >= piece->length)
		return 0;

	left = piece->length - skip;
	*addr = piece->addr + skip;
	*index = found;
	return length < left ? length : left;
}
