// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of blocks (target/blockmap.c), against an array that says the same.
 */
#include "test.h"

#include <stdlib.h>

#include "blockmap.h"

#define BLOCKS	20011U	/* neither whole words nor whole words of them */

static struct blockmap map, other;
static bool model[BLOCKS], model_other[BLOCKS];

static int setup(void **state)
{
	(void)state;
	memset(model, 0, sizeof(model));
	memset(model_other, 0, sizeof(model_other));
	return blockmap_init(&map, BLOCKS * BLOCK_BYTES - 512) ||
	       blockmap_init(&other, BLOCKS * BLOCK_BYTES - 512);
}

static int teardown(void **state)
{
	(void)state;
	blockmap_free(&map);
	blockmap_free(&other);
	return 0;
}

static void add(struct blockmap *to, bool *too, uint64_t first, uint64_t count)
{
	uint64_t i;

	blockmap_add(to, first, count);
	for (i = first; i < first + count; i++)
		too[i] = true;
}

/* The runs of the set, each of at most @max, are those of the model. */
static void assert_same(const struct blockmap *set, const bool *as,
			uint64_t max)
{
	uint64_t cursor = 0, first, count, block = 0, total = 0, i;

	while (blockmap_next(set, &cursor, max, &first, &count)) {
		assert_in_range(count, 1, max);
		for (i = block; i < first; i++)
			assert_false(as[i]);
		for (i = first; i < first + count; i++)
			assert_true(as[i]);
		block = first + count;
		total += count;
		/* Only a gap or the limit ends a run. */
		if (count < max)
			assert_true(block == BLOCKS || !as[block]);
	}
	for (i = block; i < BLOCKS; i++)
		assert_false(as[i]);
	assert_int_equal(blockmap_count(set), total);
}

static void empty(void **state)
{
	uint64_t cursor = 0, first, count;

	(void)state;
	assert_false(blockmap_next(&map, &cursor, 1, &first, &count));
	assert_int_equal(blockmap_count(&map), 0);
	blockmap_clear(&map);
	assert_same(&map, model, 1);
}

static void ends(void **state)
{
	(void)state;
	add(&map, model, 0, 1);
	add(&map, model, BLOCKS - 1, 1);
	assert_same(&map, model, UINT64_MAX);
	add(&map, model, 0, BLOCKS);
	assert_same(&map, model, UINT64_MAX);
	assert_same(&map, model, 256);
	assert_same(&map, model, 1);
}

static void fill(struct blockmap *set, bool *as, unsigned int runs)
{
	uint64_t first;

	while (runs--) {
		first = (uint64_t)random() % BLOCKS;
		add(set, as, first, 1 + (uint64_t)random() %
		    (random() % 2 ? 3 : BLOCKS - first));
		if (random() % 4 == 0)
			continue;
		/* Beside each other, across words. */
		first = (uint64_t)random() % (BLOCKS - 130);
		add(set, as, first, 64);
		add(set, as, first + 64, 65);
	}
}

static void algebra(void **state)
{
	unsigned int round, i;

	(void)state;
	srandom(1);
	for (round = 0; round < 200; round++) {
		blockmap_clear(&map);
		blockmap_clear(&other);
		memset(model, 0, sizeof(model));
		memset(model_other, 0, sizeof(model_other));
		fill(&map, model, round % 5);
		fill(&other, model_other, round % 3);
		assert_same(&map, model, 1 + round);

		blockmap_subtract(&map, &other);
		for (i = 0; i < BLOCKS; i++)
			model[i] &= !model_other[i];
		assert_same(&map, model, 256);

		fill(&map, model, 1);
		blockmap_move(&map, &other);
		for (i = 0; i < BLOCKS; i++)
			model[i] |= model_other[i];
		assert_same(&map, model, 256);
		memset(model_other, 0, sizeof(model_other));
		assert_same(&other, model_other, 256);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(empty, setup, teardown),
		cmocka_unit_test_setup_teardown(ends, setup, teardown),
		cmocka_unit_test_setup_teardown(algebra, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
