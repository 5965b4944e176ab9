// SPDX-License-Identifier: GPL-2.0
/*
 * Staging files (target/staging.c, staged.c): found again or lost, refused when
 * they are not what the backing was served from, and where they may be.
 */
#include "test.h"

#include "fixture_staged.h"
#include "macros.h"

static void a_killed_daemon_finds_its_staging(void **state)
{
	struct identity before;

	(void)state;
	start();
	before = store.identity;
	before.era = store.identity.era = 7;
	write_some('a');
	close_store();		/* as if killed */

	start();
	assert_same(&before);
	assert_int_equal(store.identity.era, 7);
	assert_false(store.clean);
	assert_int_equal(*(char *)prepare.map, 'a');
	assert_int_equal(store.staging->coarse[0][0], 1);
	assert_true(staging_is_dirty(store.staging));
	/* It is not given up, nor said to be clean. */
	assert_int_equal(store_clean(&store, &why), -EBUSY);
	store_remove(&store);
	assert_int_equal(access(staging, F_OK), 0);
	close_store();
}

/* Nobody wrote, but the backing lost what it had, and the daemon was killed. */
static void what_the_backing_lost(void **state)
{
	struct identity before;

	(void)state;
	start();
	assert_true(store.clean);
	before = store.identity;
	memset(store.staging->orphan, 1, store.staging->nr_chunks);
	close_store();
	assert_true(disk_run("truncate -s 0 '%s' && truncate -s %llu '%s'",
			     disk_path("disk"), (unsigned long long)SIZE,
			     disk_path("disk")));
	start();
	assert_same(&before);
	assert_false(store.clean);
	assert_true(staging_is_dirty(store.staging));
	close_store();
}

/* Nobody could write back what it has. */
static void read_only_with_writes(void **state)
{
	(void)state;
	start();
	write_some('r');
	close_store();
	assert_int_equal(spec_set(&spec, "read-only", "yes", &why), 0);
	assert_int_equal(open_store(), -EROFS);
	assert_contains(why.message, "has writes that");
	assert_contains(why.hint, "without read-only");
	assert_int_equal(access(staging, F_OK), 0);
	assert_int_equal(spec_set(&spec, "read-only", "no", &why), 0);
	start();
	assert_int_equal(*(char *)prepare.map, 'r');
	write_back();
	close_store();
	assert_int_equal(spec_set(&spec, "read-only", "yes", &why), 0);
	start();
	close_store();
}

static void a_clean_stop_needs_no_staging(void **state)
{
	struct identity before;

	(void)state;
	start();
	write_some('a');
	before = store.identity;
	write_back();
	assert_true(store.clean);
	close_store();
	/* With it, it is used. */
	assert_int_equal(open_store(), 0);
	assert_false(store_must_load(&store));
	assert_same(&before);
	store_remove(&store);
	store_close(&store);
	assert_int_equal(access(staging, F_OK), -1);
	/* Without, the backing has it all. */
	assert_int_equal(open_store(), 0);
	assert_true(store_must_load(&store));
	assert_same(&before);
	assert_int_equal(prepare_store(), 0);
	assert_int_equal(*(char *)prepare.map, 'a');
	close_store();
}

static void a_lost_staging_is_another_instance(void **state)
{
	struct identity before;

	(void)state;
	start();
	write_some('a');
	before = store.identity;
	close_store();
	assert_int_equal(unlink(staging), 0);
	start();
	assert_true(same_generation(&before));
	assert_false(same_instance(&before));
	assert_as_backing(disk_path("disk"));
	before = store.identity;
	close_store();
	/* Nobody wrote since: no more is lost. */
	assert_int_equal(unlink(staging), 0);
	start();
	assert_same(&before);
	close_store();
}

/* Served from a second one for a while: the first is of the past. */
static void an_older_staging(void **state)
{
	struct identity before;

	(void)state;
	start();
	write_some('a');
	close_store();
	strcpy(spec.staging, staging2);
	start();
	before = store.identity;
	write_some('b');
	write_back();
	close_store();
	strcpy(spec.staging, staging);
	assert_int_equal(open_store(), -ENOTEMPTY);
	assert_contains(why.message, "served from last");
	strcpy(spec.staging, staging2);
	start();
	assert_same(&before);
	assert_int_equal(*(char *)prepare.map, 'b');
	close_store();
}

/* Registered on a device that comes later, it asks for no more memory. */
static void filled_once(void **state)
{
	(void)state;
	assert_int_equal(open_store(), 0);
	assert_true(store.allocated < MIB);
	assert_int_equal(prepare_store(), 0);
	assert_int_equal(store.allocated, store_map_size(&store));
	close_store();
}

/* Of exports whose names begin alike, each leaves the others' memory alone. */
static void names_alike(void **state)
{
	static const char *const ends[] = { ".new", ".tmp", ".1", "-", "+" };
	char other[80];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		assert_true(disk_run("touch '%s%s'", staging, ends[i]));
	start();
	close_store();
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		snprintf(other, sizeof(other), "%s%s", staging, ends[i]);
		assert_int_equal(access(other, F_OK), 0);
	}
}

static void not_a_staging(void **state)
{
	(void)state;
	assert_true(disk_run("head -c 20000 /dev/urandom >%s && cp %s %s",
			     staging, staging, staging2));
	assert_int_equal(open_store(), -EINVAL);
	assert_contains(why.message, "not a staging file");
	assert_true(disk_run("cmp %s %s && rm %s && touch %s", staging,
			     staging2, staging, staging));
	assert_int_equal(open_store(), -EINVAL);
	assert_int_equal(unlink(staging), 0);
	/* One that was ours until somebody wrote into it. */
	start();
	close_store();
	assert_true(disk_run("dd if=/dev/zero of=%s bs=1 count=8 conv=notrunc status=none seek=$(($(stat -c %%s %s) - 4096))",
			     staging, staging));
	assert_int_equal(open_store(), -EINVAL);
	assert_contains(why.message, "not a staging file");
	assert_int_equal(unlink(staging), 0);
	/* One that somebody else made in our place. */
	if (!geteuid()) {
		start();
		close_store();
		assert_return_code(chown(staging, 65534, 65534), errno);
		assert_int_equal(open_store(), -EPERM);
		assert_int_equal(unlink(staging), 0);
	}
	assert_int_equal(symlink("/dev/shm/x", staging), 0);
	assert_int_equal(open_store(), -ELOOP);
}

/* Memory that another kind of store would write over. */
static void not_for_shm(void **state)
{
	(void)state;
	start();
	write_some('s');
	close_store();
	assert_int_equal(spec_init(&spec, "x", &why), 0);
	assert_int_equal(spec_set(&spec, "store", "shm", &why), 0);
	assert_int_equal(spec_set(&spec, "path", staging, &why), 0);
	assert_int_equal(open_store(), -EINVAL);
	assert_contains(why.message, "is the staging of an export");
	assert_int_equal(access(staging, F_OK), 0);
}

static void a_staging_in_use(void **state)
{
	struct store first;

	(void)state;
	assert_int_equal(open_store(), 0);
	first = store;
	assert_true(disk_run("truncate -s 1M '%s'", disk_path("another")));
	strcpy(spec.path, disk_path("another"));
	assert_int_equal(open_store(), -EBUSY);
	assert_contains(why.message, "is in use by another export");
	store_close(&first);
}

static void a_full_tmpfs(void **state)
{
	struct stat st;

	(void)state;
	if (geteuid())
		skip();
	assert_true(disk_run("mkdir '%s' && mount -t tmpfs -o size=2M none '%s'",
			     disk_path("tmpfs"), disk_path("tmpfs")));
	strcpy(spec.staging, disk_path("tmpfs/x"));
	assert_int_equal(open_store(), 0);
	assert_int_equal(prepare_store(), -ENOSPC);
	assert_contains(why.message, "No space");
	munmap(prepare.map, store_map_size(&store));
	store_discard(&store);
	assert_int_equal(stat(spec.staging, &st), -1);
	/* Not even the maps. */
	assert_true(disk_run("mount -o remount,size=4K '%s'",
			     disk_path("tmpfs")));
	assert_int_equal(open_store(), -ENOSPC);
	assert_true(disk_run("umount '%s'", disk_path("tmpfs")));
}

static void huge_pages(void **state)
{
	struct identity before;
	int i;

	(void)state;
	if (geteuid() ||
	    !disk_run("mkdir '%s' && mount -t hugetlbfs -o size=16M none '%s' 2>/dev/null",
		      disk_path("huge"), disk_path("huge")))
		skip();
	/* Reserved by whoever runs the tests, or not at all. */
	strcpy(spec.staging, disk_path("huge/x"));
	if (open_store()) {
		assert_int_equal(-ENOSPC, open_store());
		assert_true(disk_run("umount '%s'", disk_path("huge")));
		skip();
	}
	assert_int_equal(prepare_store(), 0);
	assert_int_equal(store.page_size, 2 * MIB);
	assert_int_equal(store.staging->tail_offset, 6 * MIB);
	before = store.identity;
	for (i = 0; i < 2; i++) {
		assert_as_backing(disk_path("disk"));
		close_store();
		start();
		assert_same(&before);
		assert_false(prepare.load);
	}
	store_remove(&store);
	close_store();
	assert_int_equal(access(spec.staging, F_OK), -1);
	assert_true(disk_run("umount '%s'", disk_path("huge")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGED_TEST(a_killed_daemon_finds_its_staging),
		STAGED_TEST(what_the_backing_lost),
		STAGED_TEST(read_only_with_writes),
		STAGED_TEST(a_clean_stop_needs_no_staging),
		STAGED_TEST(a_lost_staging_is_another_instance),
		STAGED_TEST(an_older_staging),
		STAGED_TEST(filled_once),
		STAGED_TEST(names_alike),
		STAGED_TEST(not_a_staging),
		STAGED_TEST(not_for_shm),
		STAGED_TEST(a_staging_in_use),
		STAGED_TEST(a_full_tmpfs),
		STAGED_TEST(huge_pages),
	};

	return cmocka_run_group_tests_name("staging", tests, setup, teardown);
}
