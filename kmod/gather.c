// SPDX-License-Identifier: GPL-2.0
/*
 * A request's memory as work requests. See gather.h.
 *
 * The request's pages are mapped for DMA and described by scatter/gather elements
 * with the protection domain's local DMA key; nothing is registered and nothing
 * copied. The elements are cut into work requests at the QP's limit of elements and
 * at the end of an extent of the region. Only the last is signaled: an RC send queue
 * completes in order, so that its completion is that of all.
 */
#include "compat/compat.h"
#include "gather.h"
#include "io.h"
#include "session.h"

/**
 * struct rdmablk_map - room to describe the memory of a request to the card
 * @sg: the segments, mapped for DMA
 * @sge: the same as elements of work requests
 * @wr: the work requests
 */
struct rdmablk_map {
	struct scatterlist *sg;
	struct ib_sge *sge;
	struct ib_rdma_wr *wr;
};

/**
 * struct rdmablk_wide - a map for requests of many segments
 * @sg: see struct rdmablk_map
 * @sge: likewise
 * @wr: as many as the queue's max_wr
 */
struct rdmablk_wide {
	struct scatterlist sg[RDMABLK_MAX_SEGMENTS];
	struct ib_sge sge[RDMABLK_MAX_SEGMENTS + 1];
	struct ib_rdma_wr wr[];
};

/**
 * rdmablk_gather_wide_size() - size of an element of a queue's pool of wide maps
 * @nr_wr: work requests that it must hold
 *
 * Context: any.
 * Return: bytes.
 */
size_t rdmablk_gather_wide_size(unsigned int nr_wr)
{
	return sizeof(struct rdmablk_wide) + nr_wr * sizeof(struct ib_rdma_wr);
}

/* ---- Map ----------------------------------------------------------------- */

static bool rdmablk_gather_fits_inline(const struct rdmablk_queue *queue,
				       struct request *rq)
{
	return blk_rq_nr_phys_segments(rq) <= queue->max_sge[rq_data_dir(rq)];
}

static int rdmablk_gather_get_map(struct rdmablk_queue *queue, struct request *rq,
				  struct rdmablk_io *io, struct rdmablk_map *map)
{
	io->wide = NULL;
	if (rdmablk_gather_fits_inline(queue, rq)) {
		map->sg = io->sg;
		map->sge = io->sge;
		map->wr = io->wr;
		return 0;
	}

	io->wide = mempool_alloc(queue->wide, GFP_ATOMIC | __GFP_NOWARN);
	if (!io->wide)
		return -ENOMEM;
	map->sg = io->wide->sg;
	map->sge = io->wide->sge;
	map->wr = io->wide->wr;
	return 0;
}

static void rdmablk_gather_put_map(struct rdmablk_io *io)
{
	if (io->wide)
		mempool_free(io->wide, io->queue->wide);
	io->wide = NULL;
}

static int rdmablk_gather_dma_map(struct rdmablk_queue *queue, struct request *rq,
				  struct rdmablk_io *io, struct rdmablk_map *map)
{
	sg_init_table(map->sg, blk_rq_nr_phys_segments(rq));
	io->nr_sg = compat_blk_rq_map_sg(rq, map->sg);
	if (rdmablk_fault(RDMABLK_FAULT_MAP) ||
	    !ib_dma_map_sg(queue->conn.cm_id->device, map->sg, io->nr_sg,
			   rq_dma_dir(rq)))
		return -ENOMEM;
	return 0;
}

static void rdmablk_gather_dma_unmap(struct rdmablk_io *io, struct request *rq)
{
	ib_dma_unmap_sg(io->queue->conn.cm_id->device,
			io->wide ? io->wide->sg : io->sg, io->nr_sg,
			rq_dma_dir(rq));
}

/* ---- Build --------------------------------------------------------------- */

/* How far the segments have been turned into elements. */
struct rdmablk_cursor {
	struct scatterlist *sg;
	u32 used;
};

/* Adds elements for up to @span bytes to @wr; returns the bytes added. */
static u64 rdmablk_wr_fill(struct ib_send_wr *wr, struct ib_sge *sge,
			   struct rdmablk_cursor *cursor, u64 span,
			   const struct rdmablk_queue *queue, int max_sge)
{
	u64 bytes = 0;

	wr->sg_list = sge;
	while (bytes < span && wr->num_sge < max_sge) {
		u32 left = sg_dma_len(cursor->sg) - cursor->used;
		u32 take = min_t(u64, left, span - bytes);

		sge->addr = sg_dma_address(cursor->sg) + cursor->used;
		sge->length = take;
		sge->lkey = queue->lkey;
		sge++;
		wr->num_sge++;
		bytes += take;
		cursor->used += take;
		if (take == left) {
			cursor->sg = sg_next(cursor->sg);
			cursor->used = 0;
		}
	}
	return bytes;
}

static void rdmablk_wr_init(struct ib_rdma_wr *wr, struct rdmablk_io *io,
			    struct request *rq)
{
	memset(wr, 0, sizeof(*wr));
	wr->wr.wr_cqe = &io->part;
	wr->wr.opcode = rq_data_dir(rq) == WRITE ?
			IB_WR_RDMA_WRITE : IB_WR_RDMA_READ;
}

/* Returns how many work requests @map now holds, or -EIO. */
static int rdmablk_gather_build(struct rdmablk_queue *queue, struct request *rq,
				struct rdmablk_io *io, struct rdmablk_map *map)
{
	struct rdmablk_cursor cursor = { .sg = map->sg };
	int max_wr = io->wide ? queue->max_wr : RDMABLK_INLINE_WRS;
	int max_sge = queue->max_sge[rq_data_dir(rq)];
	u64 offset = rdmablk_rq_offset(rq);
	u64 left = blk_rq_bytes(rq);
	struct ib_sge *sge = map->sge;
	int nr_wr = 0;

	while (left) {
		struct ib_rdma_wr *wr = &map->wr[nr_wr];
		u64 span, bytes;
		u32 extent;

		if (WARN_ON_ONCE(nr_wr == max_wr))
			return -EIO;
		rdmablk_wr_init(wr, io, rq);
		span = rdmablk_region_span(queue->region, offset, left,
					   &wr->remote_addr, &extent);
		if (WARN_ON_ONCE(!span))
			return -EIO;
		wr->rkey = queue->keys[extent];
		bytes = rdmablk_wr_fill(&wr->wr, sge, &cursor, span, queue,
					max_sge);
		if (nr_wr)
			map->wr[nr_wr - 1].wr.next = &wr->wr;
		sge += wr->wr.num_sge;
		offset += bytes;
		left -= bytes;
		nr_wr++;
	}
	map->wr[nr_wr - 1].wr.wr_cqe = &io->cqe;
	map->wr[nr_wr - 1].wr.send_flags = IB_SEND_SIGNALED;
	return nr_wr;
}

/**
 * rdmablk_gather() - describe a request's memory to the card
 * @queue: where it will be posted
 * @rq: a READ or WRITE
 * @first: its first work request, chained to the others
 * @last: its last one, the only one that is signaled
 *
 * Undone by rdmablk_gather_undo().
 *
 * Context: any; does not sleep.
 * Return: how many work requests there are; -ENOMEM when it may come again; -EIO
 * when it never can.
 */
int rdmablk_gather(struct rdmablk_queue *queue, struct request *rq,
		   struct ib_send_wr **first, struct ib_send_wr **last)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	struct rdmablk_map map;
	int nr_wr = -ENOMEM;

	/* Others may hold the reserve only to hand it back: come again anyway. */
	if (rdmablk_gather_get_map(queue, rq, io, &map))
		return -ENOMEM;
	if (rdmablk_gather_dma_map(queue, rq, io, &map))
		goto put_map;
	nr_wr = rdmablk_gather_build(queue, rq, io, &map);
	if (nr_wr < 0)
		goto unmap;
	*first = &map.wr[0].wr;
	*last = &map.wr[nr_wr - 1].wr;
	return nr_wr;

unmap:
	rdmablk_gather_dma_unmap(io, rq);
put_map:
	rdmablk_gather_put_map(io);
	return nr_wr;
}

/**
 * rdmablk_gather_undo() - the card is done with a request's memory
 * @rq: gathered
 *
 * Context: any.
 */
void rdmablk_gather_undo(struct request *rq)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);

	rdmablk_gather_dma_unmap(io, rq);
	rdmablk_gather_put_map(io);
}
