// SPDX-License-Identifier: GPL-2.0
/*
 * Directories of the daemon's own, and the lock in the state directory that
 * says which daemon uses it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "directory.h"

/**
 * directory_make() - make a directory unless it is there; not its parents
 * @path: where
 * @mode: permissions of a new one
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int directory_make(const char *path, mode_t mode, struct reason *why)
{
	struct stat st;

	if (!mkdir(path, mode))
		return 0;
	if (errno != EEXIST)
		return reason_set(why, -errno, "cannot make directory %s: %m",
				  path);
	if (stat(path, &st))
		return reason_set(why, -errno, "cannot examine %s: %m", path);
	if (!S_ISDIR(st.st_mode))
		return reason_set(why, -ENOTDIR, "%s is not a directory", path);
	/* Below /dev/shm anybody may have been first. */
	if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)))
		return reason_set(why, -EPERM,
				  "%s belongs to another user, or others may write to it",
				  path);
	return 0;
}

/* The pid that the lock's holder wrote into it; zero: not readable. */
static long holder(int fd)
{
	char text[24] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	return strtol(text, NULL, 10);
}

/**
 * directory_lock() - become the one daemon that uses a state directory
 * @path: the state directory
 * @why: set on failure
 *
 * Return: a file descriptor that holds the lock until it is closed; -EALREADY
 * when another daemon has it; another negative errno.
 */
int directory_lock(const char *path, struct reason *why)
{
	CLEANUP_FREE char *name = NULL;
	CLEANUP_CLOSE int fd = -1;

	if (asprintf(&name, "%s/lock", path) < 0) {
		name = NULL;
		return reason_set(why, -ENOMEM, "out of memory");
	}
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return reason_set(why, -errno, "cannot open %s: %m", name);
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			return reason_set(why, -errno, "cannot lock %s: %m",
					  name);
		reason_set(why, -EALREADY, "already running, pid %ld",
			   holder(fd));
		reason_hint(why, "a second daemon needs its own --state-dir, --socket and --port");
		return -EALREADY;
	}
	if (ftruncate(fd, 0) || dprintf(fd, "%d\n", getpid()) < 0)
		return reason_set(why, -errno, "cannot write %s: %m", name);
	return take_fd(fd);
}
