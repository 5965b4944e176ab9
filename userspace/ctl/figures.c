// SPDX-License-Identifier: GPL-2.0
/*
 * What a device, or one of its queues, has counted. See figures.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bucket.h"
#include "figures.h"
#include "macros.h"

static uint64_t u64_of(struct nlattr *attr)
{
	return attr ? nla_get_u64(attr) : 0;
}

static uint32_t u32_of(struct nlattr *attr)
{
	return attr ? nla_get_u32(attr) : 0;
}

/* Buckets that a newer module adds are beyond what is known here. */
static void read_latency(struct nlattr *attr, struct histogram *latency)
{
	size_t size = attr ? (size_t)nla_len(attr) : 0;

	memcpy(latency->buckets, attr ? nla_data(attr) : "",
	       MIN(size, sizeof(latency->buckets)));
}

static int read_op(struct nlattr *nest, struct op_figures *op)
{
	static const struct nla_policy policy[RDMABLK_OP_ATTR_MAX + 1] = {
		[RDMABLK_OP_ATTR_COUNT]	 = { .type = NLA_U64 },
		[RDMABLK_OP_ATTR_BYTES]	 = { .type = NLA_U64 },
		[RDMABLK_OP_ATTR_NS]	 = { .type = NLA_U64 },
		[RDMABLK_OP_ATTR_ERRORS] = { .type = NLA_U64 },
	};
	struct nlattr *attrs[RDMABLK_OP_ATTR_MAX + 1];

	if (nla_parse_nested(attrs, RDMABLK_OP_ATTR_MAX, nest, policy))
		return -EPROTO;
	op->count = u64_of(attrs[RDMABLK_OP_ATTR_COUNT]);
	op->bytes = u64_of(attrs[RDMABLK_OP_ATTR_BYTES]);
	op->ns = u64_of(attrs[RDMABLK_OP_ATTR_NS]);
	op->errors = u64_of(attrs[RDMABLK_OP_ATTR_ERRORS]);
	read_latency(attrs[RDMABLK_OP_ATTR_LATENCY], &op->latency);
	return 0;
}

static int read_ops(struct nlattr *nest, struct figures *figures)
{
	struct nlattr *attrs[RDMABLK_OPS + 1];
	int err = nla_parse_nested(attrs, RDMABLK_OPS, nest, NULL);
	uint32_t op;

	for (op = 0; !err && op < RDMABLK_OPS; op++) {
		if (attrs[1 + op])
			err = read_op(attrs[1 + op], &figures->ops[op]);
	}
	return err ? -EPROTO : 0;
}

/**
 * struct answer - takes what a message says
 * @figures: filled in
 * @err: 0 when that was done, else a negative errno
 */
struct answer {
	struct figures *figures;
	int err;
};

static void take(struct nlattr **attrs, void *data)
{
	struct answer *answer = data;
	struct figures *figures = answer->figures;

	if (!attrs[RDMABLK_ATTR_NAME])
		return;
	snprintf(figures->name, sizeof(figures->name), "%s",
		 (const char *)nla_data(attrs[RDMABLK_ATTR_NAME]));
	figures->index = u32_of(attrs[RDMABLK_ATTR_INDEX]);
	figures->id = u64_of(attrs[RDMABLK_ATTR_ID]);
	figures->state = u32_of(attrs[RDMABLK_ATTR_STATE]);
	figures->queues = u32_of(attrs[RDMABLK_ATTR_QUEUES]);
	figures->depth = u32_of(attrs[RDMABLK_ATTR_DEPTH]);
	figures->in_flight = u32_of(attrs[RDMABLK_ATTR_IN_FLIGHT]);
	figures->reconnects = u32_of(attrs[RDMABLK_ATTR_RECONNECTS]);
	figures->waits = u64_of(attrs[RDMABLK_ATTR_WAITS]);
	figures->replays = u64_of(attrs[RDMABLK_ATTR_REPLAYS]);
	figures->flushes = u64_of(attrs[RDMABLK_ATTR_FLUSHES]);
	figures->dirty = u64_of(attrs[RDMABLK_ATTR_DIRTY]);
	figures->has_ops = attrs[RDMABLK_ATTR_OPS];
	answer->err = figures->has_ops ?
		      read_ops(attrs[RDMABLK_ATTR_OPS], figures) : 0;
}

/**
 * figures_get() - ask for the figures of a device
 * @genl: the module's family
 * @index: which device
 * @queue: which of its queues, or FIGURES_DEVICE
 * @figures: set
 *
 * Return: 0; -ENODEV when there is no such device; another negative errno.
 */
int figures_get(struct genl *genl, uint32_t index, uint32_t queue,
		struct figures *figures)
{
	struct answer answer = { .figures = figures, .err = -EPROTO };
	struct nl_msg *msg = genl_request(genl, RDMABLK_CMD_STATS);
	int err;

	if (!msg)
		return -ENOMEM;
	memset(figures, 0, sizeof(*figures));
	figures->queue = queue;
	nla_put_u32(msg, RDMABLK_ATTR_INDEX, index);
	if (queue != FIGURES_DEVICE)
		nla_put_u32(msg, RDMABLK_ATTR_QUEUE, queue);
	err = genl_call(genl, msg, take, &answer);
	return err ? err : answer.err;
}

/**
 * figures_same() - are they of the same thing?
 * @a: figures
 * @b: others, of another time
 *
 * Return: false for a device that took the number of one that is gone.
 */
bool figures_same(const struct figures *a, const struct figures *b)
{
	return a->id == b->id && a->queue == b->queue;
}

/**
 * figures_since() - what has happened since an earlier look
 * @now: becomes the difference; what does not grow stays as it is
 * @then: earlier, of the same thing
 */
void figures_since(struct figures *now, const struct figures *then)
{
	uint32_t i;

	now->waits -= then->waits;
	now->replays -= then->replays;
	now->flushes -= then->flushes;
	for (i = 0; i < RDMABLK_OPS; i++) {
		struct op_figures *op = &now->ops[i];

		/* The block layer's may be read while one is being counted. */
		op->count -= MIN(op->count, then->ops[i].count);
		op->bytes -= MIN(op->bytes, then->ops[i].bytes);
		op->ns -= MIN(op->ns, then->ops[i].ns);
		op->errors -= then->ops[i].errors;
		histogram_since(&op->latency, &then->ops[i].latency);
	}
}

/**
 * figures_op_name() - the word for an operation
 * @op: enum rdmablk_op
 *
 * Return: a constant string, also the key in JSON.
 */
const char *figures_op_name(uint32_t op)
{
	static const char *const names[RDMABLK_OPS] = {
		[RDMABLK_OP_READ]	= "read",
		[RDMABLK_OP_WRITE]	= "write",
		[RDMABLK_OP_FLUSH]	= "flush",
		[RDMABLK_OP_DISCARD]	= "discard",
		[RDMABLK_OP_ZERO]	= "zero",
	};

	return names[op];
}
