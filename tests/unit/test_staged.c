// SPDX-License-Identifier: GPL-2.0
/*
 * Stores file and blk: what an export starts with, and what its clients may
 * take it for (target/staged.c, staging.c, load.c, store_file.c, store_blk.c,
 * prepare.c). On real disks; killed for real.
 */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "backing.h"
#include "disk.h"
#include "prepare.h"
#include "staging.h"
#include "store.h"

#define MIB	((uint64_t)1 << 20)
#define SIZE	(5 * MIB + 512 * 3)	/* not whole pages, not whole chunks */

static struct reason why;
static struct store store;
static struct layout layout;
static struct prepare prepare;
static struct spec spec;
static char staging[64], staging2[80], record[PATH_MAX + 32];

static int setup(void **state)
{
	if (disk_setup(state))
		return -1;
	snprintf(staging, sizeof(staging), "/dev/shm/rdmablk-test-%d",
		 getpid());
	snprintf(staging2, sizeof(staging2), "%s.2", staging);
	return disk_run("mkdir '%s'", disk_path("exports")) ? 0 : -1;
}

static int teardown(void **state)
{
	disk_run("rm -f %s*", staging);
	return disk_teardown(state);
}

/* Every test begins with a backing of its own, which has a pattern. */
static int begin(void **state)
{
	(void)state;
	snprintf(record, sizeof(record), "%s", disk_path("exports/x.json"));
	if (!disk_run("rm -f %s* '%s' '%s'", staging, record,
		      disk_path("disk")) ||
	    !disk_run("head -c %llu /dev/urandom >'%s'",
		      (unsigned long long)SIZE, disk_path("disk")))
		return -1;
	memset(&why, 0, sizeof(why));
	if (spec_init(&spec, "x", &why) ||
	    spec_set(&spec, "store", "file", &why) ||
	    spec_set(&spec, "path", disk_path("disk"), &why) ||
	    spec_set(&spec, "staging", staging, &why))
		return -1;
	return 0;
}

static int open_store(void)
{
	int err;

	memset(&why, 0, sizeof(why));
	err = spec_check(&spec, &why);
	return err ? err : store_open(&store, &spec, disk_dir, &why);
}

/* What a job does with an export, where there is no RDMA device. */
static int prepare_store(void)
{
	int err = layout_cut(&layout, store.size, MIB, UINT64_MAX, &why);

	assert_int_equal(err, 0);
	prepare = (struct prepare){
		.store = &store,
		.load = store_must_load(&store),
		.layout = &layout,
		.nr_steps = 1,
	};
	TAILQ_INIT(&prepare.regions);
	prepare.map = mmap(NULL, store_map_size(&store), PROT_READ | PROT_WRITE,
			   MAP_SHARED, store.fd, 0);
	assert_ptr_not_equal(prepare.map, MAP_FAILED);
	err = prepare_work(&prepare.job);
	why = prepare.job.why;
	return err;
}

static void close_store(void)
{
	munmap(prepare.map, store_map_size(&store));
	store_close(&store);
}

static void start(void)
{
	assert_int_equal(open_store(), 0);
	assert_int_equal(prepare_store(), 0);
}

/* A writer comes, writes into the first chunk, and has it marked. */
static void write_some(char byte)
{
	assert_int_equal(store_save(&store, &why), 0);
	store.staging->coarse[0][0] = 1;
	memset(prepare.map, byte, 4096);
}

/* Everything is written back, as far as the maps are concerned. */
static void write_back(void)
{
	assert_int_equal(pwrite(store.backing->fd, prepare.map, 4096, 0), 4096);
	memset(store.staging->tail, 0, 2 * store.staging->map_size);
	assert_int_equal(store_clean(&store, &why), 0);
}

static bool same_generation(const struct identity *before)
{
	return sd_id128_equal(before->generation, store.identity.generation);
}

static bool same_instance(const struct identity *before)
{
	return before->instance == store.identity.instance;
}

/* Is what clients would read what the backing has? */
static void assert_as_backing(const char *name)
{
	FILE *file = fopen(name, "re");
	char *bytes = malloc(store.size);

	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, store.size, file), store.size);
	assert_memory_equal(bytes, prepare.map, store.size);
	fclose(file);
	free(bytes);
}

/* ---- Loading ------------------------------------------------------------- */

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
	assert_true(same_generation(&before) && same_instance(&before));
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
	assert_true(disk_run("mkfs.ext4 -q -b 1024 %s && mkdir '%s' && mount %s '%s'",
			     loop, disk_path("mnt"), loop, disk_path("mnt")));
	assert_true(disk_run("truncate -s %llu '%s' && for at in 5 14 1030 1039; do head -c 1024 /dev/urandom | dd of='%s' bs=1024 seek=$at conv=notrunc status=none || exit; done; sync '%s'",
			     (unsigned long long)SIZE, path, path, path));
	assert_int_equal(spec_set(&spec, "path", path, &why), 0);
	start();
	assert_as_backing(path);
	close_store();
	assert_true(disk_run("umount '%s'", disk_path("mnt")));
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

/* ---- Files that are made --------------------------------------------------- */

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
		assert_true(same_generation(&before) && same_instance(&before));
		assert_false(prepare.load);
	}
	store_remove(&store);
	close_store();
	assert_int_equal(access(spec.staging, F_OK), -1);
	assert_true(disk_run("umount '%s'", disk_path("huge")));
}

/* ---- Which contents ------------------------------------------------------- */

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
	assert_true(same_generation(&before) && same_instance(&before));
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
	assert_true(same_generation(&before) && same_instance(&before));
	store_remove(&store);
	store_close(&store);
	assert_int_equal(access(staging, F_OK), -1);
	/* Without, the backing has it all. */
	assert_int_equal(open_store(), 0);
	assert_true(store_must_load(&store));
	assert_true(same_generation(&before) && same_instance(&before));
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
	assert_true(same_generation(&before) && same_instance(&before));
	close_store();
}

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
	assert_true(same_generation(&before) && same_instance(&before));
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
	assert_true(same_generation(&before) && same_instance(&before));
	assert_int_equal(*(char *)prepare.map, 'b');
	close_store();
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
	assert_contains(why.message, "staging");
	store_close(&first);
}

/* ---- Killed while it loads ------------------------------------------------ */

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
		assert_true(same_generation(&before) &&
			    same_instance(&before));
		loading += prepare.load;
		assert_as_backing(disk_path("disk"));
		close_store();
	}
	/* Both must have been seen, or the rounds were in vain. */
	print_message("killed %d times, %u before it was complete\n", rounds,
		      loading);
	assert_true(loading > 0);
}

/* ---- Block devices --------------------------------------------------------- */

static void begin_disk(const char *loop)
{
	assert_int_equal(spec_init(&spec, "x", &why), 0);
	assert_int_equal(spec_set(&spec, "store", "blk", &why), 0);
	assert_int_equal(spec_set(&spec, "path", loop, &why), 0);
	assert_int_equal(spec_set(&spec, "staging", staging, &why), 0);
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
	assert_true(same_generation(&before) && same_instance(&before));
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
	assert_true(same_generation(&before) && same_instance(&before));
	assert_memory_equal(prepare.map, "elsewhere", 9);
	close_store();
	disk_unloop(loop);
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

#define STAGED_TEST(function)	cmocka_unit_test_setup(function, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		STAGED_TEST(loaded_once),
		STAGED_TEST(holes),
		STAGED_TEST(holes_of_small_blocks),
		STAGED_TEST(cancelled),
		STAGED_TEST(truncated_while_it_loads),
		STAGED_TEST(made),
		STAGED_TEST(made_in_full),
		STAGED_TEST(nothing_is_left_of_a_failure),
		STAGED_TEST(a_full_tmpfs),
		STAGED_TEST(huge_pages),
		STAGED_TEST(a_killed_daemon_finds_its_staging),
		STAGED_TEST(read_only_with_writes),
		STAGED_TEST(a_clean_stop_needs_no_staging),
		STAGED_TEST(a_lost_staging_is_another_instance),
		STAGED_TEST(somebody_else_wrote),
		STAGED_TEST(a_file_put_in_its_place),
		STAGED_TEST(a_lost_record),
		STAGED_TEST(an_older_staging),
		STAGED_TEST(not_a_staging),
		STAGED_TEST(not_for_shm),
		STAGED_TEST(a_staging_in_use),
		STAGED_TEST(killed_while_it_loads),
		STAGED_TEST(a_disk),
		STAGED_TEST(a_read_error),
	};

	return cmocka_run_group_tests_name("staged", tests, setup, teardown);
}
