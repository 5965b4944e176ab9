// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a backing into memory: with io_uring, past the page cache, several
 * large reads in flight. What a file says is a hole is not read: the memory is
 * zero already.
 */
#include <errno.h>
#include <inttypes.h>
#include <liburing.h>
#include <string.h>
#include <unistd.h>

#include "load.h"
#include "macros.h"

#define DEPTH	8
#define UNIT	((uint64_t)1 << 20)

/**
 * struct piece - a read in flight
 * @offset: of what is still to be read, bytes
 * @length: of it, bytes; zero: the place is free
 */
struct piece {
	uint64_t	offset;
	uint64_t	length;
};

/**
 * struct loader - a part being read
 * @backing: what is read
 * @load: which part, and where it goes
 * @ring: the reads in flight
 * @pieces: what they read
 * @in_flight: how many there are
 * @next: where the next one begins
 * @data_end: up to here there are data; a hole may follow
 * @err: of the first read that failed
 * @why: where it is told
 */
struct loader {
	const struct backing		*backing;
	const struct store_load		*load;
	struct io_uring			ring;
	struct piece			pieces[DEPTH];
	unsigned int			in_flight;
	uint64_t			next;
	uint64_t			data_end;
	int				err;
	struct reason			*why;
};

static uint64_t end_of(const struct loader *loader)
{
	return loader->load->offset + loader->load->length;
}

static void count(const struct loader *loader, uint64_t bytes)
{
	atomic_fetch_add(loader->load->done, bytes);
}

/* Moves @next over a hole, and @data_end behind the data that follow. */
static void find_data(struct loader *loader)
{
	const uint64_t end = end_of(loader), unit = BACKING_ALIGN_MAX;
	const int fd = loader->backing->fd;
	uint64_t start = loader->next, stop = end;
	off_t data, found;

	if (!loader->backing->block_device) {
		data = lseek(fd, (off_t)start, SEEK_DATA);
		if (data >= 0)
			start = MIN((uint64_t)data & ~(unit - 1), end);
		else if (errno == ENXIO)
			start = end;	/* nothing but holes */
		if (start < loader->next)
			start = loader->next;
		/* With smaller blocks the unit may begin with a hole. */
		found = lseek(fd, data >= 0 ? data : (off_t)start, SEEK_HOLE);
		if (found >= 0 && start < end)
			stop = MIN(((uint64_t)found + unit - 1) & ~(unit - 1),
				   end);
	}
	count(loader, start - loader->next);
	loader->next = start;
	loader->data_end = stop;
}

static void submit(struct loader *loader, struct piece *piece)
{
	/* There are as many entries as pieces. */
	struct io_uring_sqe *sqe = io_uring_get_sqe(&loader->ring);

	io_uring_prep_read(sqe, loader->backing->fd,
			   (char *)loader->load->map + piece->offset,
			   (unsigned int)piece->length, piece->offset);
	io_uring_sqe_set_data(sqe, piece);
}

static bool stopped(const struct loader *loader)
{
	return loader->err || atomic_load(loader->load->cancel);
}

/* Starts as many reads as there are places. */
static void start_reads(struct loader *loader)
{
	unsigned int i;

	for (i = 0; i < DEPTH && !stopped(loader); i++) {
		struct piece *piece = &loader->pieces[i];

		if (piece->length)
			continue;
		if (loader->next == loader->data_end)
			find_data(loader);
		if (loader->next == end_of(loader))
			return;
		piece->offset = loader->next;
		piece->length = MIN(loader->data_end - loader->next, UNIT);
		loader->next += piece->length;
		loader->in_flight++;
		submit(loader, piece);
	}
}

static void fail(struct loader *loader, const struct piece *piece, int err)
{
	if (!loader->err)
		loader->err = reason_set(loader->why, err,
			"cannot read %s at offset %" PRIu64 ": %s",
			loader->backing->path, piece->offset, strerror(-err));
}

/* A read that got less goes on with the rest. */
static void finish_read(struct loader *loader, struct piece *piece, int result)
{
	if (result == -EINTR || result == -EAGAIN) {
		submit(loader, piece);
		return;
	}
	if (!result ||
	    (result > 0 && (unsigned int)result % loader->backing->align))
		result = -ENODATA;	/* it ends here: it was truncated */
	if (result < 0) {
		fail(loader, piece, result);
		piece->length = 0;
	} else {
		count(loader, (uint64_t)result);
		piece->offset += (uint64_t)result;
		piece->length -= (uint64_t)result;
	}
	if (piece->length && !stopped(loader)) {
		submit(loader, piece);
		return;
	}
	piece->length = 0;
	loader->in_flight--;
}

static int wait_reads(struct loader *loader)
{
	struct io_uring_cqe *cqe;
	int err;

	do {
		err = io_uring_submit_and_wait(&loader->ring, 1);
	} while (err == -EINTR);
	if (err < 0)
		return err;
	while (!io_uring_peek_cqe(&loader->ring, &cqe)) {
		finish_read(loader, io_uring_cqe_get_data(cqe), cqe->res);
		io_uring_cqe_seen(&loader->ring, cqe);
	}
	return 0;
}

static int read_all(struct loader *loader)
{
	int err = 0;

	start_reads(loader);
	while (loader->in_flight && !err) {
		err = wait_reads(loader);
		start_reads(loader);
	}
	if (err && !loader->err)
		loader->err = reason_set(loader->why, err, "io_uring: %s",
					 strerror(-err));
	if (!loader->err && atomic_load(loader->load->cancel))
		loader->err = -ECANCELED;
	return loader->err;
}

/**
 * load_part() - read a part of a backing into memory
 * @backing: open
 * @load: which part, and where it goes: offset and length are multiples of the
 *	  backing's alignment; the memory is zero
 * @why: set on failure
 *
 * Context: any thread, one at a time for each backing. Takes as long as the
 * backing takes.
 * Return: 0; -ECANCELED; another negative errno.
 */
int load_part(const struct backing *backing, const struct store_load *load,
	      struct reason *why)
{
	struct loader loader = {
		.backing = backing,
		.load = load,
		.next = load->offset,
		.data_end = load->offset,
		.why = why,
	};
	int err;

	err = io_uring_queue_init(DEPTH, &loader.ring, 0);
	if (err) {
		reason_set(why, err, "io_uring: %s", strerror(-err));
		if (err == -EPERM || err == -ENOSYS)
			reason_hint(why, "this kernel has io_uring disabled, see sysctl kernel.io_uring_disabled");
		return err;
	}
	err = read_all(&loader);
	io_uring_queue_exit(&loader.ring);
	/* The holes at the end may be all that is left of it. */
	return err ? err : backing_check(backing, why);
}
