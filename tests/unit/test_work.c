// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs, filling a region, and the limits that are looked at before
 * (target/job.c, prepare.c, capacity.c, cgroup.c, lib/procfile.c).
 */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capacity.h"
#include "cgroup.h"
#include "job.h"
#include "macros.h"
#include "prepare.h"
#include "procfile.h"

#define MIB	((uint64_t)1 << 20)

static struct reason why;
static sd_event *event;
static int result;

static int setup(void **state)
{
	(void)state;
	return sd_event_new(&event) < 0 ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	event = sd_event_unref(event);
	return 0;
}

static void done(struct job *job, int err)
{
	(void)job;
	result = err;
	sd_event_exit(event, 0);
}

static int run_job(struct job *job)
{
	job->done = done;
	result = 1;
	assert_int_equal(job_start(job, event, &why), 0);
	assert_int_equal(sd_event_loop(event), 0);
	return result;
}

/* ---- Filling ---------------------------------------------------------------- */

static void open_mem(struct store *store, const char *text)
{
	struct spec spec;

	assert_int_equal(spec_parse(&spec, text, &why), 0);
	assert_int_equal(store_open(store, &spec, "/nonexistent", &why), 0);
}

static uint64_t pages_present(void *map, uint64_t size)
{
	unsigned char *vector = calloc(1, size / 4096 + 1);
	uint64_t present = 0, i;

	assert_int_equal(mincore(map, size, vector), 0);
	for (i = 0; i < size / 4096; i++)
		present += vector[i] & 1;
	free(vector);
	return present;
}

static void fill(const char *text, bool cancel, int expect, uint64_t bytes)
{
	struct prepare prepare = { .job.work = prepare_work, .nr_steps = 1 };
	struct layout layout;
	struct store store;
	uint64_t size;

	open_mem(&store, text);
	size = store_map_size(&store);
	assert_int_equal(layout_cut(&layout, store.size, MIB, UINT64_MAX, &why),
			 0);
	prepare.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			   store.fd, 0);
	assert_ptr_not_equal(prepare.map, MAP_FAILED);
	prepare.store = &store;
	prepare.layout = &layout;
	TAILQ_INIT(&prepare.regions);
	if (cancel) {
		/* As soon as it runs: the thread has not begun to work yet. */
		prepare.job.done = done;
		assert_int_equal(job_start(&prepare.job, event, &why), 0);
		job_cancel(&prepare.job);
		assert_int_equal(sd_event_loop(event), 0);
		assert_true(result == expect || result == 0);
	} else {
		assert_int_equal(run_job(&prepare.job), expect);
		assert_int_equal(prepare.steps_bytes, bytes);
		assert_int_equal(pages_present(prepare.map, size),
				 size / 4096);
	}
	munmap(prepare.map, size);
	store_close(&store);
}

static void fills_every_page(void **state)
{
	(void)state;
	fill("x:size=3M", false, 0, 3 * MIB);
}

static void fills_an_odd_end(void **state)
{
	(void)state;
	fill("x:size=1049088", false, 0, 1049088);
}

static void fills_less_than_an_extent(void **state)
{
	(void)state;
	fill("x:size=4608", false, 0, 4608);
}

static void can_be_cancelled(void **state)
{
	(void)state;
	fill("x:size=64M", true, -ECANCELED, 0);
}

static int fails(struct job *job)
{
	return reason_set(&job->why, -EIO, "out of luck");
}

static void tells_why(void **state)
{
	struct job job = { .work = fails };

	(void)state;
	assert_int_equal(run_job(&job), -EIO);
	assert_string_equal(job.why.message, "out of luck");
}

/* ---- Limits ------------------------------------------------------------------ */

static void more_than_the_memory(void **state)
{
	struct store store;

	(void)state;
	open_mem(&store, "x:size=1M");
	assert_int_equal(capacity_memory(&store, 0, &why), 0);
	assert_int_equal(capacity_memory(&store, (uint64_t)1 << 50, &why),
			 -ENOMEM);
	store_close(&store);
	open_mem(&store, "x:size=1P");
	assert_int_equal(capacity_memory(&store, 0, &why), -ENOMEM);
	assert_contains(why.message, "the region needs 1.0 PiB");
	assert_contains(why.message, "too much");
	/* What is allocated already is not needed again. */
	store.allocated = store.size;
	assert_int_equal(capacity_memory(&store, (uint64_t)1 << 50, &why), 0);
	store_close(&store);
	assert_int_equal(capacity_step(MIB, &why), 0);
	assert_int_equal(capacity_step((uint64_t)1 << 50, &why), -ENOMEM);
}

static void huge_pages_that_are_not_there(void **state)
{
	struct store store = {
		.fd = -1, .size = (uint64_t)1 << 50, .page_size = 2 * MIB,
	};
	int err = capacity_memory(&store, 0, &why);

	(void)state;
	assert_true(err == -ENOMEM || err == -ENOENT);
	assert_contains(why.message, "huge pages of 2 MiB");
}

static void locked_memory(void **state)
{
	struct rlimit limit, small;
	uint64_t capabilities;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &limit), 0);
	small = (struct rlimit){ .rlim_cur = 65536, .rlim_max = limit.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &small), 0);
	assert_int_equal(procfile_hex_field("/proc/self/status", "CapEff",
					    &capabilities), 0);
	if (capabilities & (1 << 14)) {		/* CAP_IPC_LOCK: no limit */
		assert_int_equal(capacity_memlock(UINT32_MAX, 0, &why), 0);
	} else {
		assert_int_equal(capacity_memlock(4096, 0, &why), 0);
		assert_int_equal(capacity_memlock(65537, 0, &why), -ENOMEM);
		assert_contains(why.message, "RLIMIT_MEMLOCK");
		assert_contains(why.hint, "LimitMEMLOCK");
	}
	assert_int_equal(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
}

static void registrations_of_a_device(void **state)
{
	const struct layout layout = { .nr = 100 };
	struct device device = { .name = "test0", .attr.max_mr = 200 };

	(void)state;
	assert_int_equal(capacity_device(&device, &layout, 2, &why), 0);
	device.attr.max_mr = 199;
	assert_int_equal(capacity_device(&device, &layout, 2, &why), -ENOSPC);
	assert_contains(why.message, "test0");
	assert_contains(why.message, "max_mr");
}

static void files_of_the_kernel(void **state)
{
	char path[] = "/tmp/rdmablk-test-XXXXXX";
	int fd = mkstemp(path);
	uint64_t value;

	(void)state;
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "Mem:\nMemTotalX: 9 kB\nMemTotal:     10 kB\nplain 7\nCap:\t00000000ff\n") > 0);
	assert_int_equal(procfile_field(path, "MemTotal", &value), 0);
	assert_int_equal(value, 10240);
	assert_int_equal(procfile_field(path, "plain", &value), 0);
	assert_int_equal(value, 7);
	assert_int_equal(procfile_field(path, "Mem", &value), -EINVAL);
	assert_int_equal(procfile_field(path, "absent", &value), -ENOENT);
	assert_int_equal(procfile_hex_field(path, "Cap", &value), 0);
	assert_int_equal(value, 255);
	assert_int_equal(procfile_number(path, &value), -EINVAL);

	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(procfile_number(path, &value), -EINVAL);
	assert_int_equal(pwrite(fd, "max\n", 4, 0), 4);
	assert_int_equal(procfile_number(path, &value), 0);
	assert_int_equal(value, UINT64_MAX);
	assert_int_equal(pwrite(fd, "123\n", 4, 0), 4);
	assert_int_equal(procfile_number(path, &value), 0);
	assert_int_equal(value, 123);
	close(fd);
	unlink(path);
	assert_int_equal(procfile_number(path, &value), -ENOENT);
	assert_int_equal(procfile_field("/proc/meminfo", "MemAvailable",
					&value), 0);
	assert_true(value > MIB);
	/* Whatever there is: it must not fail in a new way. */
	cgroup_memory_room(&value);
}

#define WORK_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WORK_TEST(fills_every_page),
		WORK_TEST(fills_an_odd_end),
		WORK_TEST(fills_less_than_an_extent),
		WORK_TEST(can_be_cancelled),
		WORK_TEST(tells_why),
		TEST(more_than_the_memory),
		TEST(huge_pages_that_are_not_there),
		TEST(locked_memory),
		TEST(registrations_of_a_device),
		TEST(files_of_the_kernel),
	};

	return cmocka_run_group_tests_name("work", tests, NULL, NULL);
}
