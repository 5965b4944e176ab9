// SPDX-License-Identifier: GPL-2.0
/*
 * STATS: what is counted of a device's requests, or of those of one queue. WATCH:
 * somebody looks, and latencies are counted, too.
 */
#include "compat/extack.h"
#include "dev.h"
#include "netlink.h"
#include "queue.h"

static int rdmablk_nl_put_op_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, RDMABLK_OP_ATTR_PAD);
}

static int rdmablk_nl_put_op(struct sk_buff *skb, u32 op,
			     const struct rdmablk_op_figures *figures)
{
	struct nlattr *nest = nla_nest_start(skb, 1 + op);

	if (!nest ||
	    rdmablk_nl_put_op_u64(skb, RDMABLK_OP_ATTR_COUNT, figures->count) ||
	    rdmablk_nl_put_op_u64(skb, RDMABLK_OP_ATTR_BYTES, figures->bytes) ||
	    rdmablk_nl_put_op_u64(skb, RDMABLK_OP_ATTR_NS, figures->ns) ||
	    rdmablk_nl_put_op_u64(skb, RDMABLK_OP_ATTR_ERRORS, figures->errors))
		return -EMSGSIZE;
	if (figures->nr_buckets &&
	    nla_put_64bit(skb, RDMABLK_OP_ATTR_LATENCY,
			  figures->nr_buckets * sizeof(figures->buckets[0]),
			  figures->buckets, RDMABLK_OP_ATTR_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Of @queue, or of them all if it is NULL. */
static int rdmablk_nl_put_ops(struct sk_buff *skb, struct rdmablk_dev *dev,
			      const struct rdmablk_queue *queue)
{
	struct nlattr *nest = nla_nest_start(skb, RDMABLK_ATTR_OPS);
	struct rdmablk_op_figures figures;
	u32 op;

	if (!nest)
		return -EMSGSIZE;
	for (op = 0; op < RDMABLK_OPS; op++) {
		if (queue)
			rdmablk_stats_queue_op(queue, op, &figures);
		else
			rdmablk_stats_dev_op(dev, op, &figures);
		if (rdmablk_nl_put_op(skb, op, &figures))
			return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return nla_put_u32(skb, RDMABLK_ATTR_IN_FLIGHT,
			   rdmablk_stats_in_flight(dev, queue));
}

static int rdmablk_nl_put_trouble(struct sk_buff *skb,
				  const struct rdmablk_dev *dev,
				  const struct rdmablk_queue *only)
{
	u64 waits = 0, replays = 0;
	u32 i;

	for (i = 0; i < dev->opts.nr_queues; i++) {
		const struct rdmablk_queue *queue = &dev->session.queues[i];

		if (only && queue != only)
			continue;
		waits += atomic64_read(&queue->stats.waits);
		replays += atomic64_read(&queue->stats.replays);
	}
	if (rdmablk_nl_put_u64(skb, RDMABLK_ATTR_WAITS, waits) ||
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_REPLAYS, replays))
		return -EMSGSIZE;
	return 0;
}

/* The context is the queue, or NULL: all of them. */
static int rdmablk_nl_put_stats(struct sk_buff *skb, struct rdmablk_dev *dev,
				const void *context)
{
	const struct rdmablk_queue *queue = context;

	if (nla_put_u32(skb, RDMABLK_ATTR_INDEX, dev->index) ||
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_ID, dev->id) ||
	    nla_put_string(skb, RDMABLK_ATTR_NAME, dev->name) ||
	    nla_put_u32(skb, RDMABLK_ATTR_STATE, dev->state) ||
	    nla_put_u32(skb, RDMABLK_ATTR_RECONNECTS, dev->reconnects) ||
	    rdmablk_nl_put_trouble(skb, dev, queue))
		return -EMSGSIZE;
	if (queue && nla_put_u32(skb, RDMABLK_ATTR_QUEUE, queue->index))
		return -EMSGSIZE;
	if (dev->path.nr_queues &&
	    (nla_put_u32(skb, RDMABLK_ATTR_QUEUES, dev->path.nr_queues) ||
	     nla_put_u32(skb, RDMABLK_ATTR_DEPTH, dev->grant.queue_depth) ||
	     rdmablk_nl_put_flush(skb, &dev->session)))
		return -EMSGSIZE;
	return rdmablk_dev_has_disk(dev) ? rdmablk_nl_put_ops(skb, dev, queue) : 0;
}

/* Returns the queue that a command names; NULL: none, or an ERR_PTR(). */
static const struct rdmablk_queue *
rdmablk_nl_queue(struct genl_info *info, const struct rdmablk_dev *dev)
{
	const struct nlattr *attr = info->attrs[RDMABLK_ATTR_QUEUE];

	if (!attr)
		return NULL;
	if (nla_get_u32(attr) < dev->opts.nr_queues)
		return &dev->session.queues[nla_get_u32(attr)];
	COMPAT_NL_SET_ERR_MSG_FMT(info->extack, "%s has no queue %u", dev->name,
				  nla_get_u32(attr));
	return ERR_PTR(-EINVAL);
}

/**
 * rdmablk_nl_stats() - RDMABLK_CMD_STATS of one device, or one of its queues
 * @skb: the message
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or a negative errno, with an extended ack.
 */
int rdmablk_nl_stats(struct sk_buff *skb, struct genl_info *info)
{
	struct rdmablk_dev *dev = rdmablk_nl_find(info);
	const struct rdmablk_queue *queue;
	int err;

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	queue = rdmablk_nl_queue(info, dev);
	if (IS_ERR(queue))
		err = PTR_ERR(queue);
	else
		err = rdmablk_nl_answer(info, dev, RDMABLK_CMD_STATS,
					rdmablk_nl_put_stats, queue);
	rdmablk_dev_put(dev);
	return err;
}

/**
 * rdmablk_nl_stats_dump() - RDMABLK_CMD_STATS of all devices
 * @skb: what fits into one message
 * @cb: see rdmablk_nl_dump_all()
 *
 * Context: process.
 * Return: bytes in @skb; zero ends the dump.
 */
int rdmablk_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rdmablk_nl_dump_all(skb, cb, RDMABLK_CMD_STATS,
				   rdmablk_nl_put_stats);
}

/**
 * rdmablk_nl_watch() - RDMABLK_CMD_WATCH
 * @skb: the message
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or a negative errno, with an extended ack.
 */
int rdmablk_nl_watch(struct sk_buff *skb, struct genl_info *info)
{
	struct rdmablk_dev *dev;
	int err;

	if (GENL_REQ_ATTR_CHECK(info, RDMABLK_ATTR_SECONDS)) {
		NL_SET_ERR_MSG(info->extack, "no time is given");
		return -EINVAL;
	}
	dev = rdmablk_nl_find(info);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	err = rdmablk_stats_watch(&dev->session,
			nla_get_u32(info->attrs[RDMABLK_ATTR_SECONDS]));
	if (err)
		NL_SET_ERR_MSG(info->extack, "out of memory");
	rdmablk_dev_put(dev);
	return err;
}
