// SPDX-License-Identifier: GPL-2.0
/*
 * The staging file that is in its place when an export is opened: whose it is, whether
 * its contents count, and what a resize that was interrupted has left of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "staging.h"
#include "staging_header.h"

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

	staging_init(staging, path, size);
	*found = STAGING_NOTHING;
	staging->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (staging->fd < 0 && errno == ENOENT)
		return 0;
	if (staging->fd < 0)
		return reason_set(why, -errno, "cannot open staging %s: %m",
				  path);
	err = staging_own(staging, why);
	if (!err)
		err = examine(staging, size_before, tie, found, why);
	if (err)
		staging_close(staging);
	return err;
}
