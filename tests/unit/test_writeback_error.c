// SPDX-License-Identifier: GPL-2.0
/*
 * Write-back that fails (target/writeback.c, writeback_round.c): the error is
 * latched, what could not be written stays dirty, and trying again writes it.
 */
#include "test.h"

#include <sys/resource.h>

#include "fixture_writeback.h"

/* A write stops short in its middle; and one that cannot be done at all. */
static void file_size_limit(void **state)
{
	struct rlimit old, limit;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = 2 * MIB + 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	store_named(0, 4 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EFBIG);
	assert_contains(wb->error.why.message, "File too large");
	assert_backing(0, 2 * MIB + 4096, 1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* What is left of a write that stopped short is not forgotten. */
	assert_int_equal(ftruncate(backing.fd, 0), 0);
	assert_int_equal(ftruncate(backing.fd, SIZE), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	store_named(2 * MIB, 65536, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_backing(2 * MIB, 4096, 2);
}

static void wait_while_failing(void **state)
{
	(void)state;
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	dirty_orphan(&wb->dirty, 0, SIZE);
	memset(memory, 6, SIZE);
	result = second_result = PENDING;
	writeback_adopt(wb);
	run_until_idle();
	assert_int_equal(wb->error.err, -ESTALE);
	writeback_submit(wb, &request, WRITEBACK_RETRY, false);
	assert_int_equal(wb->round.phase, ROUND_WRITE);
	assert_int_equal(unlink(backing.path), 0);
	second_result = PENDING;
	/* Refused at once, though trying again is under way. */
	writeback_submit(wb, &second, WRITEBACK_FLUSH, false);
	run_until_idle();
	assert_int_equal(second_result, -ESTALE);
	assert_int_equal(result, -ENOENT);
	assert_contains(wb->error.why.message, "deleted");
}

/* Those that wait while a round fails have failed as well. */
static void queue_fails(void **state)
{
	(void)state;
	store_named(0, 16 * MIB, 1);
	result = second_result = PENDING;
	writeback_submit(wb, &second, WRITEBACK_FLUSH, true);
	writeback_name(wb, 20 * MIB, 4096);
	writeback_submit(wb, &request, WRITEBACK_FUA, true);
	assert_int_equal(unlink(backing.path), 0);
	run_until_idle();
	assert_int_equal(result, -ENOENT);
	assert_int_equal(second_result, -ENOENT);
	assert_int_equal(blockmap_count(&wb->named), 0);
	/* All of it: a file made anew has nothing. */
	assert_int_equal(dirty_bytes(&wb->dirty), SIZE);
}

static void truncated(void **state)
{
	(void)state;
	memset(memory, 1, SIZE);
	writeback_name(wb, 0, SIZE);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	store_named(63 * MIB, 4096, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ESTALE);
	assert_contains(wb->error.why.message, "has 4096 bytes now");
	assert_int_equal(dirty_bytes(&wb->dirty), SIZE);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* Cut short with nobody looking: trying again must not hide it. */
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), -ESTALE);
	assert_int_equal(dirty_bytes(&wb->dirty), SIZE);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* One that grew is not ours to cut. */
	assert_int_equal(ftruncate(backing.fd, SIZE + 4096), 0);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ESTALE);
	assert_int_equal(ask(WRITEBACK_RETRY), -ESTALE);
	assert_int_equal(ftruncate(backing.fd, SIZE), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();
}

static void limit_file_size(uint64_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Another error came first: what was cut off is written all the same. */
static void truncated_after_an_error(void **state)
{
	(void)state;
	memset(memory, 1, SIZE);
	writeback_name(wb, 0, SIZE);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	limit_file_size(MIB);
	store_named(MIB, 4096, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EFBIG);
	limit_file_size(RLIM_INFINITY);
	assert_int_equal(dirty_bytes(&wb->dirty), MIB);
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), -ESTALE);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* In the same round, and somebody gives it its size again. */
	limit_file_size(MIB);
	store_named(MIB, 4096, 3);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	run_until_idle();
	limit_file_size(RLIM_INFINITY);
	assert_int_equal(result, -EFBIG);
	assert_int_equal(ftruncate(backing.fd, SIZE), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();
}

/* Nobody can have written to it: there is nothing to be made good for. */
static void gone_read_only(void **state)
{
	char elsewhere[sizeof(backing.path) + 2];

	(void)state;
	backing.read_only = true;
	snprintf(elsewhere, sizeof(elsewhere), "%s.2", backing.path);
	assert_int_equal(rename(backing.path, elsewhere), 0);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ENOENT);
	assert_int_equal(dirty_bytes(&wb->dirty), 0);
	assert_int_equal(rename(elsewhere, backing.path), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_int_equal(wb->stats.written, 0);

	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ESTALE);
	assert_int_equal(ask(WRITEBACK_RETRY), -ESTALE);
	assert_int_equal(dirty_bytes(&wb->dirty), 0);
}

/* A sync that fails: that of a pipe. */
static void sync_fails(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	backing.block_device = false;
	store_named(0, 4096, 1);
	/* A pipe in the file's place, which cannot be made durable. */
	assert_return_code(dup2(ends[1], backing.fd), errno);
	snprintf(backing.path, sizeof(backing.path), "/proc/self/fd/%d",
		 backing.fd);
	backing.size = 0;
	assert_int_equal(ask(WRITEBACK_FLUSH), -EINVAL);
	assert_contains(wb->error.why.message, "durable");
	assert_int_equal(dirty_bytes(&wb->dirty), MIB);
	close(ends[0]);
	close(ends[1]);
}

static void no_space(void **state)
{
	(void)state;
	if (!mount_small("tmpfs", "size=8M"))
		skip();
	reopen("small");
	store_named(0, 4096, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	store_named(0, 20 * MIB, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ENOSPC);
	assert_contains(wb->error.why.message, "No space left");
	assert_contains(wb->error.why.message, backing.path);
	assert_contains(wb->error.why.hint, "free space");
	assert_true(wb->error.since > 0);

	/* Latched: nothing more is tried. */
	store_named(30 * MIB, 4096, 3);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ENOSPC);
	assert_int_equal(ask(WRITEBACK_FUA), -ENOSPC);
	assert_int_equal(blockmap_count(&wb->named), 0);
	writeback_adopt(wb);
	assert_int_equal(wb->round.phase, ROUND_IDLE);
	assert_int_equal(dirty_bytes(&wb->dirty), 21 * MIB);

	/* Trying again fails as long as there is no room. */
	assert_int_equal(ask(WRITEBACK_RETRY), -ENOSPC);
	assert_int_equal(dirty_bytes(&wb->dirty), 21 * MIB);
	assert_int_equal(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	reopen(".");
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_backing(0, 20 * MIB, 2);
	assert_backing(30 * MIB, 4096, 3);
	assert_int_equal(dirty_bytes(&wb->dirty), 0);
	assert_int_equal(wb->error.err, 0);
	umount_small();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE(file_size_limit),
		FIXTURE(wait_while_failing),
		FIXTURE(queue_fails),
		FIXTURE(truncated),
		FIXTURE(truncated_after_an_error),
		FIXTURE(gone_read_only),
		FIXTURE(sync_fails),
		FIXTURE(no_space),
	};

	return cmocka_run_group_tests_name("errors of write-back", tests, make_dir,
					   remove_dir);
}
