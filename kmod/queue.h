/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A data queue: the QP of one hctx, and what an I/O on it needs at hand.
 */
#ifndef RDMABLK_QUEUE_H
#define RDMABLK_QUEUE_H

#include <linux/mempool.h>

#include "conn.h"
#include "extent.h"
#include "fence.h"
#include "helper.h"
#include "polled.h"
#include "sq.h"
#include "stats.h"

struct rdmablk_session;

/**
 * struct rdmablk_queue - a data queue
 * @conn: its connection
 * @session: the owner
 * @index: of the hctx
 * @cpu: one of those that it serves, which may work for others; or negative
 * @polled: its completions are looked for by who waits for them
 * @region: the session's, while up
 * @keys: remote keys to use, while up: the session's, or @own_keys; see keys.h
 * @own_keys: remote keys that are good for this queue only, or NULL
 * @lkey: local DMA key, while up
 * @max_sge: elements that a READ or WRITE may have: [rq_data_dir()]
 * @max_wr: work requests that the widest request may need; fixed at the first
 *          start, as @wide is sized by it
 * @sq: its send queue
 * @helper: who posts for it
 * @poll: of a polled one: what there is to poll
 * @writes: requests under way that rely on marks, by epoch
 * @carried: a request has completed since it was connected
 * @wrote: bits of enum rdmablk_fencer: a write has completed since its last fence
 * @fence: READs that order writes, by enum rdmablk_fencer
 * @wide: maps for requests that exceed what their own memory holds; made at
 *        the first start
 * @stats: what is counted of its requests
 */
struct rdmablk_queue {
	struct rdmablk_conn conn;
	struct rdmablk_session *session;
	u16 index;
	int cpu;
	bool polled;
	const struct rdmablk_region *region;
	const u32 *keys;
	u32 *own_keys;
	u32 lkey;
	u16 max_sge[2];
	u16 max_wr;
	struct rdmablk_sq sq;
	struct rdmablk_helper helper;
	struct rdmablk_poll poll;
	atomic_t writes[RDMABLK_EPOCHS];
	bool carried;
	unsigned long wrote;
	struct rdmablk_fence_read fence[RDMABLK_FENCERS];
	mempool_t *wide;
	struct rdmablk_stats stats;
};

void rdmablk_queue_init(struct rdmablk_queue *queue,
			struct rdmablk_session *session, u16 index);
void rdmablk_queue_exit(struct rdmablk_queue *queue);
int rdmablk_queue_start(struct rdmablk_queue *queue,
			struct rdmablk_reason *reason);
void rdmablk_queue_drain(struct rdmablk_queue *queue);
void rdmablk_queue_stop(struct rdmablk_queue *queue);

#endif /* RDMABLK_QUEUE_H */
