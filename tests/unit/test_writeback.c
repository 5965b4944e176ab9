// SPDX-License-Identifier: GPL-2.0
/*
 * Write-back (target/writeback.c, round.c, ring.c), to real files: what is
 * durable, and what is left of a request that is not wanted any more.
 */
#include "test.h"

#include <sys/resource.h>

#include "fixture_writeback.h"

static void flush_named(void **state)
{
	(void)state;
	store_named(4096, 512, 1);
	store_named(3 * MIB, 5 * MIB, 2);
	store_named(SIZE - 512, 512, 3);
	store(20 * MIB, 4096, 4);	/* not named */
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_backing(4096, 512, 1);
	assert_backing(3 * MIB, 5 * MIB, 2);
	assert_backing(SIZE - 512, 512, 3);
	assert_backing(20 * MIB, 4096, 0);
	assert_int_equal(wb->stats.named, 5 * MIB + 1024);
	assert_int_equal(wb->stats.written, 5 * MIB + 4096 + 3584);
	assert_int_equal(wb->stats.flushes, 1);
	assert_int_equal(wb->stats.last_bytes, wb->stats.written);
	/* A flush does not clear marks. */
	assert_int_equal(dirty_bytes(&wb->dirty), 8 * MIB - 512);
	/* What is durable is not written again. */
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_int_equal(wb->stats.last_bytes, 0);
}

static void fua_alone(void **state)
{
	(void)state;
	dirty_orphan(&wb->dirty, 30 * MIB, MIB);
	memset(memory + 30 * MIB, 7, MIB);
	zero_unmap(40 * MIB, MIB);
	store_named(MIB, 4096, 1);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FUA, true);
	while (result == PENDING)
		assert_return_code(sd_event_run(event, USEC_PER_SEC), 0);
	assert_int_equal(result, 0);
	assert_int_equal(wb->stats.last_bytes, 4096);
	assert_backing(MIB, 4096, 1);
	/* Then nobody waits, and the orphans are written. */
	run_until_idle();
	assert_backing(30 * MIB, MIB, 7);
	assert_false(dirty_has_orphans(&wb->dirty));
	assert_int_equal(blockmap_count(&wb->punch), 256);
}

/* One round serves all that wait, and the reader leaves the writer's parts. */
static void flushes_share(void **state)
{
	(void)state;
	dirty_orphan(&wb->dirty, 0, SIZE);
	memset(memory, 9, SIZE);
	writeback_adopt(wb);	/* a round is under way */
	assert_int_equal(wb->round.phase, ROUND_WRITE);
	writeback_name(wb, 0, 4096);
	result = second_result = PENDING;
	writeback_submit(wb, &second, WRITEBACK_FLUSH, false);
	while (second_result == PENDING)
		assert_return_code(sd_event_run(event, USEC_PER_SEC), 0);
	assert_int_equal(second_result, 0);
	/* What was left is durable, by two rounds. */
	assert_backing(0, SIZE, 9);
	assert_int_equal(wb->stats.last_bytes, SIZE - 8 * MIB);
	assert_int_equal(blockmap_count(&wb->named), 1);

	second_result = PENDING;
	writeback_adopt(wb);
	memset(memory, 10, 4096);
	dirty_orphan(&wb->dirty, 0, MIB);
	writeback_adopt(wb);
	writeback_submit(wb, &second, WRITEBACK_FLUSH, false);
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	run_until_idle();
	assert_int_equal(result, 0);
	assert_int_equal(second_result, 0);
	assert_int_equal(wb->stats.last_bytes, 4096);
	assert_backing(0, 4096, 10);
}

/* Steps, so that a flush need not wait for all of it. */
static void background(void **state)
{
	uint64_t total;

	(void)state;
	memset(memory, 5, SIZE);
	dirty_mark(&wb->dirty, 1, 0, SIZE);
	assert_int_equal(writeback_progress(wb, &total), 0);
	assert_int_equal(total, 0);
	writeback_adopt(wb);
	assert_int_equal(writeback_progress(wb, &total), 0);
	assert_int_equal(total, 8 * MIB);
	run_until_idle();
	assert_backing(0, SIZE, 5);
	assert_int_equal(dirty_bytes(&wb->dirty), 0);
	assert_int_equal(wb->stats.written, SIZE);
	assert_int_equal(wb->stats.flushes, 0);
}

static void cancelled(void **state)
{
	(void)state;
	/* In the queue: what was named is forgotten. */
	dirty_orphan(&wb->dirty, 0, SIZE);
	writeback_adopt(wb);
	store_named(MIB, 4096, 1);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	writeback_cancel(wb, &request);
	writeback_cancel(wb, &request);
	run_until_idle();
	assert_int_equal(result, PENDING);
	assert_int_equal(blockmap_count(&wb->named), 0);
	/* In a round: it goes on. */
	store_named(2 * MIB, 4096, 2);
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	writeback_cancel(wb, &request);
	run_until_idle();
	assert_int_equal(result, PENDING);
	assert_backing(2 * MIB, 4096, 2);
	/* Ended, but not told yet. */
	writeback_submit(wb, &request, WRITEBACK_FLUSH, false);
	assert_int_equal(wb->round.phase, ROUND_IDLE);
	writeback_cancel(wb, &request);
	assert_return_code(sd_event_run(event, 0), 0);
	assert_int_equal(result, PENDING);
}

/* ---- Descriptors --------------------------------------------------------- */

/* The lowest descriptor that is free. */
static int free_fd(void)
{
	int fd = dup(backing.fd);

	assert_return_code(fd, errno);
	close(fd);
	return fd;
}

/* However far it comes, it fails cleanly, and nothing of it is left. */
static void no_descriptors(void **state)
{
	struct writeback *other;
	struct rlimit old, limit;
	int first = free_fd(), more;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	limit = old;
	for (more = 0; more < 2; more++) {
		limit.rlim_cur = (rlim_t)(first + more);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		assert_int_equal(writeback_new(&other, event, "y", &backing,
					       &dirty, memory, &why), -EMFILE);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
		assert_contains(why.message, more ? "eventfd" : "io_uring");
		assert_int_equal(free_fd(), first);
	}
	assert_int_equal(writeback_new(&other, event, "y", &backing, &dirty,
				       memory, &why), 0);
	assert_true(free_fd() > first);
	writeback_free(other);
	assert_int_equal(free_fd(), first);
	/* The one that is there goes on. */
	store_named(0, 4096, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE(flush_named),
		FIXTURE(fua_alone),
		FIXTURE(flushes_share),
		FIXTURE(background),
		FIXTURE(cancelled),
		FIXTURE(no_descriptors),
	};

	return cmocka_run_group_tests_name("writeback", tests, make_dir,
					   remove_dir);
}
