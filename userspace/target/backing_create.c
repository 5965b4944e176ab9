// SPDX-License-Identifier: GPL-2.0
/*
 * Making a backing file. It gets its name when it is complete and durable, so
 * that a failure or a kill in between leaves nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "backing.h"
#include "cleanup.h"
#include "size.h"

static int open_unnamed(const char *path, const char *dir, struct reason *why)
{
	int fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600), err;

	if (fd >= 0)
		return fd;
	err = reason_set(why, -errno, "cannot make a file in %s: %m", dir);
	if (err == -EOPNOTSUPP)
		reason_hint(why, "make it yourself: 'truncate -s SIZE %s'",
			    path);
	return err;
}

/* See check_cow() in backing_open.c; it has to be said while the file is empty. */
static int forbid_cow(int fd, struct reason *why)
{
	struct statfs fs;
	int flags;

	if (fstatfs(fd, &fs) || fs.f_type != BTRFS_SUPER_MAGIC)
		return 0;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags))
		return reason_set(why, -errno, "cannot read the attributes of the new file: %m");
	flags |= FS_NOCOW_FL;
	if (ioctl(fd, FS_IOC_SETFLAGS, &flags))
		return reason_set(why, -errno, "cannot make the new file NOCOW: %m");
	return 0;
}

static int give_size(int fd, const char *path, uint64_t size, bool prealloc,
		     struct reason *why)
{
	char want[SIZE_TEXT_MAX], have[SIZE_TEXT_MAX];
	struct statfs fs;
	int err;

	err = prealloc ? TEMP_FAILURE_RETRY(fallocate(fd, 0, 0, (off_t)size)) :
			 ftruncate(fd, (off_t)size);
	if (!err)
		return 0;
	err = reason_set(why, -errno, "cannot give %s %" PRIu64 " bytes: %m",
			 path, size);
	/* What it got until then is not lacking. */
	if (err != -ENOSPC || ftruncate(fd, 0) || fstatfs(fd, &fs))
		return err;
	reason_set(why, err, "the file system of %s has %s left, %s are needed",
		   path, size_text((uint64_t)fs.f_bavail *
				   (uint64_t)fs.f_bsize, have),
		   size_text(size, want));
	reason_hint(why, "choose a smaller size, or free space there");
	return err;
}

/* With all of it on the disk: first the file, then its name. */
static int give_name(int fd, const char *path, const char *dir,
		     struct reason *why)
{
	CLEANUP_CLOSE int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char self[40];
	int err;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (dir_fd < 0 || fsync(fd) ||
	    linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW))
		return reason_set(why, -errno, "cannot make %s: %m", path);
	if (!fsync(dir_fd))
		return 0;
	err = reason_set(why, -errno, "cannot make %s: %m", path);
	unlink(path);
	return err;
}

/**
 * backing_create() - make a backing file that reads as zeros
 * @path: where; there is no file
 * @size: bytes
 * @prealloc: give it all of its space, rather than as it is written to
 * @why: set on failure
 *
 * Return: 0; or a negative errno, and nothing was made.
 */
int backing_create(const char *path, uint64_t size, bool prealloc,
		   struct reason *why)
{
	CLEANUP_FREE char *copy = strdup(path);
	CLEANUP_CLOSE int fd = -1;
	const char *dir;
	int err;

	if (!copy)
		return reason_set(why, -ENOMEM, "out of memory");
	dir = dirname(copy);
	fd = open_unnamed(path, dir, why);
	if (fd < 0)
		return fd;
	err = forbid_cow(fd, why);
	if (!err)
		err = give_size(fd, path, size, prealloc, why);
	if (!err)
		err = give_name(fd, path, dir, why);
	return err;
}
