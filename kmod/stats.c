// SPDX-License-Identifier: GPL-2.0
/*
 * What is counted of requests. See stats.h, and Documentation/design.rst, "Looking".
 *
 * Whoever looks asks for latencies for some seconds, again and again
 * (RDMABLK_CMD_WATCH): who is killed leaves no cost behind. Until then there is a
 * no-op in their place. They are not taken away again before the device is, so that
 * the I/O path needs no lock to find them.
 */
#include <linux/ktime.h>
#include <linux/part_stat.h>
#include <linux/slab.h>

#include "bucket.h"
#include "dev.h"
#include "io.h"
#include "queue.h"
#include "stats.h"

DEFINE_STATIC_KEY_FALSE(rdmablk_stats_watching);

static void rdmablk_stats_watch_work(struct work_struct *work);

/* Protects what follows, and the key. */
static DEFINE_MUTEX(rdmablk_watch_lock);
static unsigned long rdmablk_watch_until;
static bool rdmablk_watch_on;
static DECLARE_DELAYED_WORK(rdmablk_watch_work, rdmablk_stats_watch_work);

/* ---- Count --------------------------------------------------------------- */

static u32 rdmablk_stats_op(const struct request *rq)
{
	switch (req_op(rq)) {
	case REQ_OP_READ:
		return RDMABLK_OP_READ;
	case REQ_OP_WRITE:
		return RDMABLK_OP_WRITE;
	case REQ_OP_FLUSH:
		return RDMABLK_OP_FLUSH;
	case REQ_OP_DISCARD:
		return RDMABLK_OP_DISCARD;
	default:
		return RDMABLK_OP_ZERO;
	}
}

static struct rdmablk_stats *rdmablk_stats_of(struct request *rq)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);

	return &io->queue->stats;
}

/* As the block layer counts it: from when the request was made. */
static u64 rdmablk_stats_latency(const struct request *rq)
{
	u64 now = ktime_get_ns();

	return now > rq->start_time_ns ? now - rq->start_time_ns : 0;
}

/**
 * rdmablk_stats_add() - a request is about to end, and somebody looks
 * @rq: begun
 *
 * Context: any.
 */
void rdmablk_stats_add(struct request *rq)
{
	struct rdmablk_watched *watched =
		READ_ONCE(rdmablk_stats_of(rq)->watched);
	u32 op = rdmablk_stats_op(rq);
	u64 ns;

	/* Somebody looks at another device, or its iostats are off. */
	if (!watched || !rq->start_time_ns)
		return;
	ns = rdmablk_stats_latency(rq);
	atomic64_add(blk_rq_bytes(rq), &watched->bytes[op]);
	atomic64_add(ns, &watched->ns[op]);
	atomic64_inc(&watched->buckets[op][rdmablk_bucket(ns)]);
}

/**
 * rdmablk_stats_error() - a request ends with an error
 * @rq: begun
 *
 * Context: any.
 */
void rdmablk_stats_error(struct request *rq)
{
	atomic64_inc(&rdmablk_stats_of(rq)->errors[rdmablk_stats_op(rq)]);
	rdmablk_stats_zero(rq);
}

/**
 * rdmablk_stats_zero() - a request ends; it counts if it is a WRITE ZEROES
 * @rq: begun
 *
 * Context: any.
 */
void rdmablk_stats_zero(struct request *rq)
{
	struct rdmablk_stats *stats = rdmablk_stats_of(rq);

	/* Without iostats the block layer does not count it either. */
	if (req_op(rq) != REQ_OP_WRITE_ZEROES || !rq->start_time_ns)
		return;
	atomic64_add(blk_rq_bytes(rq), &stats->zero_bytes);
	atomic64_add(rdmablk_stats_latency(rq), &stats->zero_ns);
	atomic64_inc(&stats->zeroes);
}

/* ---- Watch --------------------------------------------------------------- */

static void rdmablk_stats_watch_work(struct work_struct *work)
{
	unsigned long left;

	mutex_lock(&rdmablk_watch_lock);
	left = rdmablk_jiffies_left(rdmablk_watch_until);
	if (left) {
		rdmablk_work_queue_idle_delayed(&rdmablk_watch_work, left);
	} else {
		static_branch_disable(&rdmablk_stats_watching);
		rdmablk_watch_on = false;
	}
	mutex_unlock(&rdmablk_watch_lock);
}

static int rdmablk_stats_make_watched(struct rdmablk_stats *stats)
{
	struct rdmablk_watched *watched;

	if (READ_ONCE(stats->watched))
		return 0;
	watched = kzalloc(sizeof(*watched), GFP_KERNEL);
	if (!watched)
		return -ENOMEM;
	/* Another who looks may have come first. */
	if (cmpxchg(&stats->watched, NULL, watched))
		kfree(watched);
	return 0;
}

/**
 * rdmablk_stats_watch() - count latencies for a while
 * @session: of the device that somebody looks at
 * @seconds: for how long; others may have asked for longer
 *
 * Context: process; no lock is held that I/O may wait for.
 * Return: 0 or -ENOMEM.
 */
int rdmablk_stats_watch(struct rdmablk_session *session, unsigned int seconds)
{
	unsigned long until = jiffies + seconds * HZ;
	int err = 0;
	u32 i;

	for (i = 0; !err && i < session->opts->nr_queues; i++)
		err = rdmablk_stats_make_watched(&session->queues[i].stats);
	if (err)
		return err;
	mutex_lock(&rdmablk_watch_lock);
	if (!rdmablk_watch_on || time_after(until, rdmablk_watch_until))
		rdmablk_watch_until = until;
	if (!rdmablk_watch_on) {
		static_branch_enable(&rdmablk_stats_watching);
		rdmablk_watch_on = true;
		rdmablk_work_queue_idle_delayed(&rdmablk_watch_work, seconds * HZ);
	}
	mutex_unlock(&rdmablk_watch_lock);
	return 0;
}

/**
 * rdmablk_stats_exit() - nobody looks any more
 *
 * Context: process; nobody can ask for it any more.
 */
void rdmablk_stats_exit(void)
{
	cancel_delayed_work_sync(&rdmablk_watch_work);
}

/**
 * rdmablk_stats_exit_queue() - free what a queue has counted
 * @stats: of a queue that has no requests any more
 *
 * Context: process.
 */
void rdmablk_stats_exit_queue(struct rdmablk_stats *stats)
{
	kfree(stats->watched);
	stats->watched = NULL;
}

/* ---- Read ---------------------------------------------------------------- */

static void rdmablk_stats_add_buckets(const struct rdmablk_watched *watched,
				      u32 op,
				      struct rdmablk_op_figures *figures)
{
	u32 i;

	for (i = 0; i < RDMABLK_BUCKETS; i++) {
		u64 count = atomic64_read(&watched->buckets[op][i]);

		figures->buckets[i] += count;
		if (count && figures->nr_buckets <= i)
			figures->nr_buckets = i + 1;
	}
}

/**
 * rdmablk_stats_queue_op() - what a queue knows of an operation
 * @queue: of a device that is not freed
 * @op: RDMABLK_OP_*
 * @figures: set; but for the errors only what was seen while somebody looked
 *
 * Context: any.
 */
void rdmablk_stats_queue_op(const struct rdmablk_queue *queue, u32 op,
			    struct rdmablk_op_figures *figures)
{
	const struct rdmablk_watched *watched = READ_ONCE(queue->stats.watched);
	u32 i;

	memset(figures, 0, sizeof(*figures));
	figures->errors = atomic64_read(&queue->stats.errors[op]);
	if (!watched)
		return;
	figures->bytes = atomic64_read(&watched->bytes[op]);
	figures->ns = atomic64_read(&watched->ns[op]);
	rdmablk_stats_add_buckets(watched, op, figures);
	for (i = 0; i < figures->nr_buckets; i++)
		figures->count += figures->buckets[i];
}

static u64 rdmablk_minus(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/* From the block layer, which makes no difference between writes and zeroes. */
static void rdmablk_stats_from_disk(const struct rdmablk_dev *dev, u32 op,
				    const struct rdmablk_op_figures *zeroes,
				    struct rdmablk_op_figures *figures)
{
	static const int groups[RDMABLK_OPS] = {
		[RDMABLK_OP_READ]	= STAT_READ,
		[RDMABLK_OP_WRITE]	= STAT_WRITE,
		[RDMABLK_OP_FLUSH]	= STAT_FLUSH,
		[RDMABLK_OP_DISCARD]	= STAT_DISCARD,
	};
	struct block_device *disk = dev->disk.gd->part0;
	int group = groups[op];

	figures->count = part_stat_read(disk, ios[group]);
	figures->bytes = (u64)part_stat_read(disk, sectors[group]) <<
			 SECTOR_SHIFT;
	figures->ns = part_stat_read(disk, nsecs[group]);
	if (op != RDMABLK_OP_WRITE)
		return;
	/* One that is just ending may be counted here, and not there yet. */
	figures->count = rdmablk_minus(figures->count, zeroes->count);
	figures->bytes = rdmablk_minus(figures->bytes, zeroes->bytes);
	figures->ns = rdmablk_minus(figures->ns, zeroes->ns);
}

/**
 * rdmablk_stats_dev_op() - what is known of an operation
 * @dev: the device; its lock is held, and it has a disk
 * @op: RDMABLK_OP_*
 * @figures: set
 *
 * Context: process.
 */
void rdmablk_stats_dev_op(const struct rdmablk_dev *dev, u32 op,
			  struct rdmablk_op_figures *figures)
{
	struct rdmablk_op_figures zeroes = { };
	u32 i;

	memset(figures, 0, sizeof(*figures));
	for (i = 0; i < dev->opts.nr_queues; i++) {
		const struct rdmablk_stats *stats = &dev->session.queues[i].stats;
		const struct rdmablk_watched *watched = READ_ONCE(stats->watched);

		figures->errors += atomic64_read(&stats->errors[op]);
		zeroes.count += atomic64_read(&stats->zeroes);
		zeroes.bytes += atomic64_read(&stats->zero_bytes);
		zeroes.ns += atomic64_read(&stats->zero_ns);
		if (watched)
			rdmablk_stats_add_buckets(watched, op, figures);
	}
	if (op == RDMABLK_OP_ZERO) {
		figures->count = zeroes.count;
		figures->bytes = zeroes.bytes;
		figures->ns = zeroes.ns;
	} else {
		rdmablk_stats_from_disk(dev, op, &zeroes, figures);
	}
}

/**
 * struct rdmablk_busy - counts requests in flight
 * @queue: of this one only; NULL: of all
 * @count: how many
 */
struct rdmablk_busy {
	const struct rdmablk_queue *queue;
	u32 count;
};

static bool rdmablk_stats_count_busy(struct request *rq, void *data)
{
	struct rdmablk_busy *busy = data;

	if (!busy->queue || rq->mq_hctx->queue_num == busy->queue->index)
		busy->count++;
	return true;
}

/**
 * rdmablk_stats_in_flight() - requests that have started, and not ended
 * @dev: the device; its lock is held, and it has a disk
 * @queue: of this one only; NULL: of all
 *
 * Context: process.
 * Return: how many; those that wait for a path that is down are none.
 */
u32 rdmablk_stats_in_flight(struct rdmablk_dev *dev,
			    const struct rdmablk_queue *queue)
{
	struct rdmablk_busy busy = { .queue = queue };

	blk_mq_tagset_busy_iter(&dev->disk.set, rdmablk_stats_count_busy, &busy);
	return busy.count;
}
