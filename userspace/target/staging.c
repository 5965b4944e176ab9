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
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cleanup.h"
#include "log.h"
#include "macros.h"
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

static int check_file_system(struct staging *staging, struct reason *why)
{
	struct statfs fs;

	if (fstatfs(staging->fd, &fs))
		return reason_set(why, -errno, "cannot examine %s: %m",
				  staging->path);
	if (fs.f_type != TMPFS_MAGIC && fs.f_type != HUGETLBFS_MAGIC) {
		reason_set(why, -EINVAL, "staging %s is not on tmpfs or hugetlbfs, and others cannot be registered for RDMA",
			   staging->path);
		reason_hint(why, "choose a path below /dev/shm");
		return -EINVAL;
	}
	staging->page_size = fs.f_type == HUGETLBFS_MAGIC ?
		(uint64_t)fs.f_bsize : (uint64_t)sysconf(_SC_PAGESIZE);
	return 0;
}

static int lock_file(const struct staging *staging, struct reason *why)
{
	if (!flock(staging->fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == EWOULDBLOCK)
		return reason_set(why, -EBUSY,
				  "staging %s is in use by another export",
				  staging->path);
	return reason_set(why, -errno, "cannot lock %s: %m", staging->path);
}

static void init(struct staging *staging, const char *path, uint64_t size)
{
	*staging = (struct staging){ .fd = -1, .size = size };
	strncpy(staging->path, path, sizeof(staging->path) - 1);
}

/* ---- A file that is there ------------------------------------------------ */

/**
 * struct spot - a header that was found
 * @header: what it says
 * @end: of the tail that it belongs to, bytes: the file may be longer
 */
struct spot {
	struct staging_header	header;
	uint64_t		end;
};

static bool read_header(int fd, uint64_t end, struct spot *spot)
{
	spot->end = end;
	return end >= STAGING_HEADER &&
	       pread(fd, &spot->header, sizeof(spot->header),
		     (off_t)(end - STAGING_HEADER)) == sizeof(spot->header) &&
	       spot->header.magic == STAGING_MAGIC;
}

/**
 * staging_is_one() - is a file on tmpfs or hugetlbfs a staging file?
 * @fd: the file
 *
 * Return: true if so, of whatever export.
 */
bool staging_is_one(int fd)
{
	struct spot spot;
	struct stat st;

	return !fstat(fd, &st) && read_header(fd, (uint64_t)st.st_size, &spot);
}

/* Where an export of another size would have it. */
static bool read_header_of(const struct staging *staging, uint64_t size,
			   struct spot *spot)
{
	struct staging other = *staging;
	struct reason unused;

	other.size = size;
	return !staging_lay_out(&other, &unused) &&
	       read_header(staging->fd, staging_end(&other), spot) &&
	       spot->header.size == size;
}

/*
 * It is at the end of the file; but a daemon that was killed while it made the
 * file longer has left another one where the tail was before, which counts, or
 * only that one. The backing may have its new size by now.
 */
static bool find_header(const struct staging *staging, uint64_t file_size,
			uint64_t size_before, struct spot *spot)
{
	struct spot old;

	if (!read_header(staging->fd, file_size, spot))
		return read_header_of(staging, staging->size, spot) ||
		       (size_before &&
			read_header_of(staging, size_before, spot));
	if (spot->header.state == STAGING_STATE_LOADING &&
	    spot->header.grown_from &&
	    read_header_of(staging, spot->header.grown_from, &old) &&
	    old.header.state == STAGING_STATE_READY)
		*spot = old;
	return true;
}

static int check_ours(const struct staging *staging, uint64_t file_size,
		      uint64_t size_before, struct spot *spot,
		      struct reason *why)
{
	if (find_header(staging, file_size, size_before, spot) &&
	    spot->header.version == STAGING_VERSION)
		return 0;
	reason_set(why, -EINVAL, "%s is there and is not a staging file of this version",
		   staging->path);
	reason_hint(why, "choose another path with staging=, or remove the file");
	return -EINVAL;
}

static enum staging_found judge(const struct staging *staging,
				const struct spot *spot, const struct tie *tie)
{
	const struct staging_header *header = &spot->header;

	if (header->state != STAGING_STATE_READY)
		return STAGING_LOADING;
	if (header->size != staging->size ||
	    header->chunk_shift != staging->chunk_shift ||
	    spot->end != staging_end(staging) ||
	    tie_difference(&header->tie, tie) ||
	    !sd_id128_equal(header->tie.boot, tie->boot))
		return STAGING_UNFIT;
	return STAGING_READY;
}

/* Where the maps of a file are that is not laid out as this export's would. */
static int lay_out_as_found(struct staging *staging, const struct spot *spot,
			    struct reason *why)
{
	int err;

	staging->size = spot->header.size;
	err = staging_lay_out(staging, why);
	if (err)
		return err;
	if (spot->header.chunk_shift == staging->chunk_shift &&
	    spot->end == staging_end(staging))
		return 0;
	reason_set(why, -EINVAL, "%s is a staging file of another layout",
		   staging->path);
	reason_hint(why, "choose another path with staging=, or remove the file");
	return -EINVAL;
}

/* Nothing came of the larger export, and its memory is not needed. */
static int shorten(const struct staging *staging, uint64_t file_size,
		   struct reason *why)
{
	uint64_t end = staging_end(staging);

	if (file_size <= end)
		return 0;
	log_notice("staging %s: made longer for a resize that was interrupted: it is as long as before now",
		   staging->path);
	if (ftruncate(staging->fd, (off_t)end))
		return reason_set(why, -errno, "cannot give staging %s %" PRIu64
				  " bytes: %m", staging->path, end);
	return 0;
}

static int examine(struct staging *staging, uint64_t size_before,
		   const struct tie *tie, enum staging_found *found,
		   struct reason *why)
{
	struct spot spot;
	uint64_t file_size;
	struct stat st;
	int err;

	if (fstat(staging->fd, &st))
		return reason_set(why, -errno, "cannot examine %s: %m",
				  staging->path);
	file_size = (uint64_t)st.st_size;
	err = staging_lay_out(staging, why);
	if (!err)
		err = check_ours(staging, file_size, size_before, &spot, why);
	if (err)
		return err;
	*found = judge(staging, &spot, tie);
	if (*found == STAGING_LOADING)
		return 0;
	err = lay_out_as_found(staging, &spot, why);
	if (!err && *found == STAGING_READY)
		err = shorten(staging, file_size, why);
	if (!err)
		err = staging_map_tail(staging, why);
	staging->id = spot.header.id;
	staging->loaded = *found == STAGING_READY;
	return err;
}

/**
 * staging_open() - open the staging file that is there, if there is one
 * @staging: filled in
 * @path: of the file
 * @size: of the export, bytes
 * @size_before: that it had when the staging was used last, bytes; zero: not known
 * @tie: of the backing
 * @found: set to what it is; with STAGING_UNFIT and STAGING_READY the maps can
 *	   be looked at
 * @why: set on failure
 *
 * Return: 0; -EINVAL when something else is in its place; -EBUSY when another
 * export uses it; another negative errno.
 */
int staging_open(struct staging *staging, const char *path, uint64_t size,
		 uint64_t size_before, const struct tie *tie,
		 enum staging_found *found, struct reason *why)
{
	int err;

	init(staging, path, size);
	*found = STAGING_NOTHING;
	staging->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (staging->fd < 0 && errno == ENOENT)
		return 0;
	if (staging->fd < 0)
		return reason_set(why, -errno, "cannot open staging %s: %m",
				  path);
	err = check_file_system(staging, why);
	if (!err)
		err = lock_file(staging, why);
	if (!err)
		err = examine(staging, size_before, tie, found, why);
	if (err)
		staging_close(staging);
	return err;
}

/* ---- A new file ---------------------------------------------------------- */

static int open_new(struct staging *staging, const char *temporary,
		    struct reason *why)
{
	int err;

	if (unlink(temporary) && errno != ENOENT)
		return reason_set(why, -errno, "cannot remove %s: %m",
				  temporary);
	staging->fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
			   0600);
	if (staging->fd < 0)
		return reason_set(why, -errno, "cannot make %s: %m", temporary);
	err = check_file_system(staging, why);
	return err ? err : lock_file(staging, why);
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

	init(staging, path, size);
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
