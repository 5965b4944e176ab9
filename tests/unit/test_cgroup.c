// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory control groups leave (target/cgroup.c), in a tree of files
 * like that of the kernel.
 */
#include "test.h"

#include <errno.h>
#include <stdio.h>

#include "cgroup.h"
#include "disk.h"

static uint64_t room;

static void put(const char *path, const char *text)
{
	FILE *file = fopen(disk_path(path), "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A group "/a/b" in the tree: what it may use, and uses, in "a/b" and "a". */
static int begin(void **state)
{
	if (disk_setup(state) || !disk_run("mkdir -p '%s'", disk_path("a/b")))
		return -1;
	put("self", "12:pids:/other\n0::/a/b\n");
	put("a/memory.max", "max\n");
	put("a/b/memory.max", "1000000\n");
	put("a/b/memory.current", "600000\n");
	put("a/b/memory.stat", "anon 1\nactive_file 50000\ninactive_file 50000\n");
	return 0;
}

static int ask(void)
{
	return cgroup_room_below(disk_dir, disk_path("self"), &room);
}

static void one_limit(void **state)
{
	(void)state;
	assert_int_equal(ask(), 0);
	assert_int_equal(room, 500000);
}

static void the_least_counts(void **state)
{
	(void)state;
	put("a/memory.max", "700000\n");
	put("a/memory.current", "690000\n");
	assert_int_equal(ask(), 0);
	assert_int_equal(room, 10000);
	put("a/memory.current", "800000\n");
	assert_int_equal(ask(), 0);
	assert_int_equal(room, 0);
}

static void no_limit(void **state)
{
	(void)state;
	put("a/b/memory.max", "max\n");
	assert_int_equal(ask(), -ENOENT);
	put("self", "0::/\n");
	assert_int_equal(ask(), -ENOENT);
	put("self", "");
	assert_int_equal(ask(), -ENOENT);
	put("self", "0::no/slash/first\n");
	assert_int_equal(ask(), -ENOENT);
}

static void not_numbers(void **state)
{
	(void)state;
	put("a/b/memory.max", "\n");
	assert_int_equal(ask(), -ENOENT);
	put("a/b/memory.max", "1000000\n");
	put("a/b/memory.current", "x\n");
	assert_int_equal(ask(), -ENOENT);
	put("a/b/memory.current", "600000\n");
	put("a/b/memory.stat", "active_file x\n");
	assert_int_equal(ask(), 0);
	assert_int_equal(room, 400000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_limit, begin, disk_teardown),
		cmocka_unit_test_setup_teardown(the_least_counts, begin,
						disk_teardown),
		cmocka_unit_test_setup_teardown(no_limit, begin, disk_teardown),
		cmocka_unit_test_setup_teardown(not_numbers, begin,
						disk_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
