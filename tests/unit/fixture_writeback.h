/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of write-back share: an export's memory and maps, the file
 * behind it, and the steps of a session.
 */
#ifndef RDMABLK_TEST_FIXTURE_WRITEBACK_H
#define RDMABLK_TEST_FIXTURE_WRITEBACK_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
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

static inline void done(struct writeback_request *ended, int err)
{
	*(ended == &second ? &second_result : &result) = err;
}

static inline void open_backing(const char *under, uint64_t size)
{
	backing = (struct backing){ .size = size, .align = 512 };
	snprintf(backing.path, sizeof(backing.path), "%s/%s/disk", dir, under);
	backing.fd = open(backing.path, O_RDWR | O_CREAT | O_DIRECT, 0600);
	if (backing.fd < 0)	/* in memory */
		backing.fd = open(backing.path, O_RDWR | O_CREAT, 0600);
	assert_return_code(backing.fd, errno);
	assert_int_equal(ftruncate(backing.fd, (off_t)size), 0);
}

static inline void open_writeback(void)
{
	assert_int_equal(writeback_new(&wb, event, "x", &backing, &dirty,
				       memory, &why), 0);
	request.done = done;
	second.done = done;
}

static inline void map_memory(void)
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

static inline int setup(void **state)
{
	(void)state;
	assert_return_code(sd_event_new(&event), 0);
	map_memory();
	open_backing(".", SIZE);
	open_writeback();
	return 0;
}

static inline int teardown(void **state)
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

static inline int make_dir(void **state)
{
	(void)state;
	/* The daemon ignores it, too. */
	signal(SIGXFSZ, SIG_IGN);
	return mkdtemp(dir) ? 0 : -1;
}

static inline int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

#define FIXTURE(function)						\
	cmocka_unit_test_setup_teardown(function, setup, teardown)

/* ---- Steps --------------------------------------------------------------- */

static inline bool idle(void)
{
	return wb->round.phase == ROUND_IDLE && TAILQ_EMPTY(&wb->ended);
}

static inline void run_until_idle(void)
{
	uint64_t deadline = clock_now_us() + DEADLINE_US;

	while (!idle()) {
		assert_true(clock_now_us() < deadline);
		assert_return_code(sd_event_run(event, USEC_PER_SEC), 0);
	}
}

static inline void store(uint64_t offset, uint64_t length, int byte)
{
	dirty_mark(&wb->dirty, 0, offset, length);
	memset(memory + offset, byte, length);
}

static inline void store_named(uint64_t offset, uint64_t length, int byte)
{
	store(offset, length, byte);
	writeback_name(wb, offset, length);
}

static inline int ask(enum writeback_kind kind)
{
	result = PENDING;
	writeback_submit(wb, &request, kind, true);
	run_until_idle();
	return result;
}

static inline void zero_unmap(uint64_t offset, uint64_t length)
{
	store(offset, length, 0);
	writeback_unmap(wb, offset, length);
}

/* Is a part of the backing all of one byte? */
static inline void assert_backing(uint64_t offset, uint64_t length, int byte)
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

static inline void assert_whole(void)
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

/* ---- Other file systems -------------------------------------------------- */

/* A file system of our own; without the right to mount there is none. */
static inline bool mount_small(const char *type, const char *options)
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

static inline void umount_small(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/small", dir);
	umount(path);
	rmdir(path);
}

static inline void reopen(const char *under)
{
	writeback_free(wb);
	close(backing.fd);
	unlink(backing.path);
	open_backing(under, SIZE);
	open_writeback();
}

#endif /* RDMABLK_TEST_FIXTURE_WRITEBACK_H */
