/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A request's memory as work requests: map for DMA, build.
 */
#ifndef RDMABLK_GATHER_H
#define RDMABLK_GATHER_H

#include <linux/blk-mq.h>
#include <rdma/ib_verbs.h>

struct rdmablk_queue;

size_t rdmablk_gather_wide_size(unsigned int nr_wr);
int rdmablk_gather(struct rdmablk_queue *queue, struct request *rq,
		   struct ib_send_wr **first, struct ib_send_wr **last);
void rdmablk_gather_undo(struct request *rq);

#endif /* RDMABLK_GATHER_H */
