// SPDX-License-Identifier: GPL-2.0
/*
 * A data queue. See queue.h.
 *
 * Sizing: each request in flight takes as many slots of the send queue as it
 * has work requests. The send queue has a slot for each request that may be in
 * flight and room for one of the widest on top; io.c hands a request back to
 * the block layer when its slots are not free, so that posting never fails. One
 * more place for each that fences is no slot.
 */
#include <linux/blk-mq.h>
#include <linux/slab.h>

#include "gather.h"
#include "io.h"
#include "keys.h"
#include "queue.h"
#include "session.h"

/* With fewer elements a 1 MiB request would take more than 250 work requests. */
#define RDMABLK_MIN_SGE 2

/* Wide maps kept in reserve: enough that a wide request always gets one soon. */
#define RDMABLK_WIDE_RESERVE 2

static void rdmablk_queue_lost(struct rdmablk_conn *conn, const char *why)
{
	struct rdmablk_queue *queue =
		container_of(conn, struct rdmablk_queue, conn);

	rdmablk_session_lost(queue->session, -ECONNRESET, why);
}

static const struct rdmablk_conn_ops rdmablk_queue_conn_ops = {
	.lost = rdmablk_queue_lost,
};

/**
 * rdmablk_queue_init() - initialise a data queue, once in a device's life
 * @queue: zeroed
 * @session: the owner
 * @index: of the hctx that it will serve
 *
 * Context: any.
 */
void rdmablk_queue_init(struct rdmablk_queue *queue,
			struct rdmablk_session *session, u16 index)
{
	rdmablk_conn_init(&queue->conn, &rdmablk_queue_conn_ops,
			  &session->wait);
	queue->session = session;
	queue->index = index;
	queue->cpu = -1;
	queue->polled = rdmablk_opts_polled(session->opts, index + 1);
	rdmablk_poll_init(&queue->poll);
	rdmablk_helper_init(queue);
}

/**
 * rdmablk_queue_exit() - free what outlived the connections
 * @queue: stopped
 *
 * Context: process.
 */
void rdmablk_queue_exit(struct rdmablk_queue *queue)
{
	rdmablk_helper_exit(&queue->helper);
	mempool_destroy(queue->wide);
	queue->wide = NULL;
	rdmablk_stats_exit_queue(&queue->stats);
}

/*
 * The most work requests that one request can take: one for each full list of
 * elements, one more where the end of an extent cuts, and the mark.
 */
static u16 rdmablk_queue_widest(const struct rdmablk_queue *queue)
{
	u16 sge = min(queue->max_sge[READ], queue->max_sge[WRITE]);

	return DIV_ROUND_UP(RDMABLK_MAX_SEGMENTS + 1, sge) + 1 +
	       RDMABLK_TRACK_WRS;
}

static int rdmablk_queue_limits(struct rdmablk_queue *queue,
				struct rdmablk_reason *reason)
{
	struct ib_device *ibdev = queue->conn.cm_id->device;
	const struct ib_device_attr *attrs = &ibdev->attrs;
	int read_sge = attrs->max_sge_rd ?: attrs->max_send_sge;

	if (ibdev != queue->session->pd->device)
		return rdmablk_reason_set(reason, -EXDEV,
			"the routes to the target lead through %s and %s: use --source",
			queue->session->pd->device->name, ibdev->name);
	if (min(read_sge, attrs->max_send_sge) < RDMABLK_MIN_SGE)
		return rdmablk_reason_set(reason, -EOPNOTSUPP,
			"%s takes too few scatter/gather elements", ibdev->name);

	queue->max_sge[READ] = min3(read_sge, attrs->max_send_sge,
				    RDMABLK_INLINE_SEGMENTS);
	queue->max_sge[WRITE] = min(attrs->max_send_sge,
				    RDMABLK_INLINE_SEGMENTS);
	if (queue->max_wr && rdmablk_queue_widest(queue) > queue->max_wr)
		return rdmablk_reason_set(reason, -EOPNOTSUPP,
			"%s takes fewer scatter/gather elements than the device before it",
			ibdev->name);
	return 0;
}

static int rdmablk_queue_make_wide(struct rdmablk_queue *queue)
{
	if (queue->wide)
		return 0;
	queue->max_wr = rdmablk_queue_widest(queue);
	queue->wide = mempool_create_kmalloc_pool(RDMABLK_WIDE_RESERVE,
				rdmablk_gather_wide_size(queue->max_wr));
	return queue->wide ? 0 : -ENOMEM;
}

static int rdmablk_queue_create_qp(struct rdmablk_queue *queue,
				   struct rdmablk_reason *reason)
{
	struct rdmablk_session *session = queue->session;
	struct ib_device *ibdev = session->pd->device;
	struct rdmablk_conn_size size = {
		.send_wr	= session->grant.queue_depth + queue->max_wr,
		.send_sge	= max(queue->max_sge[READ],
				      queue->max_sge[WRITE]),
		.comp_vector	= queue->index,
		.poll		= queue->polled ? IB_POLL_DIRECT :
						  IB_POLL_SOFTIRQ,
	};
	int err;

	/* Less room only means that requests are handed back more often. */
	size.send_wr = min_t(u32, size.send_wr,
			     ibdev->attrs.max_qp_wr - RDMABLK_FENCERS - 1);
	size.send_wr = min_t(u32, size.send_wr,
			     ibdev->attrs.max_cqe - RDMABLK_FENCERS - 2);
	if (size.send_wr < queue->max_wr)
		return rdmablk_reason_set(reason, -EOPNOTSUPP,
			"send queues of %s are too short", ibdev->name);
	rdmablk_sq_init(&queue->sq, ibdev, size.send_wr);
	size.send_wr += RDMABLK_FENCERS;
	err = rdmablk_conn_create_qp(&queue->conn, session->pd, &size);
	/* Devices disagree on the error for having no more: -ENOMEM for all. */
	if (err)
		return rdmablk_reason_set(reason, -ENOMEM,
			"cannot create a queue pair on %s: error %d",
			ibdev->name, err);
	return 0;
}

/* Those of its own come into being with the connection. */
static int rdmablk_queue_learn_keys(struct rdmablk_queue *queue,
				    struct rdmablk_reason *reason)
{
	struct rdmablk_session *session = queue->session;

	queue->keys = session->keys;
	if (session->grant.key_scope != RDMABLK_SCOPE_QUEUE)
		return 0;
	queue->own_keys = rdmablk_keys_alloc(&session->grant);
	queue->keys = queue->own_keys;
	if (!queue->keys)
		return rdmablk_reason_set(reason, -ENOMEM, "out of memory");
	return rdmablk_keys_ask(session, queue->index, queue->own_keys, reason);
}

static int rdmablk_queue_try(struct rdmablk_queue *queue,
			     struct rdmablk_reason *reason)
{
	struct rdmablk_session *session = queue->session;
	struct rdmablk_cm_req req = RDMABLK_CM_REQ(RDMABLK_CONN_DATA);
	int err;

	err = rdmablk_conn_resolve(&queue->conn, &session->opts->addr, reason);
	if (!err)
		err = rdmablk_queue_limits(queue, reason);
	if (err)
		return err;
	err = rdmablk_queue_make_wide(queue);
	if (err)
		return rdmablk_reason_set(reason, err, "out of memory");
	err = rdmablk_queue_create_qp(queue, reason);
	if (err)
		return err;

	queue->carried = false;
	queue->region = session->region;
	queue->lkey = session->pd->local_dma_lkey;
	req.session_id = cpu_to_le64(session->grant.session_id);
	req.hctx = cpu_to_le16(queue->index);
	err = rdmablk_auth_sign(&session->auth, &req);
	if (err)
		return rdmablk_reason_set(reason, err,
			"cannot compute a MAC: error %d", err);
	err = rdmablk_conn_connect(&queue->conn, &req, reason);
	return err ? err : rdmablk_queue_learn_keys(queue, reason);
}

/**
 * rdmablk_queue_start() - connect a data queue of a granted session
 * @queue: stopped
 * @reason: set on failure
 *
 * Context: process.
 * Return: 0; -ENOMEM when the RDMA device has no QP left; another negative
 * errno. rdmablk_queue_stop() cleans up after all of them.
 */
int rdmablk_queue_start(struct rdmablk_queue *queue,
			struct rdmablk_reason *reason)
{
	int err;

	/* One that is answered late has the queue, and no other could get it. */
	rdmablk_conn_begin(&queue->conn, queue->session->opts->addr.timeout_ms,
			   false);
	while ((err = rdmablk_queue_try(queue, reason)) &&
	       rdmablk_conn_again(&queue->conn))
		rdmablk_queue_stop(queue);
	if (err)
		return err;
	rdmablk_helper_begin(queue);
	if (queue->polled)
		rdmablk_poll_begin(&queue->poll, queue->conn.cq);
	return 0;
}

/**
 * rdmablk_queue_drain() - take it down; all completions were handled when it returns
 * @queue: in any state
 *
 * What is posted later fails, and completes, too: a fence may be.
 *
 * Context: process.
 */
void rdmablk_queue_drain(struct rdmablk_queue *queue)
{
	rdmablk_helper_end(queue);
	rdmablk_conn_drain(&queue->conn);
	/* Whoever polls meanwhile may be in the middle of handling some. */
	rdmablk_poll(&queue->poll);
}

/**
 * rdmablk_queue_stop() - drain, destroy and disconnect
 * @queue: in any state
 *
 * Context: process.
 */
void rdmablk_queue_stop(struct rdmablk_queue *queue)
{
	rdmablk_queue_drain(queue);
	rdmablk_poll_end(&queue->poll);
	rdmablk_conn_destroy(&queue->conn);
	queue->region = NULL;
	queue->keys = NULL;
	kvfree(queue->own_keys);
	queue->own_keys = NULL;
}
