/* SPDX-License-Identifier: GPL-2.0 */
/*
 * I/O to a backing that does not block the event loop: an io_uring with a few
 * operations in flight.
 */
#ifndef RDMABLKD_RING_H
#define RDMABLKD_RING_H

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "reason.h"

#define RING_DEPTH	16	/* operations in flight */

enum ring_op {
	RING_WRITE,	/* from memory to the backing */
	RING_PUNCH,	/* give up the backing's space, which reads as zero then */
	RING_SYNC,	/* make all that was done durable */
};

/**
 * struct ring_io - an operation
 * @op: what
 * @busy: in flight
 * @offset: where in memory, and in the backing, bytes
 * @length: bytes; not of RING_SYNC
 * @done: leading bytes that are written
 */
struct ring_io {
	enum ring_op	op;
	bool		busy;
	uint64_t	offset;
	uint64_t	length;
	uint64_t	done;
};

struct ring;

/**
 * struct ring_ops - whom a ring reports to
 * @done: an operation ended, with 0 or a negative errno
 * @turn: some have ended: begin others, and ring_submit() them
 */
struct ring_ops {
	void (*done)(struct ring *ring, const struct ring_io *io, int err);
	void (*turn)(struct ring *ring);
};

/**
 * struct ring - operations on a backing
 * @uring: the io_uring
 * @ops: whom to tell
 * @source: its eventfd in the event loop
 * @event_fd: tells that operations have ended
 * @fd: of the backing
 * @map: the memory
 * @nr_busy: operations in flight
 * @ios: the operations
 */
struct ring {
	struct io_uring		uring;
	const struct ring_ops	*ops;
	sd_event_source		*source;
	int			event_fd;
	int			fd;
	const uint8_t		*map;
	unsigned int		nr_busy;
	struct ring_io		ios[RING_DEPTH];
};

int ring_open(struct ring *ring, const struct ring_ops *ops, sd_event *event,
	      int fd, const void *map, struct reason *why);
void ring_close(struct ring *ring);
bool ring_start(struct ring *ring, enum ring_op op, uint64_t offset,
		uint64_t length);
void ring_submit(struct ring *ring);

#endif /* RDMABLKD_RING_H */
