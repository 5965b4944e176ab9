// SPDX-License-Identifier: GPL-2.0
/*
 * Exports that are resized (target/export_resize.c, export_refit.c): what they
 * are afterwards, what stays when something fails, and what happens when they
 * are removed meanwhile. Without RDMA devices, on real files.
 */
#include "test.h"

#include "export_resize.h"
#include "fixture_export.h"

static struct identity before;

static void add(const char *kind)
{
	struct spec spec;

	specify(&spec, kind);
	open_export(&spec);
}

/* A writer came, wrote, and is gone. */
static void write_some(uint64_t offset, char byte)
{
	assert_int_equal(store_save(&export->store, &why), 0);
	memset((char *)export->map + offset, byte, 4096);
	before = export->store.identity;
	if (!export->writeback)
		return;
	dirty_mark(&export->writeback->dirty, 0, offset, 4096);
	writeback_adopt(export->writeback);
}

static void remove_export(void)
{
	export_remove(export, false);
	run_until(EXPORT_EVENT_GONE);
	assert_true(TAILQ_EMPTY(&daemon_.exports));
}

static int resize(uint64_t size)
{
	int err = export_resize_check(export, &size, &why);

	return err ? err : export_resize(export, size, &why);
}

static void resized(uint64_t size)
{
	assert_int_equal(resize(size), 0);
	run_until(EXPORT_EVENT_RESIZED);
	assert_string_equal(told.message, "");
	assert_int_equal(export->state, EXPORT_READY);
	assert_null(export->resize);
	assert_false(export->busy);
	assert_int_equal(export->store.size, size);
	assert_int_equal(export->layout.size, size);
	assert_int_equal(export->store.resize, 0);
}

static void assert_byte(uint64_t offset, char byte)
{
	const char *bytes = export->map;

	assert_int_equal(bytes[offset], byte);
	assert_int_equal(bytes[offset + 4095], byte);
}

static void assert_disk(uint64_t size, uint64_t offset, char byte)
{
	int fd = open(disk_path("disk"), O_RDONLY);
	struct stat st;
	char got[4096];

	assert_return_code(fd, errno);
	assert_return_code(fstat(fd, &st), errno);
	assert_int_equal(st.st_size, size);
	assert_int_equal(pread(fd, got, sizeof(got), (off_t)offset), 4096);
	assert_int_equal(got[0], byte);
	assert_int_equal(got[4095], byte);
	close(fd);
}

static bool same_contents(void)
{
	const struct identity *now = &export->store.identity;

	return sd_id128_equal(now->generation, before.generation) &&
	       now->instance == before.instance;
}

/* ---- What comes of it ------------------------------------------------------ */

static void larger(void **state)
{
	(void)state;
	add("file");
	write_some(MIB, 'a');
	resized(8 * MIB);
	assert_true(same_contents());
	assert_byte(MIB, 'a');
	assert_byte(4 * MIB, 0);
	assert_disk(8 * MIB, MIB, 'a');
	/* What is new is written back like the rest. */
	write_some(7 * MIB, 'b');
	write_some(4 * MIB, 'c');
	resized(32 * MIB);
	assert_true(same_contents());
	assert_byte(7 * MIB, 'b');
	assert_byte(4 * MIB, 'c');
	assert_byte(8 * MIB, 0);
	assert_disk(32 * MIB, 7 * MIB, 'b');
	assert_int_equal(export->writeback->stats.written, 3 * MIB);
	remove_export();
	assert_disk(32 * MIB, 4 * MIB, 'c');
}

static void larger_with_all_space(void **state)
{
	struct spec spec;
	struct stat st;

	(void)state;
	specify(&spec, "file");
	assert_int_equal(spec_set(&spec, "prealloc", "yes", &why), 0);
	open_export(&spec);
	write_some(MIB, 'a');
	resized(8 * MIB);
	assert_int_equal(stat(disk_path("disk"), &st), 0);
	assert_true(st.st_blocks * 512 >= (blkcnt_t)(8 * MIB));
	remove_export();
}

static void in_memory(void **state)
{
	(void)state;
	add("mem");
	write_some(MIB, 'a');
	resized(8 * MIB);
	resized(9 * MIB + 512);
	assert_true(same_contents());
	assert_byte(MIB, 'a');
	assert_byte(8 * MIB, 0);
	resized(2 * MIB);
	assert_false(same_contents());
	assert_byte(MIB, 'a');
	remove_export();

	add("shm");
	write_some(MIB, 'a');
	resized(8 * MIB);
	assert_true(same_contents());
	resized(2 * MIB);
	assert_false(same_contents());
	assert_byte(MIB, 'a');
	remove_export();
}

static void smaller(void **state)
{
	(void)state;
	add("file");
	write_some(MIB, 'a');
	write_some(3 * MIB, 'b');
	resized(2 * MIB);
	assert_false(same_contents());
	assert_byte(MIB, 'a');
	assert_disk(2 * MIB, MIB, 'a');
	/* What was cut off does not come back. */
	write_some(0, 'c');
	resized(8 * MIB);
	assert_true(same_contents());
	assert_byte(0, 'c');
	assert_byte(3 * MIB, 0);
	remove_export();
	assert_disk(8 * MIB, 3 * MIB, 0);
}

/* The maps of both sizes would be in each other's way. */
static void a_little_larger(void **state)
{
	(void)state;
	add("file");
	write_some(MIB, 'a');
	resized(4 * MIB + 512);
	assert_true(same_contents());
	resized(4 * MIB + 4096);
	assert_true(same_contents());
	assert_byte(MIB, 'a');
	assert_disk(4 * MIB + 4096, MIB, 'a');
	remove_export();
}

/* ---- What does not come of it ---------------------------------------------- */

static void refused(void **state)
{
	const uintmax_t limits[] = { ENOMEM, ENOSPC };
	uint64_t none = 0;

	(void)state;
	add("file");
	assert_int_equal(resize(4 * MIB), -EINVAL);
	assert_contains(why.message, "export x has 4194304 bytes already");
	assert_int_equal(resize(4 * MIB + 1), -EINVAL);
	assert_contains(why.message, "4194304 and 4194816");
	assert_int_equal(export_resize_check(export, &none, &why), -EINVAL);
	assert_contains(why.message, "needs a size");
	/* Which of the two is reached first depends on the machine. */
	assert_in_set(-resize((uint64_t)1 << 46), limits, 2);
	assert_null(export->resize);
	export->state = EXPORT_PREPARING;
	assert_int_equal(resize(8 * MIB), -EBUSY);
	assert_contains(why.message, "being prepared");
	export->state = EXPORT_READY;
	assert_int_equal(resize(8 * MIB), 0);
	assert_int_equal(resize(9 * MIB), -EBUSY);
	assert_contains(why.message, "being resized already");
	run_until(EXPORT_EVENT_RESIZED);
	export_remove(export, false);
	assert_int_equal(resize(9 * MIB), -EBUSY);
	assert_contains(why.message, "being removed");
	run_until(EXPORT_EVENT_GONE);
}

static void latched(void **state)
{
	(void)state;
	add("file");
	assert_int_equal(truncate(disk_path("disk"), 4096), 0);
	write_some(MIB, 'a');
	while (!export->writeback->error.err)
		turn();
	assert_int_equal(resize(8 * MIB), -EIO);
	assert_contains(why.message, "cannot be written back");
	assert_contains(why.hint, "export retry x");
	export_retry(export);
	run_until(EXPORT_EVENT_RETRIED);
	resized(8 * MIB);
	assert_disk(8 * MIB, MIB, 'a');
	remove_export();
}

static void assert_as_it_was(void)
{
	struct stat st;

	assert_int_equal(export->state, EXPORT_READY);
	assert_null(export->resize);
	assert_int_equal(export->store.size, 4 * MIB);
	assert_int_equal(export->store.resize, 0);
	assert_return_code(fstat(export->store.fd, &st), errno);
	assert_true((uint64_t)st.st_size < 5 * MIB);
	assert_byte(MIB, 'a');
	assert_true(same_contents());
}

static void the_file_is_deleted(void **state)
{
	(void)state;
	add("file");
	write_some(MIB, 'a');
	while (dirty_bytes(&export->writeback->dirty))
		turn();
	assert_int_equal(resize(8 * MIB), 0);
	assert_int_equal(unlink(disk_path("disk")), 0);
	run_until(EXPORT_EVENT_RESIZED);
	assert_contains(told.message, "was deleted");
	assert_as_it_was();
	export_remove(export, true);
	run_until(EXPORT_EVENT_GONE);
}

static void no_space(void **state)
{
	struct spec spec;

	(void)state;
	if (geteuid() ||
	    !disk_run("truncate -s 16M '%s' && mkfs.ext4 -q '%s' && mkdir -p '%s' && mount -o loop '%s' '%s' 2>/dev/null",
		      disk_path("ext4"), disk_path("ext4"), disk_path("mnt"),
		      disk_path("ext4"), disk_path("mnt")))
		skip();
	specify(&spec, "file");
	strcpy(spec.path, disk_path("mnt/x"));
	spec.prealloc = true;
	open_export(&spec);
	write_some(MIB, 'a');
	assert_int_equal(resize(64 * MIB), 0);
	run_until(EXPORT_EVENT_RESIZED);
	assert_contains(told.message, "more are needed");
	assert_as_it_was();
	remove_export();
	assert_true(disk_run("umount '%s'", disk_path("mnt")));
}

/* ---- Removed meanwhile ----------------------------------------------------- */

/* Everything is there, and as large as before. */
static void assert_kept(void)
{
	struct spec spec;

	assert_disk(4 * MIB, MIB, 'a');
	specify(&spec, "file");
	open_export(&spec);
	assert_true(same_contents());
	assert_true(export->store.clean);
	remove_export();
}

static void removed_while_it_is_filled(void **state)
{
	(void)state;
	add("file");
	write_some(MIB, 'a');
	assert_int_equal(resize(64 * MIB), 0);
	remove_export();
	assert_int_equal(events[EXPORT_EVENT_RESIZED], 1);
	assert_kept();
}

static void removed_while_it_is_taken(void **state)
{
	uint64_t done;

	(void)state;
	add("file");
	write_some(MIB, 'a');
	assert_int_equal(resize(8 * MIB), 0);
	while (export->state != EXPORT_RESIZING)
		turn();
	assert_false(export_leaving(export));
	export_remove(export, false);
	assert_true(export_leaving(export));
	/* The daemon's end waits for it. */
	assert_true(export_drain_any(&daemon_, &done));
	run_until(EXPORT_EVENT_GONE);
	assert_kept();
}

static void removed_while_it_is_refitted(void **state)
{
	(void)state;
	add("file");
	write_some(MIB, 'a');
	assert_int_equal(resize(2 * MIB), 0);
	assert_int_equal(export->state, EXPORT_RESIZING);
	while (export->writeback)
		turn();
	export_remove(export, false);
	run_until(EXPORT_EVENT_GONE);
	assert_disk(2 * MIB, MIB, 'a');
}

/* The daemon stops, and the next one goes on with what there is. */
static void stopped(void **state)
{
	(void)state;
	add("file");
	write_some(MIB, 'a');
	assert_int_equal(resize(64 * MIB), 0);
	daemon_.stopping = true;
	export_remove(export, true);
	run_until(EXPORT_EVENT_GONE);
	assert_int_equal(access(memory, F_OK), 0);
	daemon_.stopping = false;
	assert_kept();
}

#define RESIZE_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RESIZE_TEST(larger),
		RESIZE_TEST(larger_with_all_space),
		RESIZE_TEST(in_memory),
		RESIZE_TEST(smaller),
		RESIZE_TEST(a_little_larger),
		RESIZE_TEST(refused),
		RESIZE_TEST(latched),
		RESIZE_TEST(the_file_is_deleted),
		RESIZE_TEST(no_space),
		RESIZE_TEST(removed_while_it_is_filled),
		RESIZE_TEST(removed_while_it_is_taken),
		RESIZE_TEST(removed_while_it_is_refitted),
		RESIZE_TEST(stopped),
	};

	return cmocka_run_group_tests_name("export_resize", tests, setup,
					   teardown);
}
