// SPDX-License-Identifier: GPL-2.0
/* 75618ac6e9ce (6.16): blk_rq_map_sg() without the queue. */
#include <linux/blk-mq.h>

int probe(struct request *rq, struct scatterlist *sg)
{
	return blk_rq_map_sg(rq, sg);
}
