// SPDX-License-Identifier: GPL-2.0
/*
 * Stores file and blk (target/staged.c, store_file.c, store_blk.c): files that
 * are made, and what clients may take the contents for.
 */
#include "test.h"

#include "fixture_staged.h"

/* ---- Files that are made ------------------------------------------------- */

static uint64_t blocks(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

static void made(void **state)
{
	(void)state;
	assert_int_equal(unlink(disk_path("disk")), 0);
	assert_int_equal(open_store(), -ENOENT);
	assert_contains(why.hint, "size");
	assert_int_equal(spec_set(&spec, "size", "8M", &why), 0);
	start();
	assert_true(store.created);
	assert_true(blocks(disk_path("disk")) < MIB);
	close_store();
	/* It is there now. */
	start();
	assert_false(store.created);
	close_store();
	assert_int_equal(spec_set(&spec, "size", "9M", &why), 0);
	assert_int_equal(open_store(), -EINVAL);
	assert_contains(why.message, "8388608 bytes, not 9437184");
	assert_int_equal(access(disk_path("disk"), F_OK), 0);
}

static void made_in_full(void **state)
{
	(void)state;
	assert_int_equal(unlink(disk_path("disk")), 0);
	assert_int_equal(spec_set(&spec, "prealloc", "yes", &why), 0);
	assert_int_equal(open_store(), -EINVAL);
	assert_int_equal(spec_set(&spec, "size", "8M", &why), 0);
	start();
	assert_true(blocks(disk_path("disk")) >= 8 * MIB);
	close_store();
}

/* Its disk may just not be mounted: nothing empty takes its place. */
static void not_made_again(void **state)
{
	(void)state;
	start();
	close_store();
	assert_int_equal(unlink(disk_path("disk")), 0);
	assert_int_equal(spec_set(&spec, "size", "8M", &why), 0);
	assert_int_equal(open_store(), -ENOENT);
	assert_contains(why.message, "has had contents");
	assert_contains(why.hint, record);
	assert_int_equal(access(disk_path("disk"), F_OK), -1);
	assert_int_equal(access(record, F_OK), 0);
	/* Unless that is what somebody wants. */
	assert_int_equal(unlink(record), 0);
	start();
	assert_true(store.created);
	close_store();
}

static void nothing_is_left_of_a_failure(void **state)
{
	(void)state;
	assert_int_equal(unlink(disk_path("disk")), 0);
	assert_int_equal(spec_set(&spec, "size", "8M", &why), 0);
	assert_int_equal(open_store(), 0);
	store_discard(&store);
	assert_int_equal(access(disk_path("disk"), F_OK), -1);
	assert_int_equal(access(staging, F_OK), -1);
	assert_int_equal(access(record, F_OK), -1);
	/* Nor when the staging cannot be made. */
	strcpy(spec.staging, "/no/such/place");
	assert_int_equal(open_store(), -ENOENT);
	assert_contains(why.message, "/no/such/place");
	assert_int_equal(access(disk_path("disk"), F_OK), -1);
	strcpy(spec.staging, disk_path("staging"));
	assert_int_equal(open_store(), -EINVAL);
	assert_contains(why.message, "not on tmpfs");
	assert_int_equal(access(disk_path("disk"), F_OK), -1);
	assert_int_equal(access(disk_path("staging"), F_OK), -1);
}

/* ---- Which contents ------------------------------------------------------ */

static void somebody_else_wrote(void **state)
{
	struct identity before;
	int fd;

	(void)state;
	start();
	write_some('a');
	before = store.identity;
	write_back();
	close_store();
	fd = open(disk_path("disk"), O_WRONLY);
	assert_int_equal(pwrite(fd, "elsewhere", 9, 0), 9);
	close(fd);
	start();
	assert_false(same_generation(&before));
	assert_false(same_instance(&before));
	assert_memory_equal(prepare.map, "elsewhere", 9);
	close_store();
}

static void a_file_put_in_its_place(void **state)
{
	struct identity before;

	(void)state;
	start();
	before = store.identity;
	close_store();
	assert_true(disk_run("cp -p '%s' '%s' && mv '%s' '%s'",
			     disk_path("disk"), disk_path("copy"),
			     disk_path("copy"), disk_path("disk")));
	start();
	assert_false(same_generation(&before));
	before = store.identity;
	/* With what another file's staging lacks to be written back. */
	write_some('a');
	close_store();
	assert_true(disk_run("cp -p '%s' '%s' && mv '%s' '%s'",
			     disk_path("disk"), disk_path("copy"),
			     disk_path("disk"), disk_path("first")));
	assert_int_equal(rename(disk_path("copy"), disk_path("disk")), 0);
	assert_int_equal(open_store(), -ENOTEMPTY);
	assert_contains(why.message, "which is not");
	assert_contains(why.hint, staging);
	/* Nothing happened to it. */
	assert_int_equal(rename(disk_path("first"), disk_path("disk")), 0);
	start();
	assert_same(&before);
	assert_int_equal(*(char *)prepare.map, 'a');
	close_store();
}

static void a_lost_record(void **state)
{
	struct identity before;

	(void)state;
	start();
	before = store.identity;
	close_store();
	assert_int_equal(unlink(record), 0);
	start();
	assert_false(same_generation(&before) || same_instance(&before));
	before = store.identity;
	write_some('a');
	close_store();
	/* What the backing lacks is kept all the same. */
	assert_int_equal(unlink(record), 0);
	start();
	assert_false(same_generation(&before) || same_instance(&before));
	assert_int_equal(*(char *)prepare.map, 'a');
	assert_true(staging_is_dirty(store.staging));
	close_store();
}

static void a_disk(void **state)
{
	const char *loop = disk_loop("loop", 8 * MIB, 4096);
	struct identity before;
	int fd;

	(void)state;
	if (!loop)
		skip();
	assert_true(disk_run("head -c 8M /dev/urandom >%s", loop));
	begin_disk(loop);
	start();
	assert_int_equal(store.size, 8 * MIB);
	assert_as_backing(loop);
	write_some('a');
	before = store.identity;
	close_store();

	start();		/* killed */
	assert_same(&before);
	assert_int_equal(*(char *)prepare.map, 'a');
	write_back();
	close_store();
	/* Whether somebody else wrote cannot be seen: it is read again. */
	fd = open(loop, O_WRONLY);
	assert_int_equal(pwrite(fd, "elsewhere", 9, 0), 9);
	assert_int_equal(fsync(fd), 0);
	close(fd);
	assert_int_equal(open_store(), 0);
	assert_true(store_must_load(&store));
	assert_int_equal(prepare_store(), 0);
	assert_same(&before);
	assert_memory_equal(prepare.map, "elsewhere", 9);
	close_store();
	disk_unloop(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGED_TEST(made),
		STAGED_TEST(made_in_full),
		STAGED_TEST(not_made_again),
		STAGED_TEST(nothing_is_left_of_a_failure),
		STAGED_TEST(somebody_else_wrote),
		STAGED_TEST(a_file_put_in_its_place),
		STAGED_TEST(a_lost_record),
		STAGED_TEST(a_disk),
	};

	return cmocka_run_group_tests_name("staged", tests, setup, teardown);
}
