// SPDX-License-Identifier: GPL-2.0
/*
 * Write-back of what was unmapped (target/writeback.c, writeback_round.c):
 * punched out of the file, but nothing of what was written after it.
 */
#include "test.h"

#include "fixture_writeback.h"

static uint64_t allocated(void)
{
	struct stat st;

	assert_int_equal(fstat(backing.fd, &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

static void punches(void **state)
{
	(void)state;
	store_named(0, SIZE, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	/* Within a block, across blocks, to the end of the export. */
	zero_unmap(MIB + 512, 1024);
	zero_unmap(2 * MIB + 512, 2 * MIB);
	zero_unmap(60 * MIB, SIZE - 60 * MIB);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
	assert_backing(2 * MIB + 512, 2 * MIB, 0);
	assert_in_range(allocated(), 50 * MIB, 59 * MIB);
	assert_int_equal(wb->stats.punched, 6 * MIB - 2 * 4096);
}

/* What is written after it was unmapped wins, in the same round and later. */
static void punch_then_write(void **state)
{
	(void)state;
	store_named(0, 8 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);

	zero_unmap(0, MIB);
	store_named(4096, 8192, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();

	/* FUA leaves the rest to be punched, and nothing of what it wrote. */
	zero_unmap(2 * MIB, MIB);
	store_named(2 * MIB + 4096, 8192, 3);
	assert_int_equal(ask(WRITEBACK_FUA), 0);
	assert_backing(2 * MIB, 4096, 1);
	assert_backing(2 * MIB + 4096, 8192, 3);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();

	/* The same for orphans. */
	zero_unmap(4 * MIB, MIB);
	store(4 * MIB + 4096, 8192, 4);
	writeback_adopt(wb);
	run_until_idle();
	assert_whole();
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
}

/* While a round is under way: a matter of the next one. */
static void punch_during_round(void **state)
{
	(void)state;
	store_named(0, 8 * MIB, 1);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	zero_unmap(MIB, MIB);
	run_until_idle();
	assert_int_equal(blockmap_count(&wb->punch), 256);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
}

/* A punch that fails leaves its chunks dirty. */
static void punch_fails(void **state)
{
	int flags = fcntl(backing.fd, F_GETFL);

	(void)state;
	store_named(0, 8 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	dirty_clear(&wb->dirty, 0);
	zero_unmap(MIB, MIB);
	dirty_clear(&wb->dirty, 0);
	/* Opened for reading only. */
	close(backing.fd);
	assert_int_equal(open(backing.path, O_RDONLY), backing.fd);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EBADF);
	assert_contains(wb->error.why.message, "cannot free");
	assert_int_equal(dirty_bytes(&wb->dirty), MIB);
	close(backing.fd);
	assert_int_equal(open(backing.path, flags & ~O_CREAT), backing.fd);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();
}

static void no_punching(void **state)
{
	(void)state;
	if (!mount_small("ramfs", ""))
		skip();
	reopen("small");
	store_named(0, 8 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	zero_unmap(MIB, 6 * MIB);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
	assert_int_equal(wb->stats.punched, 0);
	/* Known by now. */
	zero_unmap(0, MIB);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
	reopen(".");
	umount_small();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE(punches),
		FIXTURE(punch_then_write),
		FIXTURE(punch_during_round),
		FIXTURE(punch_fails),
		FIXTURE(no_punching),
	};

	return cmocka_run_group_tests_name("punching", tests, make_dir,
					   remove_dir);
}
