// SPDX-License-Identifier: GPL-2.0
/*
 * How the client finds its way through the table of extents (kmod/extent.c), in 64
 * bits.
 */
#include "test.h"

#include <stdlib.h>

#include "extent.h"
#include "proto.h"

static struct rdmablk_region *new_region(uint32_t nr, uint64_t each,
					 uint64_t last)
{
	struct rdmablk_region *region = calloc(1, sizeof(*region) +
					       nr * sizeof(region->piece[0]));
	uint32_t i;

	assert_non_null(region);
	region->nr = nr;
	for (i = 0; i < nr; i++)
		region->piece[i] = (struct rdmablk_piece){
			.offset = i * each,
			.length = i < nr - 1 ? each : last,
			.addr = 0x100000000 * (i + 1),
		};
	return region;
}

static void span_of_one(void **state)
{
	struct rdmablk_region *region = new_region(1, 0, 4096);
	uint64_t addr;
	uint32_t index;

	(void)state;
	assert_int_equal(rdmablk_region_span(region, 0, 4096, &addr, &index),
			 4096);
	assert_int_equal(addr, 0x100000000);
	assert_int_equal(index, 0);
	assert_int_equal(rdmablk_region_span(region, 4095, 100, &addr, &index),
			 1);
	assert_int_equal(addr, 0x100000000 + 4095);
	assert_int_equal(rdmablk_region_span(region, 4096, 1, &addr, &index),
			 0);
	assert_int_equal(rdmablk_region_span(region, UINT64_MAX, 1, &addr,
					     &index), 0);
	free(region);
}

static void span_across(void **state)
{
	struct rdmablk_region *region = new_region(3, 1 << 20, 512);
	uint64_t addr;
	uint32_t index;

	(void)state;
	assert_int_equal(rdmablk_region_span(region, (1 << 20) - 4096, 8192,
					     &addr, &index), 4096);
	assert_int_equal(index, 0);
	assert_int_equal(rdmablk_region_span(region, 1 << 20, 8192, &addr,
					     &index), 8192);
	assert_int_equal(index, 1);
	assert_int_equal(addr, 0x200000000);
	assert_int_equal(rdmablk_region_span(region, 2 << 20, 8192, &addr,
					     &index), 512);
	assert_int_equal(index, 2);
	free(region);
}

/* Every boundary of a table of 4 PiB in 65536 extents. */
static void span_of_many(void **state)
{
	const uint64_t each = (uint64_t)64 << 30;
	struct rdmablk_region *region = new_region(RDMABLK_EXTENTS_MAX, each,
						   each);
	uint64_t addr, i;
	uint32_t index;

	(void)state;
	for (i = 0; i < RDMABLK_EXTENTS_MAX; i++) {
		assert_int_equal(rdmablk_region_span(region, i * each, each + 1,
						     &addr, &index), each);
		assert_int_equal(index, i);
		assert_int_equal(rdmablk_region_span(region, i * each + each - 1,
						     4096, &addr, &index), 1);
		assert_int_equal(index, i);
		assert_int_equal(addr, 0x100000000 * (i + 1) + each - 1);
	}
	assert_int_equal(rdmablk_region_span(region, RDMABLK_EXTENTS_MAX * each,
					     1, &addr, &index), 0);
	free(region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(span_of_one),
		TEST(span_across),
		TEST(span_of_many),
	};

	return cmocka_run_group_tests_name("extent", tests, NULL, NULL);
}
