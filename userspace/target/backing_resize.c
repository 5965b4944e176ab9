// SPDX-License-Identifier: GPL-2.0
/*
 * Making a backing larger or smaller while it is in use. A block device is
 * resized by others: it is only asked for its size.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backing.h"
#include "log.h"
#include "size.h"

/**
 * backing_reserve() - give a file the space for a larger size beforehand
 * @backing: open
 * @size: that backing_resize() will give it, bytes
 * @why: set on failure
 *
 * Its size stays: backing_resize() gives back what is behind its size then.
 *
 * Context: any thread.
 * Return: 0 or a negative errno.
 */
int backing_reserve(const struct backing *backing, uint64_t size,
		    struct reason *why)
{
	const uint64_t length = size - backing->size;
	char want[SIZE_TEXT_MAX], have[SIZE_TEXT_MAX];
	struct statfs fs;
	int err;

	if (!TEMP_FAILURE_RETRY(fallocate(backing->fd, FALLOC_FL_KEEP_SIZE,
					  (off_t)backing->size,
					  (off_t)length)))
		return 0;
	err = reason_set(why, -errno, "cannot give %s %" PRIu64 " bytes: %m",
			 backing->path, size);
	/* What it got until then is not lacking. */
	if (err != -ENOSPC ||
	    ftruncate(backing->fd, (off_t)backing->size) ||
	    fstatfs(backing->fd, &fs))
		return err;
	reason_set(why, err, "the file system of %s has %s left, %s more are needed",
		   backing->path, size_text((uint64_t)fs.f_bavail *
					    (uint64_t)fs.f_bsize, have),
		   size_text(length, want));
	reason_hint(why, "choose a smaller size, or free space there");
	return err;
}

static int resize_file(const struct backing *backing, uint64_t size,
		       struct reason *why)
{
	int err = backing_check_place(backing, why);

	if (err)
		return err;
	if (!ftruncate(backing->fd, (off_t)size) && !fsync(backing->fd))
		return 0;
	err = reason_set(why, -errno, "cannot give %s %" PRIu64 " bytes: %m",
			 backing->path, size);
	/* A larger one only: what was cut off does not come back. */
	if (size > backing->size &&
	    ftruncate(backing->fd, (off_t)backing->size))
		log_error("cannot give %s %" PRIu64 " bytes again: %m",
			  backing->path, backing->size);
	return err;
}

static int resize_disk(const struct backing *backing, uint64_t size,
		       struct reason *why)
{
	uint64_t now;
	int err = backing_size(backing, &now, why);

	if (!err && now != size)
		err = reason_set(why, -ESTALE, "%s has %" PRIu64 " bytes now, %"
				 PRIu64 " are needed", backing->path, now, size);
	return err;
}

/**
 * backing_resize() - give a backing another size
 * @backing: open, and nothing is being written to it
 * @size: a multiple of its alignment; of a block device that it has, bytes
 * @why: set on failure
 *
 * What a file gets reads as zero. Its new size is durable when this returns.
 *
 * Context: any thread.
 * Return: 0; -ENOENT when a file is not in its place; another negative errno.
 */
int backing_resize(struct backing *backing, uint64_t size, struct reason *why)
{
	int err = backing->block_device ? resize_disk(backing, size, why) :
					  resize_file(backing, size, why);

	if (!err)
		backing->size = size;
	return err;
}
