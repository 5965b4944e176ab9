// SPDX-License-Identifier: GPL-2.0
/*
 * The maps of chunks that may be dirty (target/dirty.c), also across kills.
 */
#include "test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dirty.h"

#define MIB	((uint64_t)1 << 20)
#define CHUNKS	1003U

static uint8_t *maps;	/* shared with the children */
static struct dirty dirty;

static int setup(void **state)
{
	(void)state;
	maps = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (maps == MAP_FAILED)
		return -1;
	dirty = (struct dirty){
		.coarse = { maps, maps + 4096 }, .orphan = maps + 8192,
		.nr_chunks = CHUNKS, .chunk_shift = 20,
		.size = CHUNKS * MIB - 4096,
	};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return munmap(maps, 4 * 4096);
}

static uint64_t take(uint32_t *cursor, uint32_t max)
{
	uint64_t offset, length;

	return dirty_take(&dirty, cursor, max, &offset, &length) ?
	       offset / MIB * 100000 + (length + MIB - 1) / MIB : 0;
}

static void marks(void **state)
{
	(void)state;
	dirty_mark(&dirty, 0, 5 * MIB, 1);
	dirty_mark(&dirty, 0, 7 * MIB - 1, 2);
	dirty_mark(&dirty, 1, 5 * MIB, MIB);
	dirty_mark(&dirty, 1, dirty.size - 512, 512);
	assert_int_equal(dirty.coarse[0][4], 0);
	assert_int_equal(dirty.coarse[0][5], 1);
	assert_int_equal(dirty.coarse[0][6], 1);
	assert_int_equal(dirty.coarse[0][7], 1);
	assert_int_equal(dirty.coarse[0][8], 0);
	assert_int_equal(dirty.coarse[1][5], 1);
	assert_int_equal(dirty.coarse[1][6], 0);
	/* The last chunk is short. */
	assert_int_equal(dirty_bytes(&dirty), 4 * MIB - 4096);
	assert_false(dirty_has_orphans(&dirty));

	dirty_clear(&dirty, 0);
	assert_int_equal(dirty_bytes(&dirty), 2 * MIB - 4096);
}

static void folds(void **state)
{
	uint32_t cursor = 0;
	unsigned int i;

	(void)state;
	dirty_mark(&dirty, 0, 3 * MIB, 2 * MIB);
	/* A card may write anything. */
	dirty.coarse[1][5] = 0xff;
	dirty.coarse[1][CHUNKS - 1] = 0x80;
	dirty_fold(&dirty);
	for (i = 0; i < CHUNKS; i++)
		assert_int_equal(dirty.coarse[0][i] | dirty.coarse[1][i], 0);
	assert_true(dirty_has_orphans(&dirty));
	assert_int_equal(take(&cursor, 2), 300002);
	assert_int_equal(take(&cursor, 2), 500001);
	assert_int_equal(take(&cursor, 2), 100200001);
	assert_int_equal(take(&cursor, 2), 0);
	assert_true(dirty_has_orphans(&dirty));
	dirty_settle(&dirty, true);
	assert_false(dirty_has_orphans(&dirty));
}

static void not_durable(void **state)
{
	uint32_t cursor = 0;

	(void)state;
	dirty_orphan(&dirty, 0, dirty.size);
	assert_int_equal(take(&cursor, UINT32_MAX), CHUNKS);
	dirty_settle(&dirty, false);
	assert_int_equal(dirty_bytes(&dirty), dirty.size);
	/* What a killed daemon had taken does not count as durable later. */
	cursor = 1;
	assert_int_equal(take(&cursor, 10), 100010);
	dirty_settle(&dirty, false);
	cursor = 0;
	assert_int_equal(take(&cursor, 1), 1);
	dirty_settle(&dirty, true);
	assert_int_equal(dirty_bytes(&dirty), dirty.size - MIB);
}

/* What was stored after the round read the memory is not durable. */
static void orphan_again(void **state)
{
	uint32_t cursor = 0;

	(void)state;
	dirty_orphan(&dirty, 2 * MIB, 3 * MIB);
	assert_int_equal(take(&cursor, UINT32_MAX), 200003);
	dirty_mark(&dirty, 1, 3 * MIB, MIB);
	dirty_fold(&dirty);
	dirty_settle(&dirty, true);
	cursor = 0;
	assert_int_equal(take(&cursor, UINT32_MAX), 300001);
	assert_int_equal(take(&cursor, UINT32_MAX), 0);
}

#define MARKED(i)	((i) % 7 == 0)

static _Atomic int *marked;	/* some map must have the marks */

static void child(void)
{
	unsigned int i;

	for (;;) {
		for (i = 0; i < CHUNKS; i++)
			dirty.coarse[0][i] = MARKED(i);
		*marked = 1;
		dirty_fold(&dirty);
		*marked = 0;
		memset(dirty.orphan, 0, CHUNKS);
	}
}

/* A fold that is killed in its middle loses no mark. */
static void killed(void **state)
{
	unsigned int kills, folding = 0, i;
	pid_t pid;

	(void)state;
	marked = (void *)(maps + 3 * 4096);
	for (kills = 0; kills < 300; kills++) {
		memset(maps, 0, 4 * 4096);
		pid = fork();
		assert_return_code(pid, 0);
		if (!pid)
			child();
		usleep((unsigned int)random() % 500);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		if (!*marked)
			continue;
		folding++;
		for (i = 0; i < CHUNKS; i++)
			if (MARKED(i))
				assert_true(dirty.coarse[0][i] ||
					    dirty.orphan[i]);
	}
	assert_in_range(folding, 1, kills);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(marks, setup, teardown),
		cmocka_unit_test_setup_teardown(folds, setup, teardown),
		cmocka_unit_test_setup_teardown(not_durable, setup, teardown),
		cmocka_unit_test_setup_teardown(orphan_again, setup, teardown),
		cmocka_unit_test_setup_teardown(killed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
