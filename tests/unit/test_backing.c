// SPDX-License-Identifier: GPL-2.0
/*
 * Files and block devices as backings (target/backing*.c, tie.c), on a real
 * file system and, where there are, real loop devices.
 */
#include "test.h"

#include <errno.h>

#include "backing.h"
#include "disk.h"

#define MIB	((uint64_t)1 << 20)

static struct reason why;
static struct backing backing, other;

static void made(const char *name, const char *size)
{
	assert_true(disk_run("truncate -s %s '%s'", size, disk_path(name)));
}

static uint64_t blocks(const char *name)
{
	struct stat st;

	assert_int_equal(stat(disk_path(name), &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

static int open_file(const char *name)
{
	memset(&why, 0, sizeof(why));
	return backing_open_file(&backing, disk_path(name), false, &why);
}

static void thin(void **state)
{
	(void)state;
	assert_int_equal(backing_create(disk_path("thin"), 8 * MIB, false,
					&why), 0);
	assert_true(blocks("thin") < MIB);
	assert_int_equal(open_file("thin"), 0);
	assert_int_equal(backing.size, 8 * MIB);
	assert_true(backing.align == 512 || backing.align == 4096);
	assert_false(backing.block_device);
	assert_true(fcntl(backing.fd, F_GETFL) & O_DIRECT);
	assert_int_equal(backing_check(&backing, &why), 0);
	backing_close(&backing);
	/* One that is there is not touched. */
	assert_int_equal(backing_create(disk_path("thin"), MIB, false, &why),
			 -EEXIST);
	assert_int_equal(open_file("thin"), 0);
	assert_int_equal(backing.size, 8 * MIB);
	backing_close(&backing);
}

static void preallocated(void **state)
{
	(void)state;
	assert_int_equal(backing_create(disk_path("full"), 8 * MIB, true,
					&why), 0);
	assert_true(blocks("full") >= 8 * MIB);
	assert_int_equal(open_file("full"), 0);
	assert_int_equal(backing.size, 8 * MIB);
	backing_close(&backing);
}

static void no_room(void **state)
{
	const char *loop = disk_loop("small.img", 16 * MIB, 512);
	char path[PATH_MAX];

	(void)state;
	if (!loop)
		skip();
	snprintf(path, sizeof(path), "%s/x", disk_path("mnt"));
	assert_true(disk_ext4(loop, ""));
	assert_int_equal(backing_create(path, 64 * MIB, true, &why), -ENOSPC);
	assert_contains(why.message, "left, 64 MiB are needed");
	assert_null(strstr(why.message, "has 0 B"));
	/* Nothing has it, and nothing keeps the space. */
	assert_true(disk_run("test -z \"$(ls '%s' | grep -v lost)\"",
			     disk_path("mnt")));
	assert_int_equal(backing_create(path, 8 * MIB, true, &why), 0);
	assert_true(disk_umount());
	disk_unloop(loop);
}

static void no_place(void **state)
{
	(void)state;
	assert_int_equal(backing_create("/no/such/place", MIB, false, &why),
			 -ENOENT);
	assert_contains(why.message, "/no/such");
	assert_int_equal(open_file("missing"), -ENOENT);
	assert_contains(why.message, "missing");
}

static void in_use(void **state)
{
	(void)state;
	made("used", "1M");
	assert_int_equal(open_file("used"), 0);
	assert_int_equal(backing_open_file(&other, disk_path("used"), true,
					   &why), -EBUSY);
	assert_contains(why.message, "in use");
	backing_close(&backing);
	assert_int_equal(backing_open_file(&other, disk_path("used"), true,
					   &why), 0);
	assert_int_equal(write(other.fd, "x", 1), -1);
	backing_close(&other);
}

static void odd_sizes(void **state)
{
	(void)state;
	made("odd", "1000");
	assert_int_equal(open_file("odd"), -EINVAL);
	assert_contains(why.message, "not a multiple of the direct I/O unit");
	made("empty", "0");
	assert_int_equal(open_file("empty"), -EINVAL);
	assert_contains(why.message, "smallest");
	assert_int_equal(backing.fd, -1);
}

static void other_things(void **state)
{
	(void)state;
	assert_int_equal(backing_open_file(&backing, disk_dir, false, &why),
			 -EINVAL);
	made("real", "1M");
	assert_int_equal(symlink("real", disk_path("link")), 0);
	assert_int_equal(open_file("link"), -EINVAL);
	assert_contains(why.hint, "symbolic link");
	assert_int_equal(mkfifo(disk_path("fifo"), 0600), 0);
	assert_int_equal(open_file("fifo"), -EINVAL);
	assert_int_equal(backing_open_disk(&backing, disk_path("real"), false,
					   &why), -ENOTBLK);
	assert_contains(why.hint, "store=file");
	assert_true(disk_run("truncate -s 1M /dev/shm/rdmablk-test-%d",
			     getpid()));
	snprintf(other.path, sizeof(other.path), "/dev/shm/rdmablk-test-%d",
		 getpid());
	assert_int_equal(backing_open_file(&backing, other.path, false, &why),
			 -EINVAL);
	unlink(other.path);
}

static void it_changes(void **state)
{
	(void)state;
	made("change", "1M");
	assert_int_equal(open_file("change"), 0);
	assert_int_equal(truncate(disk_path("change"), 512 << 10), 0);
	assert_int_equal(backing_check(&backing, &why), -ESTALE);
	assert_contains(why.message, "524288 bytes now, it had 1048576");
	assert_int_equal(truncate(disk_path("change"), 1 << 20), 0);
	assert_int_equal(backing_check(&backing, &why), 0);
	assert_true(disk_run("mv '%s' '%s'", disk_path("change"),
			     disk_path("away")));
	assert_int_equal(backing_check(&backing, &why), -ENOENT);
	assert_contains(why.message, "not in its place: No such file");
	made("change", "1M");
	assert_int_equal(backing_check(&backing, &why), -ENOENT);
	assert_contains(why.message, "another file is");
	assert_true(disk_run("mv '%s' '%s'", disk_path("away"),
			     disk_path("change")));
	assert_int_equal(backing_check(&backing, &why), 0);
	assert_int_equal(unlink(disk_path("change")), 0);
	assert_int_equal(backing_check(&backing, &why), -ENOENT);
	assert_contains(why.message, "deleted");
	backing_close(&backing);
}

static void files_are_told_apart(void **state)
{
	struct tie first, again, copy;

	(void)state;
	made("one", "1M");
	assert_int_equal(open_file("one"), 0);
	assert_int_equal(backing_tie(&backing, &first, &why), 0);
	backing_close(&backing);
	assert_int_equal(open_file("one"), 0);
	assert_int_equal(backing_tie(&backing, &again, &why), 0);
	assert_null(tie_difference(&first, &again));
	backing_close(&backing);

	assert_true(disk_run("cp -p '%s' '%s'", disk_path("one"),
			     disk_path("two")));
	assert_int_equal(open_file("two"), 0);
	assert_int_equal(backing_tie(&backing, &copy, &why), 0);
	assert_string_equal(tie_difference(&first, &copy), "of another file");
	backing_close(&backing);

	/* A restart of the host, with another number for its disk. */
	again.boot.bytes[0] ^= 1;
	again.dev ^= 1;
	assert_null(tie_difference(&first, &again));
	again.size++;
	assert_contains(tie_difference(&first, &again), "another size");
	again = first;
	again.fs ^= 1;
	assert_non_null(tie_difference(&first, &again));
	again = first;
	again.birth ^= 1;
	assert_non_null(tie_difference(&first, &again));
	again = first;
	again.kind = TIE_MEMORY;
	assert_contains(tie_difference(&first, &again), "another store");
}

/* ---- Block devices ------------------------------------------------------- */

static void sectors_of(unsigned int sector)
{
	const char *loop = disk_loop("disk.img", 8 * MIB, sector);

	if (!loop)
		skip();
	assert_int_equal(backing_open_disk(&backing, loop, false, &why), 0);
	assert_int_equal(backing.size, 8 * MIB);
	assert_int_equal(backing.align, sector);
	assert_true(backing.block_device);
	assert_int_equal(backing_check(&backing, &why), 0);
	/* Nobody else may have it. */
	assert_int_equal(backing_open_disk(&other, loop, true, &why), -EBUSY);
	assert_contains(why.message, "in use");
	/* A smaller one all at once. */
	assert_int_equal(truncate(disk_path("disk.img"), 4 << 20), 0);
	assert_true(disk_run("losetup --set-capacity %s", loop));
	assert_int_equal(backing_check(&backing, &why), -ESTALE);
	assert_contains(why.message, "4194304 bytes now, it had 8388608");
	backing_close(&backing);
	disk_unloop(loop);
}

static void sectors_of_512(void **state)
{
	(void)state;
	sectors_of(512);
}

static void sectors_of_4096(void **state)
{
	(void)state;
	sectors_of(4096);
}

static void a_mounted_disk(void **state)
{
	const char *loop = disk_loop("mounted.img", 16 * MIB, 512);

	(void)state;
	if (!loop)
		skip();
	assert_true(disk_run("mkfs.ext4 -q %s && mkdir '%s' && mount %s '%s'",
			     loop, disk_path("at"), loop, disk_path("at")));
	assert_int_equal(backing_open_disk(&backing, loop, false, &why),
			 -EBUSY);
	assert_contains(why.message, "mounted");
	assert_true(disk_run("umount '%s'", disk_path("at")));
	disk_unloop(loop);
}

/* The loop device is the same, what is behind it is not. */
static void disks_are_told_apart(void **state)
{
	const char *loop = disk_loop("disk1.img", 8 * MIB, 512);
	struct tie first, second;

	(void)state;
	if (!loop)
		skip();
	assert_int_equal(backing_open_disk(&backing, loop, false, &why), 0);
	assert_int_equal(backing_tie(&backing, &first, &why), 0);
	assert_int_equal(backing_tie(&backing, &second, &why), 0);
	assert_null(tie_difference(&first, &second));
	backing_close(&backing);
	disk_unloop(loop);
	assert_true(disk_run("truncate -s 8M '%s' && losetup %s '%s'",
			     disk_path("disk2.img"), loop,
			     disk_path("disk2.img")));
	assert_int_equal(backing_open_disk(&backing, loop, false, &why), 0);
	assert_int_equal(backing_tie(&backing, &second, &why), 0);
	assert_contains(tie_difference(&first, &second), "another disk");
	/* After a restart of the host there is nothing but the number. */
	second.boot.bytes[0] ^= 1;
	assert_null(tie_difference(&first, &second));
	/* One with a name is known by it, whatever its number is. */
	strcpy(first.id, "naa.1");
	strcpy(second.id, "naa.2");
	assert_non_null(tie_difference(&first, &second));
	strcpy(second.id, "naa.1");
	second.dev++;
	assert_null(tie_difference(&first, &second));
	backing_close(&backing);
	disk_unloop(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(thin),
		TEST(preallocated),
		TEST(no_room),
		TEST(no_place),
		TEST(in_use),
		TEST(odd_sizes),
		TEST(other_things),
		TEST(it_changes),
		TEST(files_are_told_apart),
		TEST(sectors_of_512),
		TEST(sectors_of_4096),
		TEST(a_mounted_disk),
		TEST(disks_are_told_apart),
	};

	return cmocka_run_group_tests_name("backing", tests, disk_setup,
					   disk_teardown);
}
