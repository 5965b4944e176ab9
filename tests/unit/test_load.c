// SPDX-License-Identifier: GPL-2.0
/*
 * Loading a backing into its staging (target/load.c, prepare.c): what clients
 * read is what the backing has, or it fails. On real disks; killed for real.
 */
#include "test.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "fixture_staged.h"

static void loaded_once(void **state)
{
	struct identity before;

	(void)state;
	assert_int_equal(open_store(), 0);
	assert_false(store.created);
	assert_int_equal(store.size, SIZE);
	assert_int_equal(store.allocated, 0);
	assert_true(store_must_load(&store));
	assert_true(store.clean);
	before = store.identity;
	assert_int_equal(prepare_store(), 0);
	assert_int_equal(prepare.steps_bytes, SIZE);
	assert_false(store_must_load(&store));
	assert_as_backing(disk_path("disk"));
	close_store();

	/* The next time it is there, and not read again. */
	assert_int_equal(open_store(), 0);
	assert_false(store_must_load(&store));
	assert_true(store.allocated >= SIZE);
	assert_same(&before);
	assert_int_equal(prepare_store(), 0);
	assert_as_backing(disk_path("disk"));
	close_store();
}

static void holes(void **state)
{
	static const char * const punches[] = {
		"-o 0 -l 4096", "-o 1M -l 2M", "-o 3100K -l 8K", "-o 5M -l 1M",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(punches) / sizeof(punches[0]); i++)
		assert_true(disk_run("fallocate -p %s '%s'", punches[i],
				     disk_path("disk")));
	start();
	assert_int_equal(prepare.steps_bytes, SIZE);
	assert_as_backing(disk_path("disk"));
	close_store();
	/* Nothing but a hole. */
	assert_true(disk_run("rm -f %s '%s' && truncate -s 1M '%s'", staging,
			     disk_path("disk"), disk_path("disk")));
	start();
	assert_int_equal(prepare.steps_bytes, MIB);
	assert_as_backing(disk_path("disk"));
	close_store();
}

/* Blocks of 1 KiB: a hole begins, and ends, within a unit of what is read. */
static void holes_of_small_blocks(void **state)
{
	const char *loop = disk_loop("ext4.img", 32 * MIB, 512);
	char path[PATH_MAX];

	(void)state;
	if (!loop)
		skip();
	snprintf(path, sizeof(path), "%s/x", disk_path("mnt"));
	assert_true(disk_ext4(loop, "-b 1024"));
	assert_true(disk_run("truncate -s %llu '%s' && for at in 5 14 1030 1039; do head -c 1024 /dev/urandom | dd of='%s' bs=1024 seek=$at conv=notrunc status=none || exit; done; sync '%s'",
			     (unsigned long long)SIZE, path, path, path));
	assert_int_equal(spec_set(&spec, "path", path, &why), 0);
	start();
	assert_as_backing(path);
	close_store();
	assert_true(disk_umount());
	disk_unloop(loop);
}

static void cancelled(void **state)
{
	const struct store_load load = {
		.map = prepare.map, .length = MIB,
		.cancel = &prepare.job.cancel, .done = &prepare.steps_bytes,
	};

	(void)state;
	assert_int_equal(open_store(), 0);
	atomic_store(&prepare.job.cancel, true);
	assert_int_equal(store.ops->load(&store, &load, &why), -ECANCELED);
	store_discard(&store);
	assert_int_equal(access(staging, F_OK), -1);
	assert_int_equal(access(disk_path("disk"), F_OK), 0);
}

static void truncated_while_it_loads(void **state)
{
	(void)state;
	assert_int_equal(open_store(), 0);
	assert_int_equal(truncate(disk_path("disk"), 3 << 20), 0);
	assert_int_equal(prepare_store(), -ESTALE);
	assert_contains(why.message, "3145728 bytes now");
	munmap(prepare.map, store_map_size(&store));
	store_discard(&store);
}

/* What is behind the loop device ends before the loop device does. */
static void a_read_error(void **state)
{
	const char *loop = disk_loop("broken", 8 * MIB, 512);

	(void)state;
	if (!loop)
		skip();
	assert_int_equal(truncate(disk_path("broken"), 5 << 20), 0);
	begin_disk(loop);
	assert_int_equal(open_store(), 0);
	assert_int_equal(prepare_store(), -EIO);
	assert_contains(why.message, "at offset 5242880: Input/output error");
	munmap(prepare.map, store_map_size(&store));
	store_discard(&store);
	assert_int_equal(access(staging, F_OK), -1);
	disk_unloop(loop);
}

/* ---- Killed while it loads ----------------------------------------------- */

static void load_and_say_so(int fd)
{
	if (open_store() || prepare_store())
		_exit(1);
	if (write(fd, "y", 1) != 1)
		_exit(1);
	pause();
}

/* Microseconds until it was loaded, or until it was killed. */
static long kill_after(long us)
{
	struct timespec from, to, pause_ = { 0, us * 1000 };
	int pipes[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(pipes), 0);
	clock_gettime(CLOCK_MONOTONIC, &from);
	pid = fork();
	if (!pid)
		load_and_say_so(pipes[1]);
	if (us)
		nanosleep(&pause_, NULL);
	else
		assert_int_equal(read(pipes[0], &byte, 1), 1);
	clock_gettime(CLOCK_MONOTONIC, &to);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(pipes[0]);
	close(pipes[1]);
	return (to.tv_sec - from.tv_sec) * 1000000 +
	       (to.tv_nsec - from.tv_nsec) / 1000;
}

static void killed_while_it_loads(void **state)
{
	const int rounds = 40;
	struct identity before;
	unsigned int loading = 0;
	long us;
	int i;

	(void)state;
	start();
	before = store.identity;
	close_store();
	assert_int_equal(unlink(staging), 0);
	us = kill_after(0);
	for (i = 0; i < rounds; i++) {
		assert_int_equal(unlink(staging), access(staging, F_OK));
		kill_after(us * (i + 1) / rounds);
		start();
		assert_same(&before);
		loading += prepare.load;
		assert_as_backing(disk_path("disk"));
		close_store();
	}
	/* Both must have been seen, or the rounds were in vain. */
	print_message("killed %d times, %u before it was complete\n", rounds,
		      loading);
	assert_true(loading > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGED_TEST(loaded_once),
		STAGED_TEST(holes),
		STAGED_TEST(holes_of_small_blocks),
		STAGED_TEST(cancelled),
		STAGED_TEST(truncated_while_it_loads),
		STAGED_TEST(a_read_error),
		STAGED_TEST(killed_while_it_loads),
	};

	return cmocka_run_group_tests_name("loading", tests, setup, teardown);
}
