/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted of requests. The block layer counts those that end, in
 * /sys/block/.../stat; here is what it does not: always what goes wrong, and, while
 * somebody looks, latencies.
 */
#ifndef RDMABLK_STATS_H
#define RDMABLK_STATS_H

#include <linux/atomic.h>
#include <linux/blk-mq.h>
#include <linux/jump_label.h>

#include "uapi/rdmablk_genl.h"

struct rdmablk_dev;
struct rdmablk_queue;
struct rdmablk_session;

/**
 * struct rdmablk_watched - what ended on a queue while somebody looked, by operation
 * @bytes: that were read, written and so on
 * @ns: sum of all latencies
 * @buckets: how many took how long
 */
struct rdmablk_watched {
	atomic64_t bytes[RDMABLK_OPS];
	atomic64_t ns[RDMABLK_OPS];
	atomic64_t buckets[RDMABLK_OPS][RDMABLK_BUCKETS];
};

/**
 * struct rdmablk_stats - what a queue counts; all for the life of the device
 * @errors: requests that ended with an error, by operation
 * @waits: requests that found no room on the queue, or no memory, and came again
 * @replays: requests that were handed back when the path broke
 * @zeroes: WRITE ZEROES that ended: the block layer counts them as writes
 * @zero_bytes: that they zeroed
 * @zero_ns: sum of their latencies
 * @watched: NULL: nobody has looked yet
 */
struct rdmablk_stats {
	atomic64_t errors[RDMABLK_OPS];
	atomic64_t waits;
	atomic64_t replays;
	atomic64_t zeroes;
	atomic64_t zero_bytes;
	atomic64_t zero_ns;
	struct rdmablk_watched *watched;
};

/**
 * struct rdmablk_op_figures - figures of one operation
 * @count: requests that ended
 * @bytes: of them
 * @ns: sum of their latencies
 * @errors: how many of them ended with an error
 * @nr_buckets: of @buckets that are in use: after them come zeroes only
 * @buckets: while somebody looked
 */
struct rdmablk_op_figures {
	u64 count;
	u64 bytes;
	u64 ns;
	u64 errors;
	u32 nr_buckets;
	u64 buckets[RDMABLK_BUCKETS];
};

DECLARE_STATIC_KEY_FALSE(rdmablk_stats_watching);

void rdmablk_stats_add(struct request *rq);
void rdmablk_stats_error(struct request *rq);
void rdmablk_stats_zero(struct request *rq);
void rdmablk_stats_exit_queue(struct rdmablk_stats *stats);
int rdmablk_stats_watch(struct rdmablk_session *session, unsigned int seconds);
void rdmablk_stats_exit(void);

void rdmablk_stats_queue_op(const struct rdmablk_queue *queue, u32 op,
			    struct rdmablk_op_figures *figures);
void rdmablk_stats_dev_op(const struct rdmablk_dev *dev, u32 op,
			  struct rdmablk_op_figures *figures);
u32 rdmablk_stats_in_flight(struct rdmablk_dev *dev,
			    const struct rdmablk_queue *queue);

/* A request is about to end; costs nothing unless somebody looks. */
static inline void rdmablk_stats_end(struct request *rq)
{
	if (static_branch_unlikely(&rdmablk_stats_watching))
		rdmablk_stats_add(rq);
}

#endif /* RDMABLK_STATS_H */
