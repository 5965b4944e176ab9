/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Making completed writes durable: flush requests, FUA writes that have been
 * written, and cleaning. What waits is served in rounds, one at a time.
 */
#ifndef RDMABLK_FLUSH_H
#define RDMABLK_FLUSH_H

#include <linux/blk-mq.h>
#include <linux/workqueue.h>

#include "backlog.h"
#include "fence.h"
#include "reason.h"
#include "uapi/rdmablk_proto.h"

struct rdmablk_session;

/**
 * struct rdmablk_round - requests that are served together
 * @requests: they, by rdmablk_io.list
 * @all: everything has to be durable, not only the FUA writes
 * @clean: the epoch that ended is cleaned, too
 * @asked: the target was asked; without, nothing is learned of its store
 * @refused: the target answered that it cannot
 * @flags: RDMABLK_FLUSH_* of the last message
 * @msg: the message that is being filled
 * @room: as large as a message may become
 */
struct rdmablk_round {
	struct list_head requests;
	bool all;
	bool clean;
	bool asked;
	bool refused;
	u8 flags;
	union {
		struct rdmablk_msg_flush msg;
		u8 room[RDMABLK_MSG_MAX];
	};
};

/**
 * struct rdmablk_flush - what waits to be made durable
 * @session: the owner
 * @backlog: what waits; its work serves rounds until nothing does
 * @clean_work: asks for cleaning every sync_interval
 * @settled: a round has made all durable, also what others, or the session before,
 *	     had left and users of this device may have read
 * @clean_due: bit 0: cleaning is wanted; taken by the work
 * @busy: the work runs, and has taken @clean_due or will
 * @round: the present one; only the work touches it
 * @fence: orders writes into the target's memory before the target is asked
 * @lock: protects what follows, which is told of the rounds
 * @flushed_at: jiffies when the latest round ended that made all durable
 * @took_us: how long it took, microseconds
 * @rounds: how many there were
 * @error: of the latest round that asked the target, if it failed
 */
struct rdmablk_flush {
	struct rdmablk_session *session;
	struct rdmablk_backlog backlog;
	struct delayed_work clean_work;
	bool settled;
	unsigned long clean_due;
	bool busy;
	struct rdmablk_round round;
	struct rdmablk_fence fence;
	spinlock_t lock;
	unsigned long flushed_at;
	u64 took_us;
	u64 rounds;
	struct rdmablk_reason error;
};

void rdmablk_flush_init(struct rdmablk_flush *flush,
			struct rdmablk_session *session);
void rdmablk_flush_add(struct rdmablk_flush *flush, struct request *rq);
void rdmablk_flush_start(struct rdmablk_flush *flush);
void rdmablk_flush_finish(struct rdmablk_flush *flush);
void rdmablk_flush_stop(struct rdmablk_flush *flush);

#endif /* RDMABLK_FLUSH_H */
