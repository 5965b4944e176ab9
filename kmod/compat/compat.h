/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that the module builds for. The rest of the
 * module is written against the newest; nothing outside this directory knows of
 * versions. Each RDMABLK_HAVE_* comes from a probe that was compiled against the
 * kernel at hand: stable kernels receive back-ports, so numbers would lie.
 */
#ifndef RDMABLK_COMPAT_H
#define RDMABLK_COMPAT_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <rdma/ib_verbs.h>

#include "probed.h"

/* 6.5: open() takes the gendisk and a blk_mode_t. */
#ifdef RDMABLK_HAVE_OPEN_GENDISK
#define COMPAT_BLK_OPEN_ARGS	struct gendisk *gd, blk_mode_t mode
#define COMPAT_BLK_OPEN_DISK	gd
#else
#define COMPAT_BLK_OPEN_ARGS	struct block_device *bdev, fmode_t mode
#define COMPAT_BLK_OPEN_DISK	(bdev->bd_disk)
#endif

/* 6.14: merging is what happens unless the driver objects. */
#ifdef RDMABLK_HAVE_F_SHOULD_MERGE
#define COMPAT_BLK_MQ_F_SHOULD_MERGE BLK_MQ_F_SHOULD_MERGE
#else
#define COMPAT_BLK_MQ_F_SHOULD_MERGE 0
#endif

/* 6.13: a list of requests knows its end. */
#ifdef RDMABLK_HAVE_RQ_LIST
#define COMPAT_RQ_LIST	struct rq_list
#else
#define COMPAT_RQ_LIST	struct request *
#endif

/*
 * Until 6.4 Soft-RoCE works in tasklets of the CPU that posts, since then in a
 * workqueue of all CPUs. Nothing that a probe could see tells them apart but what came
 * with the same release.
 */
static inline bool compat_works_in_softirqs(const struct ib_device *ibdev)
{
#ifdef RDMABLK_HAVE_OPEN_GENDISK
	return false;
#else
	return ibdev->ops.driver_id == RDMA_DRIVER_RXE;
#endif
}

/*
 * For requests of queue_rqs. Before 6.8 the block layer left it to the driver to
 * enter them where those in flight are found by their tags.
 */
static inline void compat_blk_mq_start_request(struct request *rq)
{
	rq->mq_hctx->tags->rqs[rq->tag] = rq;
	blk_mq_start_request(rq);
}

/* 6.16: the queue is the request's, and not passed any more. */
static inline int compat_blk_rq_map_sg(struct request *rq,
				       struct scatterlist *sg)
{
#ifdef RDMABLK_HAVE_RQ_MAP_SG_REQUEST
	return blk_rq_map_sg(rq, sg);
#else
	return blk_rq_map_sg(rq->q, rq, sg);
#endif
}

/* 6.9: limits are passed when the disk is allocated. */
#ifdef RDMABLK_HAVE_ALLOC_DISK_LIMITS
#define compat_alloc_disk_with_limits blk_mq_alloc_disk
#else
static inline void compat_apply_limits(struct request_queue *q,
				       const struct queue_limits *limits)
{
	blk_queue_logical_block_size(q, limits->logical_block_size);
	blk_queue_physical_block_size(q, limits->physical_block_size);
	blk_queue_io_min(q, limits->io_min);
	blk_queue_max_hw_sectors(q, limits->max_hw_sectors);
	blk_queue_max_segments(q, limits->max_segments);
	blk_queue_max_segment_size(q, limits->max_segment_size);
	blk_queue_dma_alignment(q, limits->dma_alignment);
	blk_queue_max_write_zeroes_sectors(q, limits->max_write_zeroes_sectors);
	blk_queue_max_discard_sectors(q, limits->max_hw_discard_sectors);
	q->limits.discard_granularity = limits->discard_granularity;
}

static inline struct gendisk *
compat_alloc_disk_with_limits(struct blk_mq_tag_set *set,
			      struct queue_limits *limits, void *data)
{
	struct gendisk *gd = blk_mq_alloc_disk(set, data);

	if (!IS_ERR(gd))
		compat_apply_limits(gd->queue, limits);
	return gd;
}
#endif

/*
 * 6.11: what a disk has is said by features in its limits. Before it was flags of
 * its queue, and rotational was what a disk was that said nothing.
 */
static inline struct gendisk *
compat_blk_mq_alloc_disk(struct blk_mq_tag_set *set,
			 struct queue_limits *limits, bool write_cache,
			 void *data)
{
	struct gendisk *gd;

#ifdef RDMABLK_HAVE_LIMITS_FEATURES
	if (write_cache)
		limits->features |= BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA;
	gd = compat_alloc_disk_with_limits(set, limits, data);
#else
	gd = compat_alloc_disk_with_limits(set, limits, data);
	if (!IS_ERR(gd)) {
		blk_queue_write_cache(gd->queue, write_cache, write_cache);
		blk_queue_flag_set(QUEUE_FLAG_NONROT, gd->queue);
	}
#endif
	return gd;
}

#endif /* RDMABLK_COMPAT_H */
