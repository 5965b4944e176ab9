// SPDX-License-Identifier: GPL-2.0
/* 1122c0c1cc71 (6.11): cache control by features of the queue's limits. */
#include <linux/blkdev.h>

void probe(struct queue_limits *limits)
{
	limits->features |= BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA;
}
