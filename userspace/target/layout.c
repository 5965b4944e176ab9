// SPDX-License-Identifier: GPL-2.0
/*
 * How a region is cut into extents. Pure arithmetic.
 */
#include <errno.h>
#include <inttypes.h>

#include "region.h"
#include "size.h"
#include "spec.h"

/**
 * layout_cut() - cut a region into extents
 * @layout: filled in
 * @size: of the region, bytes, not zero
 * @extent_size: most bytes that one extent should have, a multiple of 1 MiB
 * @max_mr_size: most bytes that the RDMA devices can register at once
 * @why: set on failure
 *
 * Return: 0; -EOPNOTSUPP when the devices register less than 1 MiB at once;
 * -E2BIG when there would be too many extents.
 */
int layout_cut(struct layout *layout, uint64_t size, uint64_t extent_size,
	       uint64_t max_mr_size, struct reason *why)
{
	uint64_t extent = extent_size, nr;
	char text[SIZE_TEXT_MAX];

	if (extent > max_mr_size)
		extent = max_mr_size & ~(SPEC_EXTENT_MIN - 1);
	if (!extent)
		return reason_set(why, -EOPNOTSUPP,
				  "an RDMA device registers at most %" PRIu64
				  " bytes at once, less than 1 MiB", max_mr_size);

	nr = size / extent + !!(size % extent);
	if (nr > RDMABLK_EXTENTS_MAX) {
		reason_set(why, -E2BIG,
			   "%s would be %" PRIu64 " extents, %d are allowed",
			   size_text(size, text), nr, RDMABLK_EXTENTS_MAX);
		if (extent == extent_size)
			reason_hint(why, "choose a larger extent-size");
		else
			reason_hint(why, "the RDMA device registers at most %" PRIu64 " bytes at once (max_mr_size)",
				    max_mr_size);
		return -E2BIG;
	}
	*layout = (struct layout){
		.size = size, .extent = extent, .nr = (uint32_t)nr,
	};
	return 0;
}

/**
 * layout_length() - how long is an extent?
 * @layout: the layout
 * @index: of the extent, less than @layout->nr
 *
 * Return: its length in bytes.
 */
uint64_t layout_length(const struct layout *layout, uint32_t index)
{
	uint64_t left = layout->size - layout->extent * index;

	return left < layout->extent ? left : layout->extent;
}
