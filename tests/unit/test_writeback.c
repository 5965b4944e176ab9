// SPDX-License-Identifier: GPL-2.0
/*
 * Write-back (target/writeback.c, round.c, ring.c), to real files: what is
 * durable, what stays dirty when it cannot be, and that a kill loses nothing.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "writeback.h"

#define MIB		((uint64_t)1 << 20)
#define SIZE		(64 * MIB - 512)	/* the last block is short */
#define CHUNKS		64U
#define DEADLINE_US	(20 * USEC_PER_SEC)

static char dir[] = "/tmp/rdmablk-test-XXXXXX";
static sd_event *event;
static struct backing backing;
static struct dirty dirty;
static struct writeback *wb;
static uint8_t *memory, *maps;
static struct reason why;

static struct writeback_request request, second;
static int result, second_result;
#define PENDING	1

static void done(struct writeback_request *ended, int err)
{
	*(ended == &second ? &second_result : &result) = err;
}

/* ---- Fixture -------------------------------------------------------------- */

static void open_backing(const char *under, uint64_t size)
{
	backing = (struct backing){ .size = size, .align = 512 };
	snprintf(backing.path, sizeof(backing.path), "%s/%s/disk", dir, under);
	backing.fd = open(backing.path, O_RDWR | O_CREAT | O_DIRECT, 0600);
	if (backing.fd < 0)	/* in memory */
		backing.fd = open(backing.path, O_RDWR | O_CREAT, 0600);
	assert_return_code(backing.fd, errno);
	assert_int_equal(ftruncate(backing.fd, (off_t)size), 0);
}

static void open_writeback(void)
{
	assert_int_equal(writeback_new(&wb, event, "x", &backing, &dirty,
				       memory, &why), 0);
	request.done = done;
	second.done = done;
}

static void map_memory(void)
{
	memory = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	maps = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED && maps != MAP_FAILED);
	dirty = (struct dirty){
		.coarse = { maps, maps + 4096 }, .orphan = maps + 8192,
		.nr_chunks = CHUNKS, .chunk_shift = 20, .size = SIZE,
	};
}

static int setup(void **state)
{
	(void)state;
	assert_return_code(sd_event_new(&event), 0);
	map_memory();
	open_backing(".", SIZE);
	open_writeback();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	writeback_free(wb);
	wb = NULL;
	close(backing.fd);
	unlink(backing.path);
	munmap(memory, 64 * MIB);
	munmap(maps, 3 * 4096);
	event = sd_event_unref(event);
	return 0;
}

static int make_dir(void **state)
{
	(void)state;
	/* The daemon ignores it, too. */
	signal(SIGXFSZ, SIG_IGN);
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

/* ---- Steps ---------------------------------------------------------------- */

static bool idle(void)
{
	return wb->round.phase == ROUND_IDLE && TAILQ_EMPTY(&wb->ended);
}

static void run_until_idle(void)
{
	uint64_t deadline = clock_now_us() + DEADLINE_US;

	while (!idle()) {
		assert_true(clock_now_us() < deadline);
		assert_return_code(sd_event_run(event, USEC_PER_SEC), 0);
	}
}

static void store(uint64_t offset, uint64_t length, int byte)
{
	dirty_mark(&wb->dirty, 0, offset, length);
	memset(memory + offset, byte, length);
}

static void store_named(uint64_t offset, uint64_t length, int byte)
{
	store(offset, length, byte);
	writeback_name(wb, offset, length);
}

static int ask(enum writeback_kind kind)
{
	result = PENDING;
	writeback_submit(wb, &request, kind, true);
	run_until_idle();
	return result;
}

static void zero_unmap(uint64_t offset, uint64_t length)
{
	store(offset, length, 0);
	writeback_unmap(wb, offset, length);
}

/* Is a part of the backing all of one byte? */
static void assert_backing(uint64_t offset, uint64_t length, int byte)
{
	static uint8_t block[64 << 10];
	int fd = open(backing.path, O_RDONLY);
	uint64_t some, i;

	assert_return_code(fd, errno);
	for (; length; offset += some, length -= some) {
		some = length < sizeof(block) ? length : sizeof(block);
		assert_int_equal(pread(fd, block, some, (off_t)offset), some);
		for (i = 0; i < some; i++)
			if (block[i] != byte)
				fail_msg("%u at %ju, not %u", block[i],
					 (uintmax_t)(offset + i), byte);
	}
	close(fd);
}

static void assert_whole(void)
{
	int fd = open(backing.path, O_RDONLY);
	uint8_t *file;

	assert_return_code(fd, errno);
	file = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	assert_true(file != MAP_FAILED);
	assert_memory_equal(file, memory, SIZE);
	munmap(file, SIZE);
	close(fd);
}

/* ---- What is written ------------------------------------------------------ */

static void flush_named(void **state)
{
	(void)state;
	store_named(4096, 512, 1);
	store_named(3 * MIB, 5 * MIB, 2);
	store_named(SIZE - 512, 512, 3);
	store(20 * MIB, 4096, 4);	/* not named */
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_backing(4096, 512, 1);
	assert_backing(3 * MIB, 5 * MIB, 2);
	assert_backing(SIZE - 512, 512, 3);
	assert_backing(20 * MIB, 4096, 0);
	assert_int_equal(wb->stats.named, 5 * MIB + 1024);
	assert_int_equal(wb->stats.written, 5 * MIB + 4096 + 3584);
	assert_int_equal(wb->stats.flushes, 1);
	assert_int_equal(wb->stats.last_bytes, wb->stats.written);
	/* A flush does not clear marks. */
	assert_int_equal(dirty_bytes(&wb->dirty), 8 * MIB - 512);
	/* What is durable is not written again. */
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_int_equal(wb->stats.last_bytes, 0);
}

static void fua_alone(void **state)
{
	(void)state;
	dirty_orphan(&wb->dirty, 30 * MIB, MIB);
	memset(memory + 30 * MIB, 7, MIB);
	zero_unmap(40 * MIB, MIB);
	store_named(MIB, 4096, 1);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FUA, true);
	while (result == PENDING)
		assert_return_code(sd_event_run(event, USEC_PER_SEC), 0);
	assert_int_equal(result, 0);
	assert_int_equal(wb->stats.last_bytes, 4096);
	assert_backing(MIB, 4096, 1);
	/* Then nobody waits, and the orphans are written. */
	run_until_idle();
	assert_backing(30 * MIB, MIB, 7);
	assert_false(dirty_has_orphans(&wb->dirty));
	assert_int_equal(blockmap_count(&wb->punch), 256);
}

/* One round serves all that wait, and the reader leaves the writer's parts. */
static void flushes_share(void **state)
{
	(void)state;
	dirty_orphan(&wb->dirty, 0, SIZE);
	memset(memory, 9, SIZE);
	writeback_adopt(wb);	/* a round is under way */
	assert_int_equal(wb->round.phase, ROUND_WRITE);
	writeback_name(wb, 0, 4096);
	result = second_result = PENDING;
	writeback_submit(wb, &second, WRITEBACK_FLUSH, false);
	while (second_result == PENDING)
		assert_return_code(sd_event_run(event, USEC_PER_SEC), 0);
	assert_int_equal(second_result, 0);
	/* What was left is durable, by two rounds. */
	assert_backing(0, SIZE, 9);
	assert_int_equal(wb->stats.last_bytes, SIZE - 8 * MIB);
	assert_int_equal(blockmap_count(&wb->named), 1);

	second_result = PENDING;
	writeback_adopt(wb);
	memset(memory, 10, 4096);
	dirty_orphan(&wb->dirty, 0, MIB);
	writeback_adopt(wb);
	writeback_submit(wb, &second, WRITEBACK_FLUSH, false);
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	run_until_idle();
	assert_int_equal(result, 0);
	assert_int_equal(second_result, 0);
	assert_int_equal(wb->stats.last_bytes, 4096);
	assert_backing(0, 4096, 10);
}

/* Steps, so that a flush need not wait for all of it. */
static void background(void **state)
{
	uint64_t total;

	(void)state;
	memset(memory, 5, SIZE);
	dirty_mark(&wb->dirty, 1, 0, SIZE);
	assert_int_equal(writeback_progress(wb, &total), 0);
	assert_int_equal(total, 0);
	writeback_adopt(wb);
	assert_int_equal(writeback_progress(wb, &total), 0);
	assert_int_equal(total, 8 * MIB);
	run_until_idle();
	assert_backing(0, SIZE, 5);
	assert_int_equal(dirty_bytes(&wb->dirty), 0);
	assert_int_equal(wb->stats.written, SIZE);
	assert_int_equal(wb->stats.flushes, 0);
}

static void cancelled(void **state)
{
	(void)state;
	/* In the queue: what was named is forgotten. */
	dirty_orphan(&wb->dirty, 0, SIZE);
	writeback_adopt(wb);
	store_named(MIB, 4096, 1);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	writeback_cancel(wb, &request);
	writeback_cancel(wb, &request);
	run_until_idle();
	assert_int_equal(result, PENDING);
	assert_int_equal(blockmap_count(&wb->named), 0);
	/* In a round: it goes on. */
	store_named(2 * MIB, 4096, 2);
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	writeback_cancel(wb, &request);
	run_until_idle();
	assert_int_equal(result, PENDING);
	assert_backing(2 * MIB, 4096, 2);
	/* Ended, but not told yet. */
	writeback_submit(wb, &request, WRITEBACK_FLUSH, false);
	assert_int_equal(wb->round.phase, ROUND_IDLE);
	writeback_cancel(wb, &request);
	assert_return_code(sd_event_run(event, 0), 0);
	assert_int_equal(result, PENDING);
}

/* ---- Punching ------------------------------------------------------------- */

static uint64_t allocated(void)
{
	struct stat st;

	assert_int_equal(fstat(backing.fd, &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

static void punches(void **state)
{
	(void)state;
	store_named(0, SIZE, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	/* Within a block, across blocks, to the end of the export. */
	zero_unmap(MIB + 512, 1024);
	zero_unmap(2 * MIB + 512, 2 * MIB);
	zero_unmap(60 * MIB, SIZE - 60 * MIB);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
	assert_backing(2 * MIB + 512, 2 * MIB, 0);
	assert_in_range(allocated(), 50 * MIB, 59 * MIB);
	assert_int_equal(wb->stats.punched, 6 * MIB - 2 * 4096);
}

/* What is written after it was unmapped wins, in the same round and later. */
static void punch_then_write(void **state)
{
	(void)state;
	store_named(0, 8 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);

	zero_unmap(0, MIB);
	store_named(4096, 8192, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();

	/* FUA leaves the rest to be punched, and nothing of what it wrote. */
	zero_unmap(2 * MIB, MIB);
	store_named(2 * MIB + 4096, 8192, 3);
	assert_int_equal(ask(WRITEBACK_FUA), 0);
	assert_backing(2 * MIB, 4096, 1);
	assert_backing(2 * MIB + 4096, 8192, 3);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();

	/* The same for orphans. */
	zero_unmap(4 * MIB, MIB);
	store(4 * MIB + 4096, 8192, 4);
	writeback_adopt(wb);
	run_until_idle();
	assert_whole();
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
}

/* While a round is under way: a matter of the next one. */
static void punch_during_round(void **state)
{
	(void)state;
	store_named(0, 8 * MIB, 1);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	zero_unmap(MIB, MIB);
	run_until_idle();
	assert_int_equal(blockmap_count(&wb->punch), 256);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
}

/* ---- Errors --------------------------------------------------------------- */

/* A file system of our own; without the right to mount there is none. */
static bool mount_small(const char *type, const char *options)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/small", dir);
	if (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS))
		return false;
	if (mkdir(path, 0700) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("small", path, type, 0, options))
		return false;
	return true;
}

static void umount_small(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/small", dir);
	umount(path);
	rmdir(path);
}

static void reopen(const char *under)
{
	writeback_free(wb);
	close(backing.fd);
	unlink(backing.path);
	open_backing(under, SIZE);
	open_writeback();
}

static void no_space(void **state)
{
	(void)state;
	if (!mount_small("tmpfs", "size=8M"))
		skip();
	reopen("small");
	store_named(0, 4096, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	store_named(0, 20 * MIB, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ENOSPC);
	assert_contains(wb->error.why.message, "No space left");
	assert_contains(wb->error.why.message, backing.path);
	assert_contains(wb->error.why.hint, "free space");
	assert_true(wb->error.since > 0);

	/* Latched: nothing more is tried. */
	store_named(30 * MIB, 4096, 3);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ENOSPC);
	assert_int_equal(ask(WRITEBACK_FUA), -ENOSPC);
	assert_int_equal(blockmap_count(&wb->named), 0);
	writeback_adopt(wb);
	assert_int_equal(wb->round.phase, ROUND_IDLE);
	assert_int_equal(dirty_bytes(&wb->dirty), 21 * MIB);

	/* Trying again fails as long as there is no room. */
	assert_int_equal(ask(WRITEBACK_RETRY), -ENOSPC);
	assert_int_equal(dirty_bytes(&wb->dirty), 21 * MIB);
	assert_int_equal(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	reopen(".");
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_backing(0, 20 * MIB, 2);
	assert_backing(30 * MIB, 4096, 3);
	assert_int_equal(dirty_bytes(&wb->dirty), 0);
	assert_int_equal(wb->error.err, 0);
	umount_small();
}

static void no_punching(void **state)
{
	(void)state;
	if (!mount_small("ramfs", ""))
		skip();
	reopen("small");
	store_named(0, 8 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	zero_unmap(MIB, 6 * MIB);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
	assert_int_equal(wb->stats.punched, 0);
	/* Known by now. */
	zero_unmap(0, MIB);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_whole();
	reopen(".");
	umount_small();
}

/* A write stops short in its middle; and one that cannot be done at all. */
static void file_size_limit(void **state)
{
	struct rlimit old, limit;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = 2 * MIB + 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	store_named(0, 4 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EFBIG);
	assert_contains(wb->error.why.message, "File too large");
	assert_backing(0, 2 * MIB + 4096, 1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* What is left of a write that stopped short is not forgotten. */
	assert_int_equal(ftruncate(backing.fd, 0), 0);
	assert_int_equal(ftruncate(backing.fd, SIZE), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	store_named(2 * MIB, 65536, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_backing(2 * MIB, 4096, 2);
}

static void wait_while_failing(void **state)
{
	(void)state;
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	dirty_orphan(&wb->dirty, 0, SIZE);
	memset(memory, 6, SIZE);
	result = second_result = PENDING;
	writeback_adopt(wb);
	run_until_idle();
	assert_int_equal(wb->error.err, -ESTALE);
	writeback_submit(wb, &request, WRITEBACK_RETRY, false);
	assert_int_equal(wb->round.phase, ROUND_WRITE);
	assert_int_equal(unlink(backing.path), 0);
	second_result = PENDING;
	/* Refused at once, though trying again is under way. */
	writeback_submit(wb, &second, WRITEBACK_FLUSH, false);
	run_until_idle();
	assert_int_equal(second_result, -ESTALE);
	assert_int_equal(result, -ENOENT);
	assert_contains(wb->error.why.message, "deleted");
}

/* Those that wait while a round fails have failed as well. */
static void queue_fails(void **state)
{
	(void)state;
	store_named(0, 16 * MIB, 1);
	result = second_result = PENDING;
	writeback_submit(wb, &second, WRITEBACK_FLUSH, true);
	writeback_name(wb, 20 * MIB, 4096);
	writeback_submit(wb, &request, WRITEBACK_FUA, true);
	assert_int_equal(unlink(backing.path), 0);
	run_until_idle();
	assert_int_equal(result, -ENOENT);
	assert_int_equal(second_result, -ENOENT);
	assert_int_equal(blockmap_count(&wb->named), 0);
	/* All of it: a file made anew has nothing. */
	assert_int_equal(dirty_bytes(&wb->dirty), SIZE);
}

static void truncated(void **state)
{
	(void)state;
	memset(memory, 1, SIZE);
	writeback_name(wb, 0, SIZE);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	store_named(63 * MIB, 4096, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ESTALE);
	assert_contains(wb->error.why.message, "has 4096 bytes now");
	assert_int_equal(dirty_bytes(&wb->dirty), SIZE);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* Cut short with nobody looking: trying again must not hide it. */
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), -ESTALE);
	assert_int_equal(dirty_bytes(&wb->dirty), SIZE);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* One that grew is not ours to cut. */
	assert_int_equal(ftruncate(backing.fd, SIZE + 4096), 0);
	assert_int_equal(ask(WRITEBACK_FLUSH), -ESTALE);
	assert_int_equal(ask(WRITEBACK_RETRY), -ESTALE);
	assert_int_equal(ftruncate(backing.fd, SIZE), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();
}

static void limit_file_size(uint64_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Another error came first: what was cut off is written all the same. */
static void truncated_after_an_error(void **state)
{
	(void)state;
	memset(memory, 1, SIZE);
	writeback_name(wb, 0, SIZE);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	limit_file_size(MIB);
	store_named(MIB, 4096, 2);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EFBIG);
	limit_file_size(RLIM_INFINITY);
	assert_int_equal(dirty_bytes(&wb->dirty), MIB);
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), -ESTALE);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();

	/* In the same round, and somebody gives it its size again. */
	limit_file_size(MIB);
	store_named(MIB, 4096, 3);
	result = PENDING;
	writeback_submit(wb, &request, WRITEBACK_FLUSH, true);
	assert_int_equal(ftruncate(backing.fd, 4096), 0);
	run_until_idle();
	limit_file_size(RLIM_INFINITY);
	assert_int_equal(result, -EFBIG);
	assert_int_equal(ftruncate(backing.fd, SIZE), 0);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();
}

/* A punch that fails leaves its chunks dirty. */
static void punch_fails(void **state)
{
	int flags = fcntl(backing.fd, F_GETFL);

	(void)state;
	store_named(0, 8 * MIB, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
	dirty_clear(&wb->dirty, 0);
	zero_unmap(MIB, MIB);
	dirty_clear(&wb->dirty, 0);
	/* Opened for reading only. */
	close(backing.fd);
	assert_int_equal(open(backing.path, O_RDONLY), backing.fd);
	assert_int_equal(ask(WRITEBACK_FLUSH), -EBADF);
	assert_contains(wb->error.why.message, "cannot free");
	assert_int_equal(dirty_bytes(&wb->dirty), MIB);
	close(backing.fd);
	assert_int_equal(open(backing.path, flags & ~O_CREAT), backing.fd);
	assert_int_equal(ask(WRITEBACK_RETRY), 0);
	assert_whole();
}

/* A sync that fails: that of a pipe. */
static void sync_fails(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	backing.block_device = false;
	store_named(0, 4096, 1);
	/* A pipe in the file's place, which cannot be made durable. */
	assert_return_code(dup2(ends[1], backing.fd), errno);
	snprintf(backing.path, sizeof(backing.path), "/proc/self/fd/%d",
		 backing.fd);
	backing.size = 0;
	assert_int_equal(ask(WRITEBACK_FLUSH), -EINVAL);
	assert_contains(wb->error.why.message, "durable");
	assert_int_equal(dirty_bytes(&wb->dirty), MIB);
	close(ends[0]);
	close(ends[1]);
}

/* The lowest descriptor that is free. */
static int free_fd(void)
{
	int fd = dup(backing.fd);

	assert_return_code(fd, errno);
	close(fd);
	return fd;
}

/* However far it comes, it fails cleanly, and nothing of it is left. */
static void no_descriptors(void **state)
{
	struct writeback *other;
	struct rlimit old, limit;
	int first = free_fd(), more;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	limit = old;
	for (more = 0; more < 2; more++) {
		limit.rlim_cur = (rlim_t)(first + more);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		assert_int_equal(writeback_new(&other, event, "y", &backing,
					       &dirty, memory, &why), -EMFILE);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
		assert_contains(why.message, more ? "eventfd" : "io_uring");
		assert_int_equal(free_fd(), first);
	}
	assert_int_equal(writeback_new(&other, event, "y", &backing, &dirty,
				       memory, &why), 0);
	assert_true(free_fd() > first);
	writeback_free(other);
	assert_int_equal(free_fd(), first);
	/* The one that is there goes on. */
	store_named(0, 4096, 1);
	assert_int_equal(ask(WRITEBACK_FLUSH), 0);
}

/* ---- Kill ----------------------------------------------------------------- */

#define KILLS		30
#define BLOCKS		256U	/* one in every fourth part of a chunk */
#define STRIDE		(MIB / 4)

struct ledger {
	_Atomic uint32_t stored[BLOCKS];	/* acknowledged writes */
	_Atomic uint32_t flushed[BLOCKS];	/* acknowledged flushes */
};

static void store_number(struct ledger *ledger, unsigned int block,
			 uint32_t number)
{
	uint64_t offset = block * STRIDE;

	dirty_mark(&wb->dirty, 0, offset, 4096);
	memcpy(memory + offset, &number, sizeof(number));
	memcpy(memory + offset + 4092, &number, sizeof(number));
	ledger->stored[block] = number;
	writeback_name(wb, offset, 4096);
}

static void child(struct ledger *ledger, uint32_t number)
{
	uint32_t was[BLOCKS];
	unsigned int i, j;

	/* A daemon that starts. */
	writeback_adopt(wb);
	for (;; number++) {
		for (i = 0; i < 10; i++)
			store_number(ledger, (unsigned int)random() % BLOCKS,
				     number);
		for (j = 0; j < BLOCKS; j++)
			was[j] = ledger->stored[j];
		if (ask(WRITEBACK_FLUSH))
			_exit(1);
		for (j = 0; j < BLOCKS; j++)
			ledger->flushed[j] = was[j];
		if (number % 4 == 0) {
			dirty_clear(&wb->dirty, 0);
		} else if (number % 7 == 0) {
			store_number(ledger, number % BLOCKS, number);
			writeback_forget(wb);
			writeback_adopt(wb);
		}
	}
}

static void assert_numbers(const struct ledger *ledger, bool all)
{
	int fd = open(backing.path, O_RDONLY);
	uint32_t block[1024];
	unsigned int i;

	assert_return_code(fd, errno);
	for (i = 0; i < BLOCKS; i++) {
		assert_int_equal(pread(fd, block, 4096, (off_t)(i * STRIDE)),
				 4096);
		assert_in_range(block[0], all ? ledger->stored[i] :
				ledger->flushed[i], UINT32_MAX);
		assert_int_equal(block[0], block[1023]);
	}
	close(fd);
}

/*
 * What a flush that was acknowledged covered is in the file; what was not
 * flushed is found by the maps. The child has no more than the daemon has.
 */
static void killed(void **state)
{
	struct ledger *ledger;
	unsigned int kills;
	pid_t pid;

	(void)state;
	ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(ledger != MAP_FAILED);
	for (kills = 0; kills < KILLS; kills++) {
		writeback_free(wb);
		wb = NULL;
		pid = fork();
		assert_return_code(pid, errno);
		if (!pid) {
			srandom(kills);
			assert_return_code(sd_event_new(&event), 0);
			open_writeback();
			child(ledger, 1 + kills * 100000);
		}
		usleep(1000 + (unsigned int)random() % 60000);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_numbers(ledger, false);
		open_writeback();
		if (kills % 3)
			continue;	/* the next child finds it */
		writeback_adopt(wb);
		run_until_idle();
		assert_numbers(ledger, true);
		assert_int_equal(dirty_bytes(&wb->dirty), 0);
	}
	writeback_adopt(wb);
	run_until_idle();
	assert_numbers(ledger, true);
	munmap(ledger, sizeof(*ledger));
}

#define FIXTURE(function)						\
	cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE(flush_named),
		FIXTURE(fua_alone),
		FIXTURE(flushes_share),
		FIXTURE(background),
		FIXTURE(cancelled),
		FIXTURE(punches),
		FIXTURE(punch_then_write),
		FIXTURE(punch_during_round),
		FIXTURE(file_size_limit),
		FIXTURE(wait_while_failing),
		FIXTURE(queue_fails),
		FIXTURE(truncated),
		FIXTURE(truncated_after_an_error),
		FIXTURE(punch_fails),
		FIXTURE(sync_fails),
		FIXTURE(no_descriptors),
		FIXTURE(killed),
		FIXTURE(no_space),
		FIXTURE(no_punching),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
