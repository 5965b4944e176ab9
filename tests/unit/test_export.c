// SPDX-License-Identifier: GPL-2.0
/*
 * How an export with a backing goes (target/export_drain.c, export_work.c):
 * it is written back first, and what was made for it is removed only when
 * nothing came of it. Without RDMA devices, on real files.
 */
#include "test.h"

#include "fixture_export.h"

static void open_ready(void)
{
	struct spec spec;

	specify(&spec, "file");
	open_export(&spec);
	writeback_adopt(export->writeback);
}

static int begin_ready(void **state)
{
	if (begin(state))
		return -1;
	open_ready();
	return 0;
}

/* A writer came, wrote, and is gone. */
static void write_some(char byte)
{
	assert_int_equal(store_save(&export->store, &why), 0);
	dirty_mark(&export->writeback->dirty, 0, MIB, 4096);
	memset((char *)export->map + MIB, byte, 4096);
}

static void run_until_gone(void)
{
	run_until(EXPORT_EVENT_GONE);
	assert_true(TAILQ_EMPTY(&daemon_.exports));
}

static bool there_is(const char *path)
{
	return !access(path, F_OK);
}

static void assert_disk(char byte)
{
	int fd = open(disk_path("disk"), O_RDONLY);
	char got[4096];

	assert_return_code(fd, errno);
	assert_int_equal(pread(fd, got, sizeof(got), MIB), sizeof(got));
	assert_int_equal(got[0], byte);
	assert_int_equal(got[4095], byte);
	close(fd);
}

static void removed(void **state)
{
	(void)state;
	write_some('a');
	writeback_adopt(export->writeback);
	export_remove(export, false);
	assert_true(export_leaving(export));
	assert_true(export_writing_back(export));
	run_until_gone();
	assert_disk('a');
	assert_false(there_is(memory));
	assert_true(there_is(disk_path("exports/x.json")));
}

/* The next daemon finds the same contents, all of them in the backing. */
static void assert_as_before(sd_id128_t generation)
{
	daemon_.stopping = false;
	open_ready();
	assert_true(sd_id128_equal(export->store.identity.generation,
				   generation));
	assert_true(export->store.clean);
	export_remove(export, false);
	run_until_gone();
}

/* The daemon stops: the next one need not read the file. */
static void stopped(void **state)
{
	sd_id128_t generation = export->store.identity.generation;

	(void)state;
	write_some('b');
	writeback_adopt(export->writeback);
	daemon_.stopping = true;
	export_remove(export, true);
	run_until_gone();
	assert_disk('b');
	assert_true(there_is(memory));

	assert_as_before(generation);
}

/* Truncated: it stays, until it is written back after all. */
static void kept(void **state)
{
	uint64_t done;

	(void)state;
	write_some('c');
	assert_int_equal(truncate(disk_path("disk"), 4096), 0);
	writeback_adopt(export->writeback);
	export_remove(export, false);
	/* Trying again, with which a removal begins, makes it good. */
	run_until_gone();
	assert_disk('c');

	open_ready();
	write_some('d');
	assert_int_equal(unlink(disk_path("disk")), 0);
	writeback_adopt(export->writeback);
	export_remove(export, false);
	assert_true(export_drain_any(&daemon_, &done));
	run_until(EXPORT_EVENT_KEPT);
	assert_false(export_drain_any(&daemon_, &done));
	assert_contains(told.message, "and stays");
	assert_contains(told.message, "was deleted");
	assert_contains(told.hint, memory);
	assert_int_equal(export->state, EXPORT_READY);
	assert_int_equal(events[EXPORT_EVENT_GONE], 0);

	export_retry(export);
	export_retry(export);
	run_until(EXPORT_EVENT_RETRIED);
	assert_int_equal(events[EXPORT_EVENT_RETRIED], 0);
	assert_contains(told.message, "was deleted");

	/* By force: the staging has what there is. */
	export_remove(export, true);
	run_until_gone();
	assert_true(there_is(memory));
}

/* Nobody wrote to it, and its file is deleted: the memory is all that is left. */
static void deleted_unwritten(void **state)
{
	(void)state;
	assert_true(export->store.clean);
	assert_int_equal(unlink(disk_path("disk")), 0);
	export_remove(export, true);
	run_until_gone();
	assert_true(there_is(memory));
}

/* Likewise, and it is cut short: it gets all of it back, and is what it was. */
static void truncated_unwritten(void **state)
{
	sd_id128_t generation = export->store.identity.generation;

	(void)state;
	assert_int_equal(truncate(disk_path("disk"), 4096), 0);
	export_retry(export);
	run_until(EXPORT_EVENT_RETRIED);
	assert_contains(told.message, "has 4096 bytes now");
	export_retry(export);
	run_until(EXPORT_EVENT_RETRIED);
	assert_string_equal(told.message, "");
	daemon_.stopping = true;
	export_remove(export, true);
	run_until_gone();

	assert_as_before(generation);
}

static int until_cancelled(struct job *job)
{
	while (!atomic_load(&job->cancel))
		usleep(1000);
	return -ECANCELED;
}

static void prepare_until_cancelled(void)
{
	export->prepare.job.work = until_cancelled;
	export->prepare.job.done = export_work_prepared;
	export->busy = true;
	assert_int_equal(job_start(&export->prepare.job, daemon_.event, &why),
			 0);
}

/*
 * Its only RDMA device went away, it is being registered on another one, and
 * is removed: the file that was made for it has its contents by now.
 */
static void removed_without_a_device(void **state)
{
	(void)state;
	assert_true(export->store.created);
	write_some('e');
	writeback_adopt(export->writeback);
	prepare_until_cancelled();
	export_remove(export, false);
	run_until_gone();
	assert_disk('e');
}

/* One that never was ready leaves nothing. */
static void removed_too_early(void **state)
{
	(void)state;
	export->state = EXPORT_PREPARING;
	prepare_until_cancelled();
	export_remove(export, false);
	run_until_gone();
	assert_false(there_is(disk_path("disk")));
	assert_false(there_is(memory));
	assert_false(there_is(disk_path("exports/x.json")));
}

#define EXPORT_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, begin_ready, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EXPORT_TEST(removed),
		EXPORT_TEST(stopped),
		EXPORT_TEST(kept),
		EXPORT_TEST(deleted_unwritten),
		EXPORT_TEST(truncated_unwritten),
		EXPORT_TEST(removed_without_a_device),
		EXPORT_TEST(removed_too_early),
	};

	return cmocka_run_group_tests_name("export", tests, setup, teardown);
}
