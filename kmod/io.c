// SPDX-License-Identifier: GPL-2.0
/*
 * Where a request of the block layer meets a queue pair.
 *
 * Normal operation: the request's pages are mapped for DMA and described by
 * scatter/gather elements with the protection domain's local DMA key; nothing
 * is registered and nothing copied. The elements are cut into work requests at
 * the QP's limit of elements and at the end of an extent of the region, chained
 * and posted at once. Only the last is signaled: an RC send queue completes in
 * order, so that its completion is that of all.
 *
 * Failure: the first work request that fails moves the QP to the error state,
 * and all behind it are flushed. Whatever did not succeed goes back to the block
 * layer's requeue list and stays there until recovery has brought the queue up
 * again: replaying is safe, as the old QP is gone at both ends by then. While
 * the session refuses (@refuse) requests end with an error instead. An
 * unsignaled work request completes only when it fails; that one reports the
 * failure, the request itself is handed back when its last work request is
 * flushed.
 */
#include "compat/compat.h"
#include "io.h"
#include "session.h"
#include "trace.h"

/* How often the target's card may refuse a request before it fails. */
#define RDMABLK_REFUSALS_MAX 3

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
 * rdmablk_io_wide_size() - size of an element of a queue's pool of wide maps
 * @nr_wr: work requests that it must hold
 *
 * Return: bytes.
 */
size_t rdmablk_io_wide_size(unsigned int nr_wr)
{
	return sizeof(struct rdmablk_wide) + nr_wr * sizeof(struct ib_rdma_wr);
}

/* ---- Map ----------------------------------------------------------------- */

static bool rdmablk_io_fits_inline(const struct rdmablk_queue *queue,
				   struct request *rq)
{
	return blk_rq_nr_phys_segments(rq) <= queue->max_sge[rq_data_dir(rq)];
}

static int rdmablk_io_get_map(struct rdmablk_queue *queue, struct request *rq,
			      struct rdmablk_io *io, struct rdmablk_map *map)
{
	io->wide = NULL;
	if (rdmablk_io_fits_inline(queue, rq)) {
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

static void rdmablk_io_put_map(struct rdmablk_io *io)
{
	if (io->wide)
		mempool_free(io->wide, io->queue->wide);
	io->wide = NULL;
}

static int rdmablk_io_dma_map(struct rdmablk_queue *queue, struct request *rq,
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

static void rdmablk_io_dma_unmap(struct rdmablk_io *io, struct request *rq)
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
static int rdmablk_io_build(struct rdmablk_queue *queue, struct request *rq,
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

		if (WARN_ON_ONCE(nr_wr == max_wr))
			return -EIO;
		rdmablk_wr_init(wr, io, rq);
		span = rdmablk_region_span(queue->region, offset, left,
					   &wr->remote_addr, &wr->rkey);
		if (WARN_ON_ONCE(!span))
			return -EIO;
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

/* ---- Post ---------------------------------------------------------------- */

static bool rdmablk_queue_take_slots(struct rdmablk_queue *queue, int slots)
{
	int left = atomic_read(&queue->slots);

	/* No debt, even for a moment: another CPU would see nothing in flight. */
	do {
		if (left < slots)
			return false;
	} while (!atomic_try_cmpxchg(&queue->slots, &left, left - slots));
	return true;
}

static void rdmablk_queue_return_slots(struct rdmablk_queue *queue, int slots)
{
	atomic_add(slots, &queue->slots);
}

static void rdmablk_io_done(struct ib_cq *cq, struct ib_wc *wc);
static void rdmablk_io_part_done(struct ib_cq *cq, struct ib_wc *wc);

static blk_status_t rdmablk_io_post(struct rdmablk_queue *queue,
				    struct rdmablk_io *io,
				    struct ib_send_wr *first)
{
	int err;

	/* Those that hold the slots are in flight on this very hctx. */
	if (!rdmablk_queue_take_slots(queue, io->nr_wr))
		return BLK_STS_DEV_RESOURCE;

	io->cqe.done = rdmablk_io_done;
	io->part.done = rdmablk_io_part_done;
	trace_rdmablk_request_post(queue, io);
	err = rdmablk_conn_post(&queue->conn, first);
	if (likely(!err))
		return BLK_STS_OK;

	/*
	 * There is room, so that the QP or the device is broken, and refused
	 * the chain from its first work request on.
	 */
	rdmablk_queue_return_slots(queue, io->nr_wr);
	rdmablk_session_lost(queue->session, err, "cannot post a work request");
	return BLK_STS_RESOURCE;
}

static blk_status_t rdmablk_io_start_mapped(struct rdmablk_queue *queue,
					    struct request *rq,
					    struct rdmablk_map *map)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	struct rdmablk_mark mark;
	struct ib_send_wr *first;
	blk_status_t status;
	int nr_wr;

	nr_wr = rdmablk_io_build(queue, rq, io, map);
	if (nr_wr < 0)
		return BLK_STS_IOERR;
	if (rq_data_dir(rq) == WRITE)
		rdmablk_track_begin(queue, &io->track);
	rdmablk_mark_begin(queue, rq, &io->track, &mark);
	first = rdmablk_mark_chain(queue, &mark, &io->track, &io->part,
				   &map->wr->wr);
	io->nr_wr = nr_wr + mark.needed;

	/* From here on the request is ours only if posting fails. */
	status = rdmablk_io_post(queue, io, first);
	if (unlikely(status != BLK_STS_OK))
		rdmablk_track_end(queue, &io->track);
	rdmablk_mark_end(queue, &mark, status == BLK_STS_OK);
	return status;
}

/**
 * rdmablk_io_start() - start a READ or WRITE
 * @queue: up
 * @rq: started by the caller
 *
 * Context: any; does not sleep.
 * Return: BLK_STS_OK when the completion will end the request;
 * BLK_STS_DEV_RESOURCE or BLK_STS_RESOURCE when it should come again;
 * BLK_STS_IOERR when it never can.
 */
blk_status_t rdmablk_io_start(struct rdmablk_queue *queue, struct request *rq)
{
	struct rdmablk_io *io = blk_mq_rq_to_pdu(rq);
	struct rdmablk_map map;
	blk_status_t status;

	io->track.on = false;
	/* Others may hold the reserve only to hand it back: come again anyway. */
	if (rdmablk_io_get_map(queue, rq, io, &map))
		return BLK_STS_RESOURCE;
	if (rdmablk_io_dma_map(queue, rq, io, &map)) {
		status = BLK_STS_RESOURCE;
		goto put_map;
	}
	status = rdmablk_io_start_mapped(queue, rq, &map);
	if (likely(status == BLK_STS_OK))
		return BLK_STS_OK;

	rdmablk_io_dma_unmap(io, rq);
put_map:
	rdmablk_io_put_map(io);
	return status;
}

/* ---- Complete ------------------------------------------------------------ */

/* The target's card answered, and said no: trying again may not help. */
static bool rdmablk_io_was_refused(enum ib_wc_status status)
{
	return status == IB_WC_REM_ACCESS_ERR ||
	       status == IB_WC_REM_INV_REQ_ERR ||
	       status == IB_WC_REM_OP_ERR || status == IB_WC_LOC_PROT_ERR ||
	       status == IB_WC_LOC_LEN_ERR || status == IB_WC_LOC_QP_OP_ERR;
}

/* A work request failed; the request that it belongs to is still in flight. */
static void rdmablk_io_note_failure(struct rdmablk_io *io,
				    enum ib_wc_status status)
{
	if (rdmablk_io_was_refused(status))
		io->refusals++;
	/* Flushed, too: a QP may break without a failure of its own work. */
	rdmablk_session_lost(io->queue->session, -EIO, ib_wc_status_msg(status));
}

static void rdmablk_io_part_done(struct ib_cq *cq, struct ib_wc *wc)
{
	rdmablk_io_note_failure(container_of(wc->wr_cqe, struct rdmablk_io,
					     part), wc->status);
}

/**
 * rdmablk_io_end() - end a request
 * @io: its driver's part
 * @status: how it ends
 *
 * Context: any.
 */
void rdmablk_io_end(struct rdmablk_io *io, blk_status_t status)
{
	io->status = status;
	blk_mq_complete_request(blk_mq_rq_from_pdu(io));
}

/**
 * rdmablk_io_return() - hand a request back to the block layer
 * @io: its driver's part
 *
 * It comes again when recovery has brought the path up, or ends with an error if
 * the session refuses.
 *
 * Context: any.
 */
void rdmablk_io_return(struct rdmablk_io *io)
{
	blk_status_t refuse = READ_ONCE(io->queue->session->refuse);

	if (refuse != BLK_STS_OK)
		rdmablk_io_end(io, refuse);
	else
		blk_mq_requeue_request(blk_mq_rq_from_pdu(io), false);
}

/**
 * rdmablk_io_written() - the target has what a request wrote
 * @io: its driver's part
 *
 * Ends the request, unless it has to be durable first.
 *
 * Context: any.
 */
void rdmablk_io_written(struct rdmablk_io *io)
{
	struct rdmablk_session *session = io->queue->session;
	struct request *rq = blk_mq_rq_from_pdu(io);

	if ((rq->cmd_flags & REQ_FUA) && rdmablk_dirty_is_open(&session->dirty))
		rdmablk_flush_add(&session->flush, rq);
	else
		rdmablk_io_end(io, BLK_STS_OK);
}

static void rdmablk_io_failed(struct rdmablk_io *io)
{
	if (io->refusals >= RDMABLK_REFUSALS_MAX)
		rdmablk_io_end(io, BLK_STS_IOERR);
	else
		rdmablk_io_return(io);
}

static void rdmablk_io_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct rdmablk_io *io = container_of(wc->wr_cqe, struct rdmablk_io, cqe);
	struct request *rq = blk_mq_rq_from_pdu(io);
	struct rdmablk_queue *queue = io->queue;

	if (unlikely(rdmablk_fault(RDMABLK_FAULT_COMPLETE)))
		wc->status = IB_WC_GENERAL_ERR;
	trace_rdmablk_request_complete(io, wc);
	rdmablk_io_dma_unmap(io, rq);
	rdmablk_io_put_map(io);
	rdmablk_queue_return_slots(queue, io->nr_wr);
	if (rq_data_dir(rq) == WRITE && wc->status == IB_WC_SUCCESS) {
		/* First, so that a flush that takes the bits sees it, too. */
		rdmablk_fence_note(queue);
		if (io->track.on)
			rdmablk_track_note(queue, rq);
	}
	rdmablk_track_end(queue, &io->track);
	if (likely(wc->status == IB_WC_SUCCESS)) {
		rdmablk_io_written(io);
	} else {
		rdmablk_io_note_failure(io, wc->status);
		rdmablk_io_failed(io);
	}
}
