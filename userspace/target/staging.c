// SPDX-License-Identifier: GPL-2.0
/*
 * The named memory that an export with a backing is served from. Its file has
 * the contents, then the tail: two coarse maps, the map of orphans, and in the
 * last 4 KiB the header, where it is found whatever the export's size is.
 *
 * The file outlives the daemon, which may be killed at any instant, and what
 * it holds may be all that there is of writes that were acknowledged. So it
 * gets its name when its header says LOADING; the header says READY when the
 * contents are complete; and no file is given up that may hold what the backing
 * lacks, or that is not ours.
 *
 * The pages of the tail are allocated before it is touched: a full file system
 * would kill otherwise.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "log.h"
#include "memfile.h"
#include "staging.h"
#include "staging_header.h"

#define MAP_UNIT	4096U

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) & ~(unit - 1);
}

/**
 * staging_lay_out() - where the tail of a staging file is
 * @staging: its size and page size are set; the rest of the layout is filled in
 * @why: set on failure
 *
 * Return: 0 or -E2BIG.
 */
int staging_lay_out(struct staging *staging, struct reason *why)
{
	uint64_t nr;

	if (staging->size > (uint64_t)UINT32_MAX << STAGING_CHUNK_SHIFT)
		return reason_set(why, -E2BIG, "%s would be for more than 4 PiB, which is the most",
				  staging->path);
	nr = round_up(staging->size, (uint64_t)1 << STAGING_CHUNK_SHIFT) >>
	     STAGING_CHUNK_SHIFT;
	staging->nr_chunks = (uint32_t)nr;
	staging->chunk_shift = STAGING_CHUNK_SHIFT;
	staging->map_size = round_up(nr, MAP_UNIT);
	staging->tail_offset = round_up(staging->size, staging->page_size);
	staging->tail_size = round_up((RDMABLK_EPOCHS + 1) * staging->map_size +
				      STAGING_HEADER, staging->page_size);
	return 0;
}

/**
 * staging_map_tail() - allocate and map the tail
 * @staging: laid out, the file is long enough
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int staging_map_tail(struct staging *staging, struct reason *why)
{
	uint8_t *tail;
	int i;

	if (TEMP_FAILURE_RETRY(fallocate(staging->fd, 0,
					 (off_t)staging->tail_offset,
					 (off_t)staging->tail_size)))
		return reason_set(why, -errno, "cannot allocate the maps in %s: %m",
				  staging->path);
	tail = mmap(NULL, staging->tail_size, PROT_READ | PROT_WRITE,
		    MAP_SHARED, staging->fd, (off_t)staging->tail_offset);
	if (tail == MAP_FAILED)
		return reason_set(why, -errno, "cannot map the maps in %s: %m",
				  staging->path);
	staging->tail = tail;
	if (madvise(tail, staging->tail_size, MADV_POPULATE_WRITE))
		return reason_set(why, -errno, "cannot map the maps in %s: %m",
				  staging->path);
	for (i = 0; i < RDMABLK_EPOCHS; i++)
		staging->coarse[i] = tail + (size_t)i * staging->map_size;
	staging->orphan = tail + RDMABLK_EPOCHS * staging->map_size;
	staging->header = (struct staging_header *)(void *)
		(tail + staging->tail_size - STAGING_HEADER);
	return 0;
}

/**
 * staging_end() - how long is the file?
 * @staging: laid out
 *
 * Return: bytes.
 */
uint64_t staging_end(const struct staging *staging)
{
	return staging->tail_offset + staging->tail_size;
}

/**
 * staging_own() - can an open file be used, and by this export alone?
 * @staging: open; its page size is filled in
 * @why: set if not
 *
 * Return: 0; -EINVAL when it cannot be registered for RDMA; -EPERM when it is
 * another user's; -EBUSY when another export has it; another negative errno.
 */
int staging_own(struct staging *staging, struct reason *why)
{
	int err = memfile_check(staging->fd, staging->path, &staging->page_size,
				why);

	if (err == -EINVAL)
		reason_hint(why, "choose a path below /dev/shm for the staging");
	return err ? err : memfile_lock(staging->fd, staging->path, why);
}

/**
 * staging_init() - begin without a file
 * @staging: filled in
 * @path: of the file
 * @size: of the export, bytes
 */
void staging_init(struct staging *staging, const char *path, uint64_t size)
{
	*staging = (struct staging){ .fd = -1, .size = size };
	strncpy(staging->path, path, sizeof(staging->path) - 1);
}

/* ---- A new file ---------------------------------------------------------- */

static int open_new(struct staging *staging, const char *temporary,
		    struct reason *why)
{
	if (unlink(temporary) && errno != ENOENT)
		return reason_set(why, -errno, "cannot remove %s: %m",
				  temporary);
	staging->fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
			   0600);
	if (staging->fd < 0)
		return reason_set(why, -errno, "cannot make %s: %m", temporary);
	return staging_own(staging, why);
}

static int fill_new(struct staging *staging, const struct tie *tie,
		    struct reason *why)
{
	int err = staging_lay_out(staging, why);

	if (err)
		return err;
	if (ftruncate(staging->fd, (off_t)staging_end(staging)))
		return reason_set(why, -errno, "cannot give staging %s %" PRIu64
				  " bytes: %m", staging->path,
				  staging_end(staging));
	err = staging_map_tail(staging, why);
	if (err)
		return err;
	err = sd_id128_randomize(&staging->id);
	if (err < 0)
		return reason_set(why, err, "no random numbers: %s",
				  strerror(-err));
	*staging->header = (struct staging_header){
		.magic = STAGING_MAGIC,
		.version = STAGING_VERSION,
		.state = STAGING_STATE_LOADING,
		.size = staging->size,
		.chunk_shift = staging->chunk_shift,
		.id = staging->id,
		.tie = *tie,
	};
	return 0;
}

/**
 * staging_make() - make a staging file, whose contents are to be loaded
 * @staging: filled in
 * @path: of the file; takes the place of one that is there
 * @size: of the export, bytes
 * @tie: of the backing
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int staging_make(struct staging *staging, const char *path, uint64_t size,
		 const struct tie *tie, struct reason *why)
{
	CLEANUP_FREE char *temporary = NULL;
	int err;

	staging_init(staging, path, size);
	/* No export's name has a tilde: it is not the memory of another one. */
	if (asprintf(&temporary, "%s~", path) < 0) {
		temporary = NULL;
		return reason_set(why, -ENOMEM, "out of memory");
	}
	err = open_new(staging, temporary, why);
	if (!err)
		err = fill_new(staging, tie, why);
	if (!err && rename(temporary, path))
		err = reason_set(why, -errno, "cannot make %s: %m", path);
	if (!err)
		return 0;
	if (staging->fd >= 0)
		unlink(temporary);
	staging_close(staging);
	return err;
}

/* ---- Its life ------------------------------------------------------------ */

/**
 * staging_set_loaded() - the contents are complete
 * @staging: a new one, all of whose contents were loaded
 *
 * Whoever finds the file from now on takes it for the contents.
 */
void staging_set_loaded(struct staging *staging)
{
	atomic_store_explicit(&staging->header->state, STAGING_STATE_READY,
			      memory_order_release);
	staging->loaded = true;
}

/**
 * staging_is_dirty() - may it have what the backing lacks?
 * @staging: with its maps in place; nobody writes to it
 *
 * Return: whether one of its maps marks anything.
 */
bool staging_is_dirty(const struct staging *staging)
{
	const uint8_t *maps = staging->tail;
	size_t i;

	for (i = 0; maps && i < (RDMABLK_EPOCHS + 1) * staging->map_size; i++)
		if (maps[i])
			return true;
	return false;
}

/**
 * staging_allocated() - how much of the contents' memory is allocated
 * @staging: open
 *
 * Return: bytes.
 */
uint64_t staging_allocated(const struct staging *staging)
{
	uint64_t bytes;
	struct stat st;

	if (fstat(staging->fd, &st))
		return 0;
	bytes = (uint64_t)st.st_blocks * 512;
	return bytes > staging->tail_size ? bytes - staging->tail_size : 0;
}

/**
 * staging_unlink() - give the memory back when the file is closed
 * @staging: open; the backing has all that it has
 */
void staging_unlink(const struct staging *staging)
{
	if (unlink(staging->path) && errno != ENOENT)
		log_warning("cannot remove %s: %m", staging->path);
}

/**
 * staging_unmap() - unmap what belongs to the tail
 * @staging: open, or not
 */
void staging_unmap(struct staging *staging)
{
	if (staging->tail)
		munmap(staging->tail, staging->tail_size);
	if (staging->beneath)
		munmap(staging->beneath, staging->beneath_size);
	staging->tail = NULL;
	staging->beneath = NULL;
}

/**
 * staging_close() - let go of a staging file, which stays
 * @staging: open, or not
 */
void staging_close(struct staging *staging)
{
	staging_unmap(staging);
	if (staging->fd >= 0)
		close(staging->fd);
	staging->fd = -1;
}
