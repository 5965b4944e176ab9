// SPDX-License-Identifier: GPL-2.0
/*
 * Opening the file or block device that keeps an export's contents: for direct I/O
 * and for nobody else, with what has to be known to use it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "backing.h"
#include "cleanup.h"
#include "spec.h"

#define SECTOR	512U

/*
 * A daemon that was killed holds its backing until its last I/O has ended, and
 * whoever is to follow has to wait for that: a write of the old one must not
 * land behind one of the new.
 */
#define WAIT_TRIES	100
#define WAIT_NS		10000000	/* between two tries */

static bool try_again(int *tries)
{
	const struct timespec wait = { .tv_nsec = WAIT_NS };
	int err = errno;

	if (!*tries)
		return false;
	--*tries;
	nanosleep(&wait, NULL);
	errno = err;
	return true;
}

static int open_fd(struct backing *backing, const char *path, int flags,
		   struct reason *why)
{
	int err, tries = WAIT_TRIES;

	flags |= (backing->read_only ? O_RDONLY : O_RDWR) | O_DIRECT | O_CLOEXEC;
	do {
		backing->fd = open(path, flags);
	} while (backing->fd < 0 && errno == EBUSY && try_again(&tries));
	if (backing->fd >= 0)
		return 0;
	err = reason_set(why, -errno, "cannot open %s: %m", path);
	switch (err) {
	case -EINVAL:
		reason_set(why, err, "the file system of %s cannot do direct I/O",
			   path);
		reason_hint(why, "choose a path on another one: ext4 and XFS can");
		break;
	case -EBUSY:
		reason_set(why, err, "%s is in use: mounted, part of another device, or another export's",
			   path);
		reason_hint(why, "'lsblk %s' shows by what", path);
		break;
	case -EROFS:
	case -EACCES:
		reason_hint(why, "read-only=yes offers it for reading");
		break;
	default:
		break;
	}
	return err;
}

/* ---- Alignment ----------------------------------------------------------- */

/* For kernels and file systems that do not say what they want. */
static uint32_t probe_align(const struct backing *backing)
{
	CLEANUP_FREE void *page = NULL;

	if (posix_memalign(&page, BACKING_ALIGN_MAX, BACKING_ALIGN_MAX))
		return BACKING_ALIGN_MAX;
	return pread(backing->fd, (char *)page + SECTOR, SECTOR,
		     backing->size > SECTOR ? SECTOR : 0) < 0 ?
		BACKING_ALIGN_MAX : SECTOR;
}

static int file_align(struct backing *backing, struct reason *why)
{
	struct statx st;

	if (statx(backing->fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &st) ||
	    !(st.stx_mask & STATX_DIOALIGN)) {
		backing->align = probe_align(backing);
		return 0;
	}
	if (!st.stx_dio_offset_align) {
		reason_set(why, -EINVAL, "%s cannot be used with direct I/O",
			   backing->path);
		reason_hint(why, "encrypted, compressed and journalled files cannot: choose another place");
		return -EINVAL;
	}
	backing->align = st.stx_dio_offset_align > st.stx_dio_mem_align ?
			 st.stx_dio_offset_align : st.stx_dio_mem_align;
	return 0;
}

static int check_align(struct backing *backing, struct reason *why)
{
	if (backing->align < SECTOR)
		backing->align = SECTOR;
	if (backing->align > BACKING_ALIGN_MAX)
		return reason_set(why, -EOPNOTSUPP,
				  "%s wants direct I/O in units of %u bytes, more than %u cannot be used",
				  backing->path, backing->align,
				  BACKING_ALIGN_MAX);
	return spec_check_size(backing->size, backing->align,
			       "direct I/O unit", why);
}

/* ---- Files --------------------------------------------------------------- */

/* What is registered changes while it is written: checksums would not fit. */
static int check_cow(const struct backing *backing, struct reason *why)
{
	int flags = 0;

	if (ioctl(backing->fd, FS_IOC_GETFLAGS, &flags) || (flags & FS_NOCOW_FL))
		return 0;
	reason_set(why, -EINVAL, "%s is on btrfs with checksums, which fail for memory that changes while it is written",
		   backing->path);
	reason_hint(why, "make an empty file, 'chattr +C' it, and copy the contents into it; or have it made: size=");
	return -EINVAL;
}

static int check_file(struct backing *backing, struct reason *why)
{
	struct statfs fs;
	int err = backing_size(backing, &backing->size, why);

	if (err)
		return err;
	if (fstatfs(backing->fd, &fs))
		return reason_set(why, -errno, "cannot examine %s: %m",
				  backing->path);
	if (fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC) {
		reason_set(why, -EINVAL, "%s is in memory, which does not survive the host",
			   backing->path);
		reason_hint(why, "store=shm is for such files");
		return -EINVAL;
	}
	return fs.f_type == BTRFS_SUPER_MAGIC ? check_cow(backing, why) : 0;
}

/* Two users of one file would both believe that they are the only one. */
static int lock_file(const struct backing *backing, struct reason *why)
{
	int tries = WAIT_TRIES;

	do {
		if (!flock(backing->fd, LOCK_EX | LOCK_NB))
			return 0;
	} while (errno == EWOULDBLOCK && try_again(&tries));
	if (errno == EWOULDBLOCK)
		return reason_set(why, -EBUSY, "%s is in use by another export",
				  backing->path);
	return reason_set(why, -errno, "cannot lock %s: %m", backing->path);
}

static int check_kind(const char *path, struct stat *st, bool disk,
		      struct reason *why)
{
	if (disk ? S_ISBLK(st->st_mode) : S_ISREG(st->st_mode))
		return 0;
	if (disk) {
		reason_set(why, -ENOTBLK, "%s is not a block device", path);
		reason_hint(why, "store=file is for files");
		return -ENOTBLK;
	}
	reason_set(why, -EINVAL, "%s is not a file", path);
	if (S_ISLNK(st->st_mode))
		reason_hint(why, "name the file that the symbolic link points to");
	if (S_ISBLK(st->st_mode))
		reason_hint(why, "store=blk is for block devices");
	return -EINVAL;
}

static void backing_init(struct backing *backing, const char *path,
			 bool read_only)
{
	*backing = (struct backing){ .fd = -1, .read_only = read_only };
	strncpy(backing->path, path, sizeof(backing->path) - 1);
}

/**
 * backing_open_file() - open a file for direct I/O and lock it
 * @backing: filled in
 * @path: of the file
 * @read_only: it will not be written to
 * @why: set on failure
 *
 * Return: 0; -ENOENT when there is none; another negative errno.
 */
int backing_open_file(struct backing *backing, const char *path,
		      bool read_only, struct reason *why)
{
	struct stat st;
	int err;

	backing_init(backing, path, read_only);
	if (lstat(path, &st))
		return reason_set(why, -errno, "cannot open %s: %m", path);
	err = check_kind(path, &st, false, why);
	if (!err)
		err = open_fd(backing, path, O_NOFOLLOW, why);
	if (!err)
		err = lock_file(backing, why);
	if (!err)
		err = check_file(backing, why);
	if (!err)
		err = file_align(backing, why);
	if (!err)
		err = check_align(backing, why);
	if (err)
		backing_close(backing);
	return err;
}

/* ---- Block devices ------------------------------------------------------- */

static int disk_align(struct backing *backing, struct reason *why)
{
	int sector;

	if (ioctl(backing->fd, BLKSSZGET, &sector))
		return reason_set(why, -errno,
				  "cannot read the sector size of %s: %m",
				  backing->path);
	backing->align = (uint32_t)sector;
	return 0;
}

/**
 * backing_open_disk() - open a block device for direct I/O, exclusively
 * @backing: filled in
 * @path: of the device; symbolic links are followed
 * @read_only: it will not be written to
 * @why: set on failure
 *
 * Return: 0; -EBUSY when it is mounted or in use otherwise; another negative
 * errno.
 */
int backing_open_disk(struct backing *backing, const char *path,
		      bool read_only, struct reason *why)
{
	struct stat st;
	int err;

	backing_init(backing, path, read_only);
	backing->block_device = true;
	if (stat(path, &st))
		return reason_set(why, -errno, "cannot open %s: %m", path);
	err = check_kind(path, &st, true, why);
	if (!err)
		err = open_fd(backing, path, O_EXCL, why);
	if (!err)
		err = backing_size(backing, &backing->size, why);
	if (!err)
		err = disk_align(backing, why);
	if (!err)
		err = check_align(backing, why);
	if (err)
		backing_close(backing);
	return err;
}
