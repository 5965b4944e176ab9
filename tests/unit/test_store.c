// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's stores, and what they remember of their contents
 * (target/store*.c, identity.c, directory.c), on this machine's tmpfs.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"
#include "identity.h"
#include "store.h"

static char state_dir[] = "/tmp/rdmablk-test-XXXXXX";
static char file[64], record[PATH_MAX];
static struct reason why;

static int setup(void **state)
{
	char exports[64];

	(void)state;
	if (!mkdtemp(state_dir))
		return -1;
	snprintf(exports, sizeof(exports), "%s/exports", state_dir);
	snprintf(file, sizeof(file), "/dev/shm/%s", state_dir + 5);
	snprintf(record, sizeof(record), "%s/x.json", exports);
	return mkdir(exports, 0700);
}

static int teardown(void **state)
{
	char exports[64], lock[64];

	(void)state;
	snprintf(exports, sizeof(exports), "%s/exports", state_dir);
	snprintf(lock, sizeof(lock), "%s/lock", state_dir);
	unlink(file);
	unlink(record);
	unlink(lock);
	rmdir(exports);
	return rmdir(state_dir);
}

static int clean(void **state)
{
	(void)state;
	unlink(file);
	unlink(record);
	return 0;
}

static struct spec shm_spec(const char *size)
{
	struct spec spec;

	assert_int_equal(spec_init(&spec, "x", &why), 0);
	assert_int_equal(spec_set(&spec, "store", "shm", &why), 0);
	assert_int_equal(spec_set(&spec, "path", file, &why), 0);
	if (size)
		assert_int_equal(spec_set(&spec, "size", size, &why), 0);
	return spec;
}

static int open_shm(struct store *store, const char *size)
{
	struct spec spec = shm_spec(size);

	memset(&why, 0, sizeof(why));
	return store_open(store, &spec, state_dir, &why);
}

static bool same(const struct store *a, const struct store *b)
{
	return sd_id128_equal(a->identity.generation, b->identity.generation) &&
	       a->identity.instance == b->identity.instance;
}

static void shm_survives(void **state)
{
	struct store first, second;

	(void)state;
	assert_int_equal(open_shm(&first, "8M"), 0);
	assert_true(first.created);
	assert_int_equal(first.size, 8 << 20);
	assert_int_equal(first.page_size, 4096);
	first.identity.writer = UINT64_MAX;
	first.identity.era = 42;
	first.identity.holder = (struct holder){
		.host_id = { .bytes = { 1, [15] = 2 } }, .host_name = "db1",
		.client = "key1", .keep_alive_ms = 15000,
	};
	assert_int_equal(store_save(&first, &why), 0);
	store_close(&first);

	assert_int_equal(open_shm(&second, "8M"), 0);
	assert_false(second.created);
	assert_true(same(&first, &second));
	assert_int_equal(second.identity.writer, UINT64_MAX);
	assert_int_equal(second.identity.era, 42);
	assert_memory_equal(&second.identity.holder, &first.identity.holder,
			    sizeof(first.identity.holder));
	store_close(&second);

	assert_int_equal(open_shm(&second, NULL), 0);	/* size as it is */
	assert_int_equal(second.size, 8 << 20);
	assert_true(same(&first, &second));
	store_close(&second);
}

static void shm_of_another_size(void **state)
{
	struct store store;

	(void)state;
	assert_int_equal(open_shm(&store, "8M"), 0);
	store_close(&store);
	assert_int_equal(open_shm(&store, "9M"), -EINVAL);
	assert_contains(why.message, "8388608 bytes, not 9437184");
	assert_int_equal(access(file, F_OK), 0);

	/* Somebody else changed it: the contents count as new. */
	assert_int_equal(truncate(file, 4 << 20), 0);
	assert_int_equal(open_shm(&store, NULL), 0);
	assert_int_equal(store.size, 4 << 20);
	store_close(&store);
	assert_int_equal(truncate(file, 1000), 0);
	assert_int_equal(open_shm(&store, NULL), -EINVAL);
	assert_contains(why.message, "512 and 1024");
	assert_int_equal(truncate(file, 0), 0);
	assert_int_equal(open_shm(&store, NULL), -EINVAL);
}

/* Of a daemon that did not note who has the export. */
static void record_without_a_holder(void **state)
{
	struct store before, after;
	char command[PATH_MAX + 128];

	(void)state;
	assert_int_equal(open_shm(&before, "1M"), 0);
	before.identity.holder.keep_alive_ms = 15000;
	assert_int_equal(store_save(&before, &why), 0);
	store_close(&before);
	snprintf(command, sizeof(command), "sed -i /holder_/d %s", record);
	assert_int_equal(system(command), 0);
	assert_int_equal(open_shm(&after, NULL), 0);
	assert_true(same(&before, &after));
	assert_int_equal(after.identity.holder.keep_alive_ms, 0);
	store_close(&after);
}

/* Each way in which a record may not fit gives a new generation. */
static void records_that_do_not_fit(void **state)
{
	static const char * const edits[] = {
		"s/\"inode\":\"[0-9]*/\"inode\":\"1/",
		"s/\"device\":\"[0-9]*/\"device\":\"1/",
		"s/\"birth\":\"[0-9]*/\"birth\":\"1/",
		"s/\"size\":\"[0-9]*/\"size\":\"1/",
		"s/\"boot\":\"[0-9a-f]/\"boot\":\"x/",
		"s/\"version\":\"2/\"version\":\"1/",
		"s/\"era\":\"[0-9]*/\"era\":\"4294967296/",
		"s/\"instance\":\"[0-9]*/\"instance\":\"0/",
		"s/\"instance\":\"/\"instance\":\"x/",
		"s/\"instance\":\"/\"instance\":\"-/",
		"s/\"writer\":\"[0-9]*/\"writer\":\"/",
		"s/\"writer\":\"[0-9]*/\"writer\":\"-1/",
		"s/\"era\":\"/\"era\":\" /",
		"/generation/d",
		"/writer_origin/d",
		"s/\"holder_keep_alive\":\"/\"holder_keep_alive\":\"4294967296/",
		"/holder_name/d",
		"1d",
		"1,$d",
	};
	struct store before, after;
	char command[PATH_MAX + 128];
	size_t i;

	(void)state;
	assert_int_equal(open_shm(&before, "1M"), 0);
	store_close(&before);
	for (i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		snprintf(command, sizeof(command), "sed -i '%s' %s", edits[i],
			 record);
		assert_int_equal(system(command), 0);
		assert_int_equal(open_shm(&after, NULL), 0);
		assert_false(same(&before, &after));
		store_close(&after);
		before = after;
		/* What was written instead is sound. */
		assert_int_equal(open_shm(&after, NULL), 0);
		assert_true(same(&before, &after));
		store_close(&after);
	}
	assert_int_equal(unlink(record), 0);
	assert_int_equal(open_shm(&after, NULL), 0);
	assert_false(same(&before, &after));
	store_close(&after);
}

static void a_file_made_anew(void **state)
{
	struct store before, after;

	(void)state;
	assert_int_equal(open_shm(&before, "1M"), 0);
	store_close(&before);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(open_shm(&after, "1M"), 0);
	assert_false(same(&before, &after));
	store_close(&after);
}

static void a_file_in_use(void **state)
{
	struct store first, second;

	(void)state;
	assert_int_equal(open_shm(&first, "1M"), 0);
	assert_int_equal(open_shm(&second, NULL), -EBUSY);
	assert_contains(why.message, "in use");
	assert_int_equal(access(file, F_OK), 0);
	store_close(&first);
}

/* Who was first below /dev/shm would have what clients store there. */
static void a_file_of_another_user(void **state)
{
	struct store store;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(open_shm(&store, "1M"), 0);
	store_close(&store);
	assert_return_code(chown(file, 65534, 65534), errno);
	assert_int_equal(open_shm(&store, "1M"), -EPERM);
	assert_contains(why.message, "belongs to user 65534");
	assert_int_equal(access(file, F_OK), 0);
	assert_return_code(chown(file, 0, 0), errno);
	assert_int_equal(open_shm(&store, "1M"), 0);
	store_close(&store);
}

static void nothing_is_left_of_a_failure(void **state)
{
	struct store store;

	(void)state;
	assert_int_equal(open_shm(&store, NULL), -ENOENT);
	assert_contains(why.hint, "size");
	assert_int_equal(access(file, F_OK), -1);
	assert_int_equal(open_shm(&store, "1M"), 0);
	store_discard(&store);
	assert_int_equal(access(file, F_OK), -1);
	assert_int_equal(access(record, F_OK), -1);
	/* A file that was there stays. */
	assert_int_equal(open_shm(&store, "1M"), 0);
	store_close(&store);
	assert_int_equal(open_shm(&store, "1M"), 0);
	store_discard(&store);
	assert_int_equal(access(file, F_OK), 0);
}

static void other_file_systems(void **state)
{
	struct store store;
	struct spec spec = shm_spec("1M");

	(void)state;
	strcpy(spec.path, "/proc/self/cmdline");
	assert_true(store_open(&store, &spec, state_dir, &why) < 0);
	strcpy(spec.path, "/dev/shm");
	assert_true(store_open(&store, &spec, state_dir, &why) < 0);
	assert_int_equal(symlink("/etc/passwd", file), 0);
	strcpy(spec.path, file);
	assert_int_equal(store_open(&store, &spec, state_dir, &why), -ELOOP);
}

static void mem_is_always_new(void **state)
{
	struct store first, second;
	struct spec spec;

	(void)state;
	assert_int_equal(spec_parse(&spec, "x:size=5000K", &why), 0);
	assert_int_equal(store_open(&first, &spec, state_dir, &why), 0);
	assert_int_equal(first.size, 5000 << 10);
	assert_int_equal(store_map_size(&first), 5000 << 10);
	assert_int_equal(store_open(&second, &spec, state_dir, &why), 0);
	assert_false(same(&first, &second));
	assert_int_equal(store_save(&first, &why), 0);
	store_close(&first);
	store_discard(&second);
	assert_int_equal(access(record, F_OK), -1);
}

static void mem_is_mapped_in_whole_pages(void **state)
{
	struct store store;
	struct spec spec;
	struct stat st;

	(void)state;
	assert_int_equal(spec_parse(&spec, "x:size=4608", &why), 0);
	assert_int_equal(store_open(&store, &spec, state_dir, &why), 0);
	assert_int_equal(store.size, 4608);
	assert_int_equal(store_map_size(&store), 8192);
	assert_int_equal(fstat(store.fd, &st), 0);
	assert_int_equal(st.st_size, 8192);
	store_close(&store);
}

static void one_daemon(void **state)
{
	int lock = directory_lock(state_dir, &why);

	(void)state;
	assert_true(lock >= 0);
	assert_int_equal(directory_lock(state_dir, &why), -EALREADY);
	assert_contains(why.message, "already running, pid ");
	close(lock);
	lock = directory_lock(state_dir, &why);
	assert_true(lock >= 0);
	close(lock);
}

static void directories(void **state)
{
	char path[80];

	(void)state;
	snprintf(path, sizeof(path), "%s/d", state_dir);
	assert_int_equal(directory_make(path, 0700, &why), 0);
	assert_int_equal(directory_make(path, 0700, &why), 0);
	assert_int_equal(chmod(path, 0777), 0);
	assert_int_equal(directory_make(path, 0700, &why), -EPERM);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(directory_make("/proc/self/cmdline", 0700, &why),
			 -ENOTDIR);
	assert_int_equal(directory_make("/no/such/place", 0700, &why),
			 -ENOENT);
}

#define STORE_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, clean, clean)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STORE_TEST(shm_survives),
		STORE_TEST(shm_of_another_size),
		STORE_TEST(record_without_a_holder),
		STORE_TEST(records_that_do_not_fit),
		STORE_TEST(a_file_made_anew),
		STORE_TEST(a_file_in_use),
		STORE_TEST(a_file_of_another_user),
		STORE_TEST(nothing_is_left_of_a_failure),
		STORE_TEST(other_file_systems),
		STORE_TEST(mem_is_always_new),
		STORE_TEST(mem_is_mapped_in_whole_pages),
		TEST(one_daemon),
		TEST(directories),
	};

	return cmocka_run_group_tests_name("store", tests, setup, teardown);
}
