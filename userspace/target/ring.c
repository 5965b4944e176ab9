// SPDX-License-Identifier: GPL-2.0
/*
 * I/O to a backing by io_uring. See ring.h.
 */
#include <errno.h>
#include <linux/falloc.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "log.h"
#include "ring.h"

static void prepare(struct ring *ring, struct ring_io *io, bool patient)
{
	/* Never NULL: there are more entries than operations. */
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->uring);
	uint64_t start = io->offset + io->done;

	switch (io->op) {
	case RING_WRITE:
		io_uring_prep_write(sqe, ring->fd, ring->map + start,
				    (unsigned int)(io->length - io->done),
				    start);
		break;
	case RING_PUNCH:
		io_uring_prep_fallocate(sqe, ring->fd, FALLOC_FL_PUNCH_HOLE |
					FALLOC_FL_KEEP_SIZE, (off_t)start,
					(off_t)io->length);
		break;
	case RING_SYNC:
		io_uring_prep_fsync(sqe, ring->fd, IORING_FSYNC_DATASYNC);
		break;
	}
	if (patient)
		io_uring_sqe_set_flags(sqe, IOSQE_ASYNC);
	io_uring_sqe_set_data(sqe, io);
}

/* Takes a result; what is still to be done of the operation is begun again. */
static void finish(struct ring *ring, struct ring_io *io, int res)
{
	bool again = res == -EINTR || res == -EAGAIN;

	if (io->op == RING_WRITE && res > 0) {
		io->done += (unsigned int)res;
		again = io->done < io->length;
	} else if (io->op == RING_WRITE && !res) {
		res = -EIO;
	}
	if (again) {
		prepare(ring, io, res < 0);
		return;
	}
	io->busy = false;
	ring->nr_busy--;
	ring->ops->done(ring, io, res < 0 ? res : 0);
}

static int on_event(sd_event_source *source __attribute__((unused)), int fd,
		    uint32_t revents __attribute__((unused)), void *data)
{
	struct ring *ring = data;
	struct io_uring_cqe *cqe;
	struct ring_io *io;
	uint64_t count;
	int res;

	/* Nothing to be read is nothing to be done about: look in any case. */
	if (read(fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		log_error("io_uring: eventfd: %m");
	while (!io_uring_peek_cqe(&ring->uring, &cqe)) {
		io = io_uring_cqe_get_data(cqe);
		res = cqe->res;
		io_uring_cqe_seen(&ring->uring, cqe);
		finish(ring, io, res);
	}
	ring->ops->turn(ring);
	return 0;
}

/**
 * ring_start() - begin an operation
 * @ring: the ring
 * @op: what to do
 * @offset: where in memory and in the backing, bytes
 * @length: bytes
 *
 * Return: false: as many as may be are in flight.
 */
bool ring_start(struct ring *ring, enum ring_op op, uint64_t offset,
		uint64_t length)
{
	struct ring_io *io = ring->ios;

	if (ring->nr_busy == RING_DEPTH)
		return false;
	while (io->busy)
		io++;
	*io = (struct ring_io){
		.op = op, .busy = true, .offset = offset, .length = length,
	};
	ring->nr_busy++;
	prepare(ring, io, false);
	return true;
}

/**
 * ring_submit() - hand what was begun to the kernel
 * @ring: the ring
 */
void ring_submit(struct ring *ring)
{
	static struct log_limit limit;
	const uint64_t one = 1;
	int ret;

	do
		ret = io_uring_submit(&ring->uring);
	while (ret == -EINTR);
	if (ret >= 0 && !io_uring_sq_ready(&ring->uring))
		return;
	/* The kernel is short of something: come again from the event loop. */
	log_limited(&limit, LOG_WARNING, "io_uring: %s", strerror(-ret));
	if (write(ring->event_fd, &one, sizeof(one)) < 0)
		log_error("io_uring: eventfd: %m");
}

/**
 * ring_open() - get ready for I/O
 * @ring: filled in
 * @ops: whom to tell
 * @event: the event loop
 * @fd: of the backing
 * @map: memory, as long as the backing
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int ring_open(struct ring *ring, const struct ring_ops *ops, sd_event *event,
	      int fd, const void *map, struct reason *why)
{
	int err;

	*ring = (struct ring){ .ops = ops, .fd = fd, .map = map };
	err = io_uring_queue_init(2 * RING_DEPTH, &ring->uring, 0);
	if (err) {
		reason_set(why, err, "no io_uring: %s", strerror(-err));
		reason_hint(why, "'sysctl kernel.io_uring_disabled' must not be 2");
		return err;
	}
	ring->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ring->event_fd < 0) {
		err = reason_set(why, -errno, "cannot make an eventfd: %m");
		goto exit_uring;
	}
	err = io_uring_register_eventfd(&ring->uring, ring->event_fd);
	if (!err)
		err = sd_event_add_io(event, &ring->source, ring->event_fd,
				      EPOLLIN, on_event, ring);
	if (err >= 0)
		return 0;
	reason_set(why, err, "cannot watch an io_uring: %s", strerror(-err));
	close(ring->event_fd);
exit_uring:
	io_uring_queue_exit(&ring->uring);
	return err;
}

/**
 * ring_close() - end a ring
 * @ring: open, with nothing in flight
 */
void ring_close(struct ring *ring)
{
	ring->source = sd_event_source_disable_unref(ring->source);
	close(ring->event_fd);
	io_uring_queue_exit(&ring->uring);
}
