/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a device, or one of its queues, has counted: one STATS answer, and what is
 * made of two of them.
 */
#ifndef RBDCTL_FIGURES_H
#define RBDCTL_FIGURES_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"
#include "genl.h"
#include "histogram.h"

#define FIGURES_DEVICE	UINT32_MAX	/* as @queue: of all queues */

/**
 * struct op_figures - figures of one operation
 * @count: requests that ended
 * @bytes: of them
 * @ns: sum of the time that they took
 * @errors: how many ended with an error
 * @latency: of those that ended while somebody watched
 */
struct op_figures {
	uint64_t count;
	uint64_t bytes;
	uint64_t ns;
	uint64_t errors;
	struct histogram latency;
};

/**
 * struct figures - see above
 * @name: of the device
 * @index: its number
 * @id: that no other device has
 * @state: enum rdmablk_dev_state
 * @queue: from 0, or FIGURES_DEVICE
 * @queues: that are connected; 0: it never was
 * @depth: requests that each of them takes
 * @has_ops: there is a disk, and so there are @in_flight and @ops
 * @in_flight: requests
 * @reconnects: recoveries that succeeded, always since it was attached
 * @waits: requests that found no room on their queue
 * @replays: requests that were handed back when the path broke
 * @flushes: rounds that made everything durable
 * @dirty: bytes that were written and not flushed yet
 * @ops: figures by enum rdmablk_op
 */
struct figures {
	char name[DEVICE_NAME_MAX];
	uint32_t index;
	uint64_t id;
	uint32_t state;
	uint32_t queue;
	uint32_t queues;
	uint32_t depth;
	bool has_ops;
	uint32_t in_flight;
	uint64_t reconnects;
	uint64_t waits;
	uint64_t replays;
	uint64_t flushes;
	uint64_t dirty;
	struct op_figures ops[RDMABLK_OPS];
};

int figures_get(struct genl *genl, uint32_t index, uint32_t queue,
		struct figures *figures);
bool figures_same(const struct figures *a, const struct figures *b);
void figures_since(struct figures *now, const struct figures *then);

const char *figures_op_name(uint32_t op);
struct json_object *figures_json(const struct figures *figures,
				 double seconds);

#endif /* RBDCTL_FIGURES_H */
