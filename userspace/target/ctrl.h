/* SPDX-License-Identifier: GPL-2.0 */
/* A control connection: messages in, messages out. */
#ifndef RDMABLKD_CTRL_H
#define RDMABLKD_CTRL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conn.h"

#define CTRL_CREDITS	16	/* requests that may be unanswered */
/* Their answers, one that comes later than that of the next, an event. */
#define CTRL_SENDS	(CTRL_CREDITS + 2)

struct ctrl;

/**
 * struct ctrl_ops - whom a control connection reports to
 * @turn: may a message be looked at now? Zero, or when one may, CLOCK_MONOTONIC
 * @message: a message arrived; valid only during the call
 * @lost: the connection is of no use any more
 * @drained: all that was sent has arrived
 *
 * All may call ctrl_close(), but must not free the structure.
 */
struct ctrl_ops {
	uint64_t (*turn)(struct ctrl *ctrl);
	void (*message)(struct ctrl *ctrl, const void *msg, size_t len);
	void (*lost)(struct ctrl *ctrl, const char *why);
	void (*drained)(struct ctrl *ctrl);
};

/**
 * struct ctrl_waiting - a message that has arrived and was not looked at yet
 * @slot: its receive buffer
 * @len: bytes
 */
struct ctrl_waiting {
	uint8_t		slot;
	uint32_t	len;
};

/**
 * struct ctrl - a control connection
 * @conn: the connection
 * @ops: whom to tell
 * @cq: its completion queue
 * @mr: registration of @buffers
 * @buffers: CTRL_CREDITS receive buffers, then CTRL_SENDS send buffers
 * @sends_free: bit map of free send buffers
 * @waiting: ring of messages that wait for a free send buffer
 * @first_waiting: index of the oldest in @waiting
 * @nr_waiting: how many
 * @again: goes on with them when others had their turn in the event loop
 * @pause: goes on with them when it is their time
 */
struct ctrl {
	struct conn		conn;
	const struct ctrl_ops	*ops;
	struct ibv_cq		*cq;
	struct ibv_mr		*mr;
	uint8_t			*buffers;
	uint32_t		sends_free;
	struct ctrl_waiting	waiting[CTRL_CREDITS];
	unsigned int		first_waiting;
	unsigned int		nr_waiting;
	sd_event_source		*again;
	sd_event_source		*pause;
};

int ctrl_open(struct ctrl *ctrl, const struct ctrl_ops *ops,
	      struct rdma_cm_id *id, struct device *device,
	      unsigned int version, struct reason *why);
void ctrl_close(struct ctrl *ctrl);
int ctrl_send(struct ctrl *ctrl, const void *msg, size_t len);
bool ctrl_drained(const struct ctrl *ctrl);
void ctrl_completions(struct ctrl *ctrl);

#endif /* RDMABLKD_CTRL_H */
