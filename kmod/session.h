/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One use of one export: the control connection, the grant, the region and the
 * data queues. Brings a path up and takes it down, any number of times.
 */
#ifndef RDMABLK_SESSION_H
#define RDMABLK_SESSION_H

#include "auth.h"
#include "call.h"
#include "dirty.h"
#include "extent.h"
#include "flush.h"
#include "opts.h"
#include "zero.h"

/* The largest I/O asked for, and the segments that it may consist of. */
#define RDMABLK_MAX_IO		(1U << 20)
#define RDMABLK_MAX_SEGMENTS	(RDMABLK_MAX_IO / 4096 + 1)

struct rdmablk_queue;
struct rdmablk_session;

/**
 * struct rdmablk_session_ops - whom a session reports to
 * @lost: the path broke; any context, possibly more than once
 */
struct rdmablk_session_ops {
	void (*lost)(struct rdmablk_session *session, int error,
		     const char *why);
};

/* struct rdmablk_msg_grant, field by field, in the CPU's byte order. */
struct rdmablk_grant {
	u64 session_id;
	u8 generation[RDMABLK_UUID_SIZE];
	u64 instance;
	u64 size;
	u32 logical_block;
	u32 physical_block;
	u8 durability;
	u8 flags;
	u32 nr_queues;
	u32 queue_depth;
	u32 max_io_size;
	u32 keep_alive_ms;
	u32 nr_extents;
	u8 chunk_shift;
	u8 key_scope;
	struct rdmablk_piece coarse[RDMABLK_EPOCHS];
};

/* The chunks that a request can touch, at most. */
#define RDMABLK_MARK_MAX (RDMABLK_MAX_IO / (1U << RDMABLK_CHUNK_SHIFT_MIN) + 1)

/**
 * struct rdmablk_scratch - memory that small transfers start from or end in
 * @sink: where fences read to; nobody looks at it
 * @ones: what marks consist of
 */
struct rdmablk_scratch {
	u64 sink;
	u8 ones[RDMABLK_MARK_MAX];
};

/**
 * struct rdmablk_session - one path to an export
 * @opts: what the operator asked for
 * @ops: whom to tell
 * @wait: where set-up waits; aborted for good when the device is deleted
 * @refuse: how requests end instead of waiting for a path; BLK_STS_OK: they wait
 * @auth: proves who we are
 * @ctrl: the control connection
 * @pd: protection domain; NULL when down
 * @grant: the latest grant
 * @region: the extents of the latest grant; NULL when down
 * @keys: remote keys of all queues; NULL when down, or when each has its own
 * @scratch: see there; allocated once
 * @scratch_dma: its address for the card, while up; zero when down
 * @dirty: what a flush has to make durable; opened with the first grant of a
 *	   store with a write cache
 * @flush: makes it durable
 * @zero: has the target zero its memory
 * @nr_queues: data queues that are up
 * @queues: @opts->nr_queues of them, allocated once
 * @poll_work: polls those that are polled, while they are stopped
 */
struct rdmablk_session {
	const struct rdmablk_opts *opts;
	const struct rdmablk_session_ops *ops;
	struct rdmablk_wait wait;
	blk_status_t refuse;
	struct rdmablk_auth auth;
	struct rdmablk_ctrl ctrl;
	struct ib_pd *pd;
	struct rdmablk_grant grant;
	struct rdmablk_region *region;
	u32 *keys;
	struct rdmablk_scratch *scratch;
	u64 scratch_dma;
	struct rdmablk_dirty dirty;
	struct rdmablk_flush flush;
	struct rdmablk_zero zero;
	u32 nr_queues;
	struct rdmablk_queue *queues;
	struct delayed_work poll_work;
};

int rdmablk_session_alloc(struct rdmablk_session *session,
			  const struct rdmablk_opts *opts,
			  const struct rdmablk_session_ops *ops);
void rdmablk_session_free(struct rdmablk_session *session);
int rdmablk_session_start(struct rdmablk_session *session,
			  struct rdmablk_reason *reason);
void rdmablk_session_stop(struct rdmablk_session *session);
u32 rdmablk_session_keep_alive_ms(const struct rdmablk_session *session);
int rdmablk_session_keep_alive(struct rdmablk_session *session,
			       struct rdmablk_reason *reason);
void rdmablk_session_close(struct rdmablk_session *session);
void rdmablk_session_lost(struct rdmablk_session *session, int error,
			  const char *why);

/* handshake.c: HELLO, AUTH, OPEN and EXTENTS on a connected control connection. */
int rdmablk_handshake(struct rdmablk_session *session,
		      struct rdmablk_reason *reason);

#endif /* RDMABLK_SESSION_H */
