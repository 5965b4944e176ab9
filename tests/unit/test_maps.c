// SPDX-License-Identifier: GPL-2.0
/*
 * The client's maps of what was written (kmod/maps.c): their ends, the borders
 * of words and groups, that nothing is lost, and what a plain array says.
 */
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <linux/bitmap.h>

#include "maps.h"

#define BLOCK	((u64)1 << RDMABLK_DIRTY_SHIFT)
#define GROUP	(RDMABLK_GROUP_BITS * BLOCK)
#define MIB	((u64)1 << 20)
#define QUEUES	3

static struct rdmablk_maps maps;

/* Memory of exactly the size: the sanitizer sees whoever goes beyond. */
static void bits_new(struct rdmablk_bits *bits, unsigned long nr_groups)
{
	bits->words = calloc(nr_groups, RDMABLK_GROUP_WORDS * sizeof(long));
	bits->touched = calloc(BITS_TO_LONGS(nr_groups), sizeof(long));
	assert_non_null(bits->words);
	assert_non_null(bits->touched);
}

static void maps_new(struct rdmablk_maps *new, u64 size, u32 chunk_shift)
{
	memset(new, 0, sizeof(*new));
	assert_true(rdmablk_maps_measure(new, size, chunk_shift, QUEUES));
	bits_new(&new->fine, new->nr_groups);
	bits_new(&new->taken, new->nr_groups);
	new->marks = calloc(QUEUES * RDMABLK_EPOCHS,
			    rdmablk_maps_marks_size(new));
	assert_non_null(new->marks);
}

static void maps_end(struct rdmablk_maps *old)
{
	free(old->fine.words);
	free(old->fine.touched);
	free(old->taken.words);
	free(old->taken.touched);
	free(old->marks);
	memset(old, 0, sizeof(*old));
}

static void open_maps(u64 size)
{
	maps_new(&maps, size, 20);
}

static int teardown(void **state)
{
	(void)state;
	maps_end(&maps);
	return 0;
}

static void take_all(void)
{
	rdmablk_maps_take(&maps, 0, maps.size);
}

/* Taken are these ranges, of @offset and @length in turn, and no others. */
static void assert_taken(const u64 *ranges, size_t nr)
{
	u64 offset = 0, length;
	size_t i;

	for (i = 0; i < nr; i++, offset += length) {
		assert_true(rdmablk_maps_next(&maps, &offset, &length));
		assert_int_equal(offset, ranges[2 * i]);
		assert_int_equal(length, ranges[2 * i + 1]);
	}
	assert_false(rdmablk_maps_next(&maps, &offset, &length));
}

#define TAKEN(...)							\
	assert_taken((const u64[]){ __VA_ARGS__ },			\
		     sizeof((const u64[]){ __VA_ARGS__ }) / (2 * sizeof(u64)))

static void assert_nothing_taken(void)
{
	assert_taken(NULL, 0);
}

/* ---- Size ---------------------------------------------------------------- */

static void measured(void **state)
{
	(void)state;
	open_maps(512);
	assert_int_equal(maps.nr_groups, 1);
	assert_int_equal(maps.nr_chunks, 1);
	assert_int_equal(rdmablk_maps_marks_size(&maps), sizeof(long));
	maps_end(&maps);
	open_maps(GROUP);
	assert_int_equal(maps.nr_groups, 1);
	maps_end(&maps);
	open_maps(GROUP + 512);
	assert_int_equal(maps.nr_groups, 2);
	maps_end(&maps);
	open_maps(64 * MIB);
	assert_int_equal(maps.nr_chunks, 64);
	assert_int_equal(rdmablk_maps_marks_size(&maps), 8);
	maps_end(&maps);
	open_maps(64 * MIB + 512);
	assert_int_equal(maps.nr_chunks, 65);
	assert_int_equal(rdmablk_maps_marks_size(&maps), 16);
}

/* A bit for each block in two maps, and little more; see what it must not exceed. */
static void memory(void **state)
{
	struct rdmablk_maps huge = { };

	(void)state;
	open_maps(512);
	assert_int_equal(rdmablk_maps_memory(&maps),
			 2 * (64 + 8) + QUEUES * RDMABLK_EPOCHS * 8);
	/* 2^50 / 2^12 / 8 = 2^35 bytes, one more in 512 of them, twice. */
	assert_true(rdmablk_maps_measure(&huge, (u64)1 << 50, 30, 1));
	assert_int_equal(rdmablk_maps_memory(&huge),
			 2 * (((u64)1 << 35) + ((u64)1 << 26)) +
			 RDMABLK_EPOCHS * ((u64)1 << 17));
}

/* A size that a target grants need not be one that can be counted. */
static void too_large_to_count(void **state)
{
	struct rdmablk_maps huge = { };

	(void)state;
	/* 2^32 - 1 chunks are the most, and the last of them may be short. */
	assert_true(rdmablk_maps_measure(&huge, (u64)UINT32_MAX << 16, 16, 1));
	assert_int_equal(huge.nr_chunks, UINT32_MAX);
	assert_false(rdmablk_maps_measure(&huge, ((u64)UINT32_MAX << 16) + 512,
					  16, 1));
	assert_false(rdmablk_maps_measure(&huge, (u64)1 << 62, 16, 1));
	assert_false(rdmablk_maps_measure(&huge, (u64)1 << 62, 30, 1));
}

static void room(void **state)
{
	(void)state;
	open_maps(10 * GROUP);
	assert_true(rdmablk_maps_have_room(&maps, 512));
	assert_true(rdmablk_maps_have_room(&maps, 10 * GROUP));
	assert_false(rdmablk_maps_have_room(&maps, 10 * GROUP + 512));
	maps_end(&maps);
	/* A chunk is less than a group. */
	open_maps(MIB);
	assert_true(rdmablk_maps_have_room(&maps, MIB));
	assert_false(rdmablk_maps_have_room(&maps, MIB + 512));
	assert_false(rdmablk_maps_have_room(&maps, (u64)1 << 62));
}

/* ---- Ranges -------------------------------------------------------------- */

static void nothing(void **state)
{
	(void)state;
	open_maps(10 * MIB);
	take_all();
	assert_nothing_taken();
	assert_int_equal(rdmablk_maps_bytes(&maps), 0);
}

static void one_block(void **state)
{
	(void)state;
	open_maps(512);		/* the only one, and short */
	rdmablk_maps_note(&maps, 0, 512);
	assert_int_equal(rdmablk_maps_bytes(&maps), BLOCK);
	take_all();
	TAKEN(0, 512);
	rdmablk_maps_drop_taken(&maps);
	assert_int_equal(rdmablk_maps_bytes(&maps), 0);
}

/* A part of a block is all of it, and two parts are one. */
static void parts_of_blocks(void **state)
{
	(void)state;
	open_maps(MIB);
	rdmablk_maps_note(&maps, BLOCK + 512, 512);
	rdmablk_maps_note(&maps, 2 * BLOCK - 512, 512);
	rdmablk_maps_note(&maps, 4 * BLOCK - 512, 1024);
	assert_int_equal(rdmablk_maps_bytes(&maps), 3 * BLOCK);
	take_all();
	TAKEN(BLOCK, BLOCK, 3 * BLOCK, 2 * BLOCK);
}

static void both_ends(void **state)
{
	const u64 size = 3 * GROUP + 5 * BLOCK + 1536;

	(void)state;
	open_maps(size);
	rdmablk_maps_note(&maps, 0, 512);
	rdmablk_maps_note(&maps, size - 512, 512);
	take_all();
	TAKEN(0, BLOCK, size - 1536, 1536);
	rdmablk_maps_drop_taken(&maps);
	rdmablk_maps_note(&maps, 0, size);
	assert_int_equal(rdmablk_maps_bytes(&maps), 3 * GROUP + 6 * BLOCK);
	take_all();
	TAKEN(0, size);
	/* From the middle of what was taken, and from behind it. */
	for (u64 at = 0; at < size; at += BLOCK) {
		u64 offset = at, length;

		assert_true(rdmablk_maps_next(&maps, &offset, &length));
		assert_int_equal(offset, at);
		assert_int_equal(length, size - at);
	}
}

/* The end of the map is in the middle of a group, or at the end of one. */
static void ends_of_groups(void **state)
{
	static const u64 sizes[] = {
		GROUP - 512, GROUP, GROUP + 512, 2 * GROUP - BLOCK, 2 * GROUP,
		RDMABLK_GROUP_BITS * GROUP, BITS_PER_LONG * GROUP + BLOCK,
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		open_maps(sizes[i]);
		rdmablk_maps_note(&maps, sizes[i] - 512, 512);
		take_all();
		TAKEN((sizes[i] - 1) / BLOCK * BLOCK,
		      (sizes[i] - 1) % BLOCK + 1);
		/* All of it was taken: the next one has nothing to look at. */
		assert_false(test_bit(maps.nr_groups - 1, maps.fine.touched));
		maps_end(&maps);
	}
}

static void borders_of_words(void **state)
{
	const u64 word = BITS_PER_LONG * BLOCK;

	(void)state;
	open_maps(3 * GROUP);
	rdmablk_maps_note(&maps, word - BLOCK, BLOCK);
	rdmablk_maps_note(&maps, 2 * word, BLOCK);
	rdmablk_maps_note(&maps, 4 * word - BLOCK, word + 2 * BLOCK);
	rdmablk_maps_note(&maps, GROUP - BLOCK, 2 * BLOCK);
	rdmablk_maps_note(&maps, 2 * GROUP, GROUP);
	take_all();
	TAKEN(word - BLOCK, BLOCK, 2 * word, BLOCK, 4 * word - BLOCK,
	      word + 2 * BLOCK, GROUP - BLOCK, 2 * BLOCK, 2 * GROUP, GROUP);
}

/* ---- Taking --------------------------------------------------------------- */

static void taken_in_parts(void **state)
{
	(void)state;
	open_maps(4 * GROUP);
	rdmablk_maps_note(&maps, 0, 4 * GROUP);
	rdmablk_maps_take(&maps, 8 * BLOCK, BLOCK);
	TAKEN(8 * BLOCK, BLOCK);
	rdmablk_maps_take(&maps, 8 * BLOCK, BLOCK);
	rdmablk_maps_take(&maps, GROUP - BLOCK + 512, GROUP + BLOCK);
	TAKEN(8 * BLOCK, BLOCK, GROUP - BLOCK, GROUP + 2 * BLOCK);
	/* Each is in one map. */
	assert_int_equal(rdmablk_maps_bytes(&maps), 4 * GROUP);
	rdmablk_maps_drop_taken(&maps);
	take_all();
	TAKEN(0, 8 * BLOCK, 9 * BLOCK, GROUP - 10 * BLOCK,
	      2 * GROUP + BLOCK, 2 * GROUP - BLOCK);
}

static void written_while_it_is_taken(void **state)
{
	(void)state;
	open_maps(MIB);
	rdmablk_maps_note(&maps, 0, 2 * BLOCK);
	take_all();
	rdmablk_maps_note(&maps, BLOCK, 2 * BLOCK);
	TAKEN(0, 2 * BLOCK);
	rdmablk_maps_drop_taken(&maps);
	assert_int_equal(rdmablk_maps_bytes(&maps), 2 * BLOCK);
	take_all();
	TAKEN(BLOCK, 2 * BLOCK);
}

static void put_back(void **state)
{
	(void)state;
	open_maps(4 * GROUP);
	rdmablk_maps_note(&maps, BLOCK, GROUP);
	rdmablk_maps_note(&maps, 4 * GROUP - 512, 512);
	take_all();
	rdmablk_maps_note(&maps, 2 * GROUP, BLOCK);
	rdmablk_maps_put_back(&maps);
	assert_nothing_taken();
	take_all();
	TAKEN(BLOCK, GROUP, 2 * GROUP, BLOCK, 4 * GROUP - BLOCK, BLOCK);
}

/* ---- Growing -------------------------------------------------------------- */

static void grown(void **state)
{
	struct rdmablk_maps larger;

	(void)state;
	open_maps(GROUP - 512);
	rdmablk_maps_note(&maps, 0, BLOCK);
	rdmablk_maps_note(&maps, GROUP - BLOCK, 512);
	set_bit(0, rdmablk_maps_marks(&maps, 0, 0));
	maps_new(&larger, 70 * GROUP, 20);
	rdmablk_maps_copy_fine(&larger, &maps);
	maps_end(&maps);
	maps = larger;

	assert_false(test_bit(0, rdmablk_maps_marks(&maps, 0, 0)));
	assert_int_equal(rdmablk_maps_bytes(&maps), 2 * BLOCK);
	rdmablk_maps_note(&maps, 70 * GROUP - BLOCK, BLOCK);
	take_all();
	/* The block that was the last is a whole one now. */
	TAKEN(0, BLOCK, GROUP - BLOCK, BLOCK, 70 * GROUP - BLOCK, BLOCK);
}

/* Room for more than there is: what counts is the size. */
static void smaller_than_its_room(void **state)
{
	(void)state;
	open_maps(70 * GROUP);
	maps.size = GROUP + BLOCK + 512;
	rdmablk_maps_note(&maps, 0, maps.size);
	take_all();
	TAKEN(0, GROUP + BLOCK + 512);
	rdmablk_maps_drop_taken(&maps);
	assert_int_equal(rdmablk_maps_bytes(&maps), 0);
}

/* ---- Marks ---------------------------------------------------------------- */

/* No queue's and no epoch's marks are another's; nor are the bits beside. */
static void marks(void **state)
{
	static const u64 sizes[] = { MIB - 512, 64 * MIB, 65 * MIB };
	unsigned int epoch;
	size_t i;
	u32 queue;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		open_maps(sizes[i]);
		for (queue = 0; queue < QUEUES; queue++)
			for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++) {
				unsigned long *map =
					rdmablk_maps_marks(&maps, queue, epoch);

				assert_int_equal(find_next_bit(map,
						 maps.nr_chunks, 0),
						 maps.nr_chunks);
				set_bit(maps.nr_chunks - 1, map);
			}
		rdmablk_maps_forget_marks(&maps, 1);
		for (queue = 0; queue < QUEUES; queue++) {
			assert_true(test_bit(maps.nr_chunks - 1,
				    rdmablk_maps_marks(&maps, queue, 0)));
			assert_false(test_bit(maps.nr_chunks - 1,
				     rdmablk_maps_marks(&maps, queue, 1)));
		}
		maps_end(&maps);
	}
}

/* ---- Against a plain array ------------------------------------------------- */

#define PLAIN	(40U * RDMABLK_GROUP_BITS)

static struct {
	bool fine[PLAIN];
	bool taken[PLAIN];
} plain;

static u64 random_below(u64 limit)
{
	return (((u64)random() << 31) | (u64)random()) % limit;
}

/* Mostly short, sometimes all of it, often at the end. */
static void random_range(u64 *offset, u64 *length)
{
	u64 sectors = maps.size / 512, first, nr;

	first = random_below(8) ? random_below(sectors) : 0;
	nr = sectors - first;
	if (random_below(8))
		nr = 1 + random_below(random_below(2) || nr < 100 ? nr : 100);
	*offset = first * 512;
	*length = nr * 512;
}

static void plain_take(u64 offset, u64 length)
{
	u64 block;

	for (block = offset / BLOCK; block * BLOCK < offset + length; block++) {
		plain.taken[block] |= plain.fine[block];
		plain.fine[block] = false;
	}
}

static void plain_end_round(bool again)
{
	u64 block;

	for (block = 0; block < PLAIN; block++) {
		plain.fine[block] |= again && plain.taken[block];
		plain.taken[block] = false;
	}
}

static void assert_as_plain(void)
{
	u64 blocks = (maps.size - 1) / BLOCK + 1, block = 0, bytes = 0;
	u64 offset = 0, length;

	while (rdmablk_maps_next(&maps, &offset, &length)) {
		for (; block < offset / BLOCK; block++)
			assert_false(plain.taken[block]);
		for (; block * BLOCK < offset + length; block++)
			assert_true(plain.taken[block]);
		offset += length;
		assert_true(offset == maps.size || offset % BLOCK == 0);
	}
	for (; block < blocks; block++)
		assert_false(plain.taken[block]);
	for (block = 0; block < blocks; block++)
		bytes += BLOCK * (plain.fine[block] + plain.taken[block]);
	assert_int_equal(rdmablk_maps_bytes(&maps), bytes);
}

static void random_step(void)
{
	u64 offset, length, block;

	random_range(&offset, &length);
	switch (random_below(8)) {
	case 0:
		rdmablk_maps_take(&maps, offset, length);
		plain_take(offset, length);
		break;
	case 1:
		take_all();
		plain_take(0, maps.size);
		break;
	case 2:
		rdmablk_maps_drop_taken(&maps);
		plain_end_round(false);
		break;
	case 3:
		rdmablk_maps_put_back(&maps);
		plain_end_round(true);
		break;
	default:
		rdmablk_maps_note(&maps, offset, length);
		for (block = offset / BLOCK; block * BLOCK < offset + length;
		     block++)
			plain.fine[block] = true;
	}
}

static void random_steps(void **state)
{
	int size, step;

	(void)state;
	srandom(1);
	for (size = 0; size < 30; size++) {
		memset(&plain, 0, sizeof(plain));
		open_maps(512 * (1 + random_below(size % 3 ?
				PLAIN * (BLOCK / 512) : 3 * GROUP / 512)));
		for (step = 0; step < 100; step++) {
			random_step();
			assert_as_plain();
		}
		maps_end(&maps);
	}
}

/* ---- Writers beside the flush ---------------------------------------------- */

#define WRITERS	3
#define ROUNDS	400

static atomic_uint writing;

/* Each block is noted once, by one of them: the words are shared. */
static void *writer(void *arg)
{
	u64 block;

	for (block = (uintptr_t)arg; block < PLAIN; block += WRITERS)
		rdmablk_maps_note(&maps, block * BLOCK, BLOCK);
	atomic_fetch_sub(&writing, 1);
	return NULL;
}

/* Counts what is taken, and has some rounds fail. */
static u64 flush_once(int round)
{
	u64 offset = 0, length, bytes = 0;

	take_all();
	if (round % 3 == 0) {
		rdmablk_maps_put_back(&maps);
		return 0;
	}
	for (; rdmablk_maps_next(&maps, &offset, &length); offset += length)
		bytes += length;
	rdmablk_maps_drop_taken(&maps);
	return bytes;
}

static void nothing_is_lost(void **state)
{
	pthread_t threads[WRITERS];
	uintptr_t i;
	int round;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		u64 bytes = 0;
		int flushes = 0;

		open_maps(PLAIN * BLOCK);
		atomic_store(&writing, WRITERS);
		for (i = 0; i < WRITERS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL,
							writer, (void *)i), 0);
		while (atomic_load(&writing))
			bytes += flush_once(flushes++);
		for (i = 0; i < WRITERS; i++)
			assert_int_equal(pthread_join(threads[i], NULL), 0);
		bytes += flush_once(1);
		assert_int_equal(bytes, maps.size);
		maps_end(&maps);
	}
}

#define MAPS_TEST(function)	cmocka_unit_test_teardown(function, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MAPS_TEST(measured),
		MAPS_TEST(memory),
		MAPS_TEST(too_large_to_count),
		MAPS_TEST(room),
		MAPS_TEST(nothing),
		MAPS_TEST(one_block),
		MAPS_TEST(parts_of_blocks),
		MAPS_TEST(both_ends),
		MAPS_TEST(ends_of_groups),
		MAPS_TEST(borders_of_words),
		MAPS_TEST(taken_in_parts),
		MAPS_TEST(written_while_it_is_taken),
		MAPS_TEST(put_back),
		MAPS_TEST(grown),
		MAPS_TEST(smaller_than_its_room),
		MAPS_TEST(marks),
		MAPS_TEST(random_steps),
		MAPS_TEST(nothing_is_lost),
	};

	return cmocka_run_group_tests_name("maps", tests, NULL, NULL);
}
