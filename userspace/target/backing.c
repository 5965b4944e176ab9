// SPDX-License-Identifier: GPL-2.0
/*
 * The file or block device that keeps an export's contents, once it is open: what it
 * is like by now. Reading is load.c's, opening backing_open.c's.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backing.h"

/**
 * backing_close() - let go of a backing
 * @backing: open, or not
 */
void backing_close(struct backing *backing)
{
	if (backing->fd >= 0)
		close(backing->fd);
	backing->fd = -1;
}

static int examine(const struct backing *backing, struct stat *st,
		   struct reason *why)
{
	if (!fstat(backing->fd, st))
		return 0;
	return reason_set(why, -errno, "cannot examine %s: %m", backing->path);
}

/**
 * backing_size() - how large is it now?
 * @backing: open
 * @size: set to it, bytes
 * @why: set on failure
 *
 * Context: any thread.
 * Return: 0 or a negative errno.
 */
int backing_size(const struct backing *backing, uint64_t *size,
		 struct reason *why)
{
	struct stat st;
	int err;

	if (backing->block_device) {
		if (!ioctl(backing->fd, BLKGETSIZE64, size))
			return 0;
		return reason_set(why, -errno, "cannot read the size of %s: %m",
				  backing->path);
	}
	err = examine(backing, &st, why);
	if (!err)
		*size = (uint64_t)st.st_size;
	return err;
}

/**
 * backing_check_place() - is a file where the operator put it?
 * @backing: open; a block device always is
 * @why: set if not
 *
 * One that is not could be written to, but whoever looks for the contents in
 * their place, the daemon at its next start among them, would not find them.
 *
 * Context: any thread.
 * Return: 0; -ENOENT; another negative errno.
 */
int backing_check_place(const struct backing *backing, struct reason *why)
{
	struct stat file, place;
	int err;

	if (backing->block_device)
		return 0;
	err = examine(backing, &file, why);
	if (err)
		return err;
	if (!file.st_nlink)
		return reason_set(why, -ENOENT, "%s was deleted",
				  backing->path);
	if (stat(backing->path, &place))
		return reason_set(why, -errno, "%s is not in its place: %m",
				  backing->path);
	if (place.st_dev != file.st_dev || place.st_ino != file.st_ino)
		return reason_set(why, -ENOENT,
				  "%s is not in its place: another file is",
				  backing->path);
	return 0;
}

/**
 * backing_check() - is it still there, and as large as it was?
 * @backing: open
 * @why: set if not
 *
 * A block device may have grown, which is how the resize of an export begins.
 *
 * Context: any thread.
 * Return: 0; -ENOENT when a file is gone from its place; -ESTALE when the size is
 * another; another negative errno.
 */
int backing_check(const struct backing *backing, struct reason *why)
{
	uint64_t size;
	int err = backing_check_place(backing, why);

	if (!err)
		err = backing_size(backing, &size, why);
	if (err || size == backing->size ||
	    (backing->block_device && size > backing->size))
		return err;
	return reason_set(why, -ESTALE, "%s has %" PRIu64 " bytes now, it had %"
			  PRIu64, backing->path, size, backing->size);
}

/**
 * backing_tie() - what is unmistakable about a backing
 * @backing: open
 * @tie: filled in
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int backing_tie(const struct backing *backing, struct tie *tie,
		struct reason *why)
{
	if (backing->block_device)
		return tie_disk(tie, backing->fd, backing->size, why);
	return tie_file(tie, TIE_FILE, backing->fd, why);
}

/**
 * backing_mtime() - when a file was changed last
 * @backing: open
 * @mtime: set to it, ns; zero for a block device, which does not know
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int backing_mtime(const struct backing *backing, uint64_t *mtime,
		  struct reason *why)
{
	struct stat st;
	int err;

	*mtime = 0;
	if (backing->block_device)
		return 0;
	err = examine(backing, &st, why);
	if (err)
		return err;
	*mtime = (uint64_t)st.st_mtim.tv_sec * 1000000000 +
		 (uint64_t)st.st_mtim.tv_nsec;
	return 0;
}
