/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a request of the block layer meets a queue pair: post, complete.
 */
#ifndef RDMABLK_IO_H
#define RDMABLK_IO_H

#include <linux/blk-mq.h>
#include <linux/scatterlist.h>
#include <rdma/ib_verbs.h>

#include "queue.h"
#include "track.h"

/* What fits into a request's own memory; no more than a QP's elements. */
#define RDMABLK_INLINE_SEGMENTS	32
/* One, or two where the end of an extent cuts. */
#define RDMABLK_INLINE_WRS	2

/**
 * struct rdmablk_batch - work requests to be posted at once
 * @first: the first; NULL: there is none
 * @last: the last
 * @requests: how many requests they are for
 * @slots: of the send queue, taken for them
 */
struct rdmablk_batch {
	struct ib_send_wr *first;
	struct ib_send_wr *last;
	unsigned int requests;
	int slots;
};

/**
 * struct rdmablk_io - the driver's part of a request
 * @cqe: completion of the last work request
 * @part: completion of those before it, which only complete when they fail
 * @queue: where it was posted
 * @wide: borrowed map of a wide request, or NULL
 * @nr_sg: segments mapped for DMA
 * @nr_wr: work requests posted, and slots taken
 * @refusals: how often the target's card refused it
 * @status: how the request ends
 * @slow: the target's software works on it: it takes as long as that takes
 * @list: among others that wait for the target
 * @batch: the last of a batch has a copy, while another CPU is to post it
 * @waiting: among others that are to be posted there
 * @track: its part in dirty tracking
 * @sg: the segments, mapped for DMA; unless @wide has them, as the next two
 * @sge: the same as elements of work requests: one more, as the end of an extent
 *       may cut one in two
 * @wr: the work requests
 */
struct rdmablk_io {
	struct ib_cqe cqe;
	struct ib_cqe part;
	struct rdmablk_queue *queue;
	struct rdmablk_wide *wide;
	u16 nr_sg;
	u16 nr_wr;
	u8 refusals;
	blk_status_t status;
	bool slow;
	struct list_head list;
	struct rdmablk_batch batch;
	struct llist_node waiting;
	struct rdmablk_track track;
	struct scatterlist sg[RDMABLK_INLINE_SEGMENTS];
	struct ib_sge sge[RDMABLK_INLINE_SEGMENTS + 1];
	struct ib_rdma_wr wr[RDMABLK_INLINE_WRS];
};

/* The request that a signaled work request belongs to: its last one. */
static inline struct rdmablk_io *rdmablk_wr_io(const struct ib_send_wr *wr)
{
	return container_of(wr->wr_cqe, struct rdmablk_io, cqe);
}

/* Where in the export a request begins, bytes. */
static inline u64 rdmablk_rq_offset(const struct request *rq)
{
	return (u64)blk_rq_pos(rq) << SECTOR_SHIFT;
}

blk_status_t rdmablk_io_start(struct rdmablk_queue *queue, struct request *rq);
bool rdmablk_batch_add(struct rdmablk_batch *batch, struct rdmablk_queue *queue,
		       struct request *rq);
void rdmablk_batch_append(struct rdmablk_batch *batch,
			  const struct rdmablk_batch *other);
void rdmablk_batch_post(struct rdmablk_batch *batch,
			struct rdmablk_queue *queue);
void rdmablk_batch_post_here(struct rdmablk_batch *batch,
			     struct rdmablk_queue *queue);
void rdmablk_io_written(struct rdmablk_io *io);
void rdmablk_io_end(struct rdmablk_io *io, blk_status_t status);
void rdmablk_io_fail(struct rdmablk_io *io, blk_status_t status);
void rdmablk_io_return(struct rdmablk_io *io);

#endif /* RDMABLK_IO_H */
