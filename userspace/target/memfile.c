// SPDX-License-Identifier: GPL-2.0
/*
 * Files in memory that have a name: on tmpfs or hugetlbfs. Others are refused: a
 * writable shared mapping of a file that has to be written back cannot be registered
 * for RDMA on recent kernels, and on older ones loses writes.
 */
#include <errno.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "memfile.h"

/*
 * Below /dev/shm anybody may have been first: whoever made the file can read, change
 * and cut off what is in it, whatever its mode is now.
 */
static int check_owner(int fd, const char *path, struct reason *why)
{
	struct stat st;

	if (fstat(fd, &st))
		return reason_set(why, -errno, "cannot examine %s: %m", path);
	if (!st.st_uid || st.st_uid == geteuid())
		return 0;
	reason_set(why, -EPERM, "%s belongs to user %u, who may have it open: not using it",
		   path, (unsigned int)st.st_uid);
	reason_hint(why, "remove it, or choose another path");
	return -EPERM;
}

/**
 * memfile_check() - can a file be registered for RDMA, and is it nobody else's?
 * @fd: the file
 * @path: of it
 * @page_size: set to that of its memory, bytes
 * @why: set if not
 *
 * Return: 0; -EINVAL when it cannot; -EPERM when it is another user's, other than
 * root's; another negative errno.
 */
int memfile_check(int fd, const char *path, uint64_t *page_size,
		  struct reason *why)
{
	int err = check_owner(fd, path, why);
	struct statfs fs;

	if (err)
		return err;
	if (fstatfs(fd, &fs))
		return reason_set(why, -errno, "cannot examine %s: %m", path);
	if (fs.f_type == HUGETLBFS_MAGIC) {
		*page_size = (uint64_t)fs.f_bsize;
		return 0;
	}
	*page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	if (fs.f_type == TMPFS_MAGIC)
		return 0;
	return reason_set(why, -EINVAL, "%s is not on tmpfs or hugetlbfs: the kernel refuses to register writable mappings of other files for RDMA",
			  path);
}

/**
 * memfile_lock() - have a file for one export alone
 * @fd: the file; locked as long as it is open
 * @path: of it
 * @why: set on failure
 *
 * Two users of one file would both believe that they are the only one.
 *
 * Return: 0; -EBUSY when another export has it; another negative errno.
 */
int memfile_lock(int fd, const char *path, struct reason *why)
{
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno == EWOULDBLOCK)
		return reason_set(why, -EBUSY, "%s is in use by another export",
				  path);
	return reason_set(why, -errno, "cannot lock %s: %m", path);
}
