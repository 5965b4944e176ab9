/* SPDX-License-Identifier: GPL-2.0 */
/*
 * WRITE ZEROES and DISCARD: the target zeroes its own memory.
 */
#ifndef RDMABLK_ZERO_H
#define RDMABLK_ZERO_H

#include <linux/blk-mq.h>

#include "backlog.h"
#include "fence.h"

struct rdmablk_session;

/**
 * struct rdmablk_zero - requests that the target serves
 * @session: the owner
 * @backlog: they; its work serves one after the other
 * @fence: keeps writes that completed before from landing on the zeroes
 */
struct rdmablk_zero {
	struct rdmablk_session *session;
	struct rdmablk_backlog backlog;
	struct rdmablk_fence fence;
};

void rdmablk_zero_init(struct rdmablk_zero *zero,
		       struct rdmablk_session *session);
void rdmablk_zero_add(struct rdmablk_zero *zero, struct request *rq);
void rdmablk_zero_stop(struct rdmablk_zero *zero);

#endif /* RDMABLK_ZERO_H */
