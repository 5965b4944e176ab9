// SPDX-License-Identifier: GPL-2.0
/*
 * How an export with a backing goes (target/export_drain.c, export_work.c):
 * it is written back first, and what was made for it is removed only when
 * nothing came of it. Without RDMA devices, on real files.
 */
#include "test.h"

#include <errno.h>
#include <sys/mman.h>

#include "backing.h"
#include "clock.h"
#include "config.h"
#include "disk.h"
#include "export.h"
#include "export_drain.h"
#include "export_work.h"
#include "staging.h"
#include "timer.h"

#define MIB		((uint64_t)1 << 20)
#define DEADLINE_US	(20 * USEC_PER_SEC)

static struct daemon daemon_;
static struct config config;
static struct export *export;
static char staging[64];
static unsigned int events[EXPORT_EVENT_GONE + 1];
static struct reason why, told;

static void on_export(struct export_watch *watch, struct export *which,
		      enum export_event event, const struct reason *reason)
{
	(void)watch;
	assert_ptr_equal(which, export);
	events[event]++;
	if (reason)
		told = *reason;
}

static struct export_watch watch = { .event = on_export };

static int setup(void **state)
{
	if (disk_setup(state))
		return -1;
	snprintf(staging, sizeof(staging), "/dev/shm/rdmablk-test-%d",
		 getpid());
	if (snprintf(config.state_dir, sizeof(config.state_dir), "%s",
		     disk_dir) >= (int)sizeof(config.state_dir))
		return -1;
	return disk_run("mkdir '%s'", disk_path("exports")) ? 0 : -1;
}

static int teardown(void **state)
{
	disk_run("rm -f %s*", staging);
	return disk_teardown(state);
}

static void specify(struct spec *spec)
{
	assert_int_equal(spec_init(spec, "x", &why), 0);
	assert_int_equal(spec_set(spec, "store", "file", &why), 0);
	assert_int_equal(spec_set(spec, "path", disk_path("disk"), &why), 0);
	assert_int_equal(spec_set(spec, "size", "4M", &why), 0);
	assert_int_equal(spec_set(spec, "staging", staging, &why), 0);
	assert_int_equal(spec_check(spec, &why), 0);
}

/* As export_add() and its job would leave it, were there an RDMA device. */
static void open_export(void)
{
	struct store *store;

	export = calloc(1, sizeof(*export));
	assert_non_null(export);
	store = &export->store;
	export->daemon = &daemon_;
	specify(&export->spec);
	TAILQ_INIT(&export->regions);
	TAILQ_INIT(&export->prepare.regions);
	TAILQ_INIT(&export->claims);
	TAILQ_INIT(&export->watches);
	assert_int_equal(store_open(store, &export->spec, config.state_dir,
				    &why), 0);
	export->map = mmap(NULL, store_map_size(store), PROT_READ | PROT_WRITE,
			   MAP_SHARED, store->fd, 0);
	assert_ptr_not_equal(export->map, MAP_FAILED);
	if (store_must_load(store))
		store->ops->loaded(store);
	assert_int_equal(export_drain_open(export, store, export->map,
					   &export->writeback, &why), 0);
	assert_int_equal(timer_new(daemon_.event, &export->timer,
				   export_work_tick, export), 0);
	export->prepare.nr_steps = 1;
	export->state = EXPORT_READY;
	TAILQ_INSERT_TAIL(&daemon_.exports, export, entry);
	export_watch(export, &watch);
	writeback_adopt(export->writeback);
}

static int begin(void **state)
{
	(void)state;
	disk_run("rm -f %s* '%s' '%s'", staging, disk_path("disk"),
		 disk_path("exports/x.json"));
	daemon_ = (struct daemon){ .config = &config };
	TAILQ_INIT(&daemon_.exports);
	TAILQ_INIT(&daemon_.devices);
	memset(events, 0, sizeof(events));
	if (sd_event_new(&daemon_.event) < 0)
		return -1;
	open_export();
	return 0;
}

static int end(void **state)
{
	(void)state;
	daemon_.event = sd_event_unref(daemon_.event);
	return 0;
}

/* A writer came, wrote, and is gone. */
static void write_some(char byte)
{
	assert_int_equal(store_save(&export->store, &why), 0);
	dirty_mark(&export->writeback->dirty, 0, MIB, 4096);
	memset((char *)export->map + MIB, byte, 4096);
}

static void run_until(enum export_event event)
{
	uint64_t deadline = clock_now_us() + DEADLINE_US;

	while (!events[event]) {
		assert_true(clock_now_us() < deadline);
		assert_return_code(sd_event_run(daemon_.event, USEC_PER_SEC),
				   0);
	}
	if (event == EXPORT_EVENT_GONE)
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
	run_until(EXPORT_EVENT_GONE);
	assert_disk('a');
	assert_false(there_is(staging));
	assert_true(there_is(disk_path("exports/x.json")));
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
	run_until(EXPORT_EVENT_GONE);
	assert_disk('b');
	assert_true(there_is(staging));

	events[EXPORT_EVENT_GONE] = 0;
	daemon_.stopping = false;
	open_export();
	assert_true(sd_id128_equal(export->store.identity.generation,
				   generation));
	assert_true(export->store.clean);
	export_remove(export, false);
	run_until(EXPORT_EVENT_GONE);
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
	run_until(EXPORT_EVENT_GONE);
	assert_disk('c');

	events[EXPORT_EVENT_GONE] = 0;
	open_export();
	write_some('d');
	assert_int_equal(unlink(disk_path("disk")), 0);
	writeback_adopt(export->writeback);
	export_remove(export, false);
	assert_true(export_drain_any(&daemon_, &done));
	run_until(EXPORT_EVENT_KEPT);
	assert_false(export_drain_any(&daemon_, &done));
	assert_contains(told.message, "and stays");
	assert_contains(told.message, "was deleted");
	assert_contains(told.hint, staging);
	assert_int_equal(export->state, EXPORT_READY);
	assert_int_equal(events[EXPORT_EVENT_GONE], 0);

	export_retry(export);
	export_retry(export);
	run_until(EXPORT_EVENT_RETRIED);
	assert_int_equal(events[EXPORT_EVENT_RETRIED], 1);
	assert_contains(told.message, "was deleted");

	/* By force: the staging has what there is. */
	export_remove(export, true);
	run_until(EXPORT_EVENT_GONE);
	assert_true(there_is(staging));
}

static int until_cancelled(struct job *job)
{
	while (!atomic_load(&job->cancel))
		usleep(1000);
	return -ECANCELED;
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
	export->prepare.job.work = until_cancelled;
	export->prepare.job.done = export_work_prepared;
	export->busy = true;
	assert_int_equal(job_start(&export->prepare.job, daemon_.event, &why),
			 0);
	export_remove(export, false);
	run_until(EXPORT_EVENT_GONE);
	assert_disk('e');
}

/* One that never was ready leaves nothing. */
static void removed_too_early(void **state)
{
	(void)state;
	export->state = EXPORT_PREPARING;
	export->prepare.job.work = until_cancelled;
	export->prepare.job.done = export_work_prepared;
	export->busy = true;
	assert_int_equal(job_start(&export->prepare.job, daemon_.event, &why),
			 0);
	export_remove(export, false);
	run_until(EXPORT_EVENT_GONE);
	assert_false(there_is(disk_path("disk")));
	assert_false(there_is(staging));
	assert_false(there_is(disk_path("exports/x.json")));
}

#define EXPORT_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		EXPORT_TEST(removed),
		EXPORT_TEST(stopped),
		EXPORT_TEST(kept),
		EXPORT_TEST(removed_without_a_device),
		EXPORT_TEST(removed_too_early),
	};

	return cmocka_run_group_tests_name("export", tests, setup, teardown);
}
