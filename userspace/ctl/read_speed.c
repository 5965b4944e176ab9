// SPDX-License-Identifier: GPL-2.0
/*
 * How fast a block device can be read. See read_speed.h.
 *
 * A read from a device whose path breaks just now waits until that is back, and
 * no signal ends it: another process reads, and is left alone if it hangs.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "cleanup.h"
#include "read_speed.h"

#define SMALL		((size_t)4 << 10)
#define LARGE		((size_t)1 << 20)
#define SMALL_MAX	2000		/* reads */
#define PHASE_US	250000.0	/* for each size */
#define PATIENCE_MS	10000

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return first < second ? -1 : first > second;
}

/* Spread over the device, so that it is not one place that is measured. */
static int read_small(int fd, void *buffer, off_t size, struct read_speed *out)
{
	static double took[SMALL_MAX];
	double start, end = now_us() + PHASE_US;
	off_t blocks = size / (off_t)SMALL, block = 0;

	if (!blocks)
		return -ENOSPC;
	for (out->reads = 0; out->reads < SMALL_MAX; out->reads++) {
		start = now_us();
		if (start > end && out->reads)
			break;
		if (pread(fd, buffer, SMALL, block * (off_t)SMALL) !=
		    (ssize_t)SMALL)
			return errno ? -errno : -EIO;
		took[out->reads] = now_us() - start;
		block = (block + 7919) % blocks;
	}
	qsort(took, out->reads, sizeof(took[0]), by_value);
	out->median_us = took[out->reads / 2];
	return 0;
}

static int read_large(int fd, void *buffer, off_t size, struct read_speed *out)
{
	double start = now_us(), took = 0, bytes = 0;
	off_t at = 0;
	ssize_t len;

	while (took < PHASE_US) {
		len = pread(fd, buffer, LARGE, at);
		if (len <= 0)
			return errno ? -errno : -EIO;
		bytes += (double)len;
		at = at + len < size ? at + len : 0;
		took = now_us() - start;
	}
	out->bytes_per_s = bytes / took * 1e6;
	return 0;
}

static int measure(const char *path, struct read_speed *out)
{
	CLEANUP_CLOSE int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	CLEANUP_FREE void *buffer = NULL;
	off_t size;
	int err;

	if (fd < 0)
		return -errno;
	size = lseek(fd, 0, SEEK_END);
	if (size < 0)
		return -errno;
	if (posix_memalign(&buffer, SMALL, LARGE))
		return -ENOMEM;
	errno = 0;
	err = read_small(fd, buffer, size, out);
	return err ? err : read_large(fd, buffer, size, out);
}

/**
 * struct answer - what the other process has to say
 * @err: 0 or a negative errno
 * @speed: if 0
 */
struct answer {
	int err;
	struct read_speed speed;
};

static void reader(const char *path, int output)
{
	struct answer answer = { .err = 0 };

	answer.err = measure(path, &answer.speed);
	_exit(write(output, &answer, sizeof(answer)) != sizeof(answer));
}

/**
 * read_speed() - read from a device for about half a second
 * @path: the device's node
 * @out: filled in on success
 *
 * Return: 0; -ETIMEDOUT: it does not come to an end; another negative errno.
 */
int read_speed(const char *path, struct read_speed *out)
{
	struct answer answer = { .err = -ETIMEDOUT };
	int pipes[2];
	struct pollfd fd;
	pid_t pid;

	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (!pid)
		reader(path, pipes[1]);
	close(pipes[1]);
	fd = (struct pollfd){ .fd = pipes[0], .events = POLLIN };
	if (pid < 0)
		answer.err = -errno;
	else if (poll(&fd, 1, PATIENCE_MS) > 0 &&
		 read(pipes[0], &answer, sizeof(answer)) != sizeof(answer))
		answer.err = -EIO;
	close(pipes[0]);
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, WNOHANG);
	}
	*out = answer.speed;
	return answer.err;
}
