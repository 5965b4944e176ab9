// SPDX-License-Identifier: GPL-2.0
/*
 * One use of one export. See session.h.
 *
 * rdmablk_session_start() serves the first connect and every reconnect alike;
 * rdmablk_session_stop() cleans up after a session that is up, after a start
 * that failed half way, and after itself.
 */
#include <linux/slab.h>

#include "queue.h"
#include "session.h"
#include "track.h"

/**
 * rdmablk_session_lost() - the path of a session broke
 * @session: up, or coming up
 * @error: negative errno
 * @why: for people
 *
 * Context: any.
 */
void rdmablk_session_lost(struct rdmablk_session *session, int error,
			  const char *why)
{
	session->ops->lost(session, error, why);
}

static struct rdmablk_session *
rdmablk_ctrl_session(struct rdmablk_ctrl *ctrl)
{
	return container_of(ctrl, struct rdmablk_session, ctrl);
}

static void rdmablk_session_ctrl_lost(struct rdmablk_ctrl *ctrl,
				      const char *why)
{
	rdmablk_session_lost(rdmablk_ctrl_session(ctrl), -ECONNRESET, why);
}

static int rdmablk_event_error(u32 code)
{
	switch (code) {
	case RDMABLK_E_FENCED:
		return -ESTALE;
	case RDMABLK_E_DENIED:
		return -EACCES;
	case RDMABLK_E_REMOVED:
		return -ENOENT;
	default:
		return -ECONNRESET;
	}
}

static void rdmablk_session_event(struct rdmablk_ctrl *ctrl,
				  const struct rdmablk_msg_event *event)
{
	struct rdmablk_session *session = rdmablk_ctrl_session(ctrl);
	u32 code = le32_to_cpu(event->code);
	int error = -ECONNRESET;

	if (rdmablk_auth_believes(&session->auth))
		error = rdmablk_event_error(code);
	rdmablk_session_lost(session, error,
			     event->text[0] ? event->text :
			     rdmablk_status_text(code));
}

static const struct rdmablk_ctrl_ops rdmablk_session_ctrl_ops = {
	.event	= rdmablk_session_event,
	.lost	= rdmablk_session_ctrl_lost,
};

/**
 * rdmablk_session_alloc() - allocate what outlives a connection
 * @session: zeroed
 * @opts: what the operator asked for; must outlive the session
 * @ops: whom to tell
 *
 * Context: process.
 * Return: 0, -ENOMEM, or what the crypto API says; then nothing is left to free.
 */
int rdmablk_session_alloc(struct rdmablk_session *session,
			  const struct rdmablk_opts *opts,
			  const struct rdmablk_session_ops *ops)
{
	int err;
	u32 i;

	session->opts = opts;
	session->ops = ops;
	rdmablk_wait_init(&session->wait);

	session->queues = kvcalloc(opts->nr_queues, sizeof(*session->queues),
				   GFP_KERNEL);
	if (!session->queues)
		return -ENOMEM;
	for (i = 0; i < opts->nr_queues; i++)
		rdmablk_queue_init(&session->queues[i], session, i);
	rdmablk_poll_work_init(session);
	rdmablk_dirty_init(&session->dirty);
	rdmablk_flush_init(&session->flush, session);
	rdmablk_zero_init(&session->zero, session);

	err = -ENOMEM;
	session->scratch = kzalloc(sizeof(*session->scratch), GFP_KERNEL);
	if (!session->scratch)
		goto free_queues;
	memset(session->scratch->ones, 1, sizeof(session->scratch->ones));
	err = rdmablk_auth_alloc(&session->auth, opts->key, opts->key_name);
	if (err)
		goto free_scratch;
	err = rdmablk_ctrl_alloc(&session->ctrl, &rdmablk_session_ctrl_ops,
				 &session->wait);
	if (err)
		goto free_auth;
	return 0;

free_auth:
	rdmablk_auth_free(&session->auth);
free_scratch:
	kfree(session->scratch);
	session->scratch = NULL;
free_queues:
	kvfree(session->queues);
	session->queues = NULL;
	return err;
}

/**
 * rdmablk_session_free() - free what rdmablk_session_alloc() allocated
 * @session: stopped, or zeroed
 *
 * Context: process.
 */
void rdmablk_session_free(struct rdmablk_session *session)
{
	u32 i;

	if (!session->queues)
		return;
	for (i = 0; i < session->opts->nr_queues; i++)
		rdmablk_queue_exit(&session->queues[i]);
	kvfree(session->queues);
	session->queues = NULL;
	rdmablk_ctrl_free(&session->ctrl);
	rdmablk_auth_free(&session->auth);
	kfree(session->scratch);
	rdmablk_dirty_close(&session->dirty);
}

static int rdmablk_session_check_device(struct rdmablk_session *session,
					struct rdmablk_reason *reason)
{
	struct rdma_cm_id *cm_id = session->ctrl.conn.cm_id;
	struct ib_device *ibdev = cm_id->device;

	if (rdma_protocol_iwarp(ibdev, cm_id->port_num))
		return rdmablk_reason_set(reason, -EOPNOTSUPP,
			"%s is an iWARP device: this version serves InfiniBand and RoCE only",
			ibdev->name);
	return 0;
}

/*
 * A device may run out of queue pairs on the way. Fewer than granted will do,
 * one at least.
 */
static int rdmablk_session_start_queues(struct rdmablk_session *session,
					struct rdmablk_reason *reason)
{
	u32 wanted = session->grant.nr_queues;
	int err = 0;
	u32 i;

	for (i = 0; i < wanted; i++) {
		err = rdmablk_queue_start(&session->queues[i], reason);
		if (err)
			break;
	}
	if (err && (err != -ENOMEM || !i))
		return err;
	if (err)
		rdmablk_queue_stop(&session->queues[i]);
	session->nr_queues = i;
	return 0;
}

static int rdmablk_session_map_scratch(struct rdmablk_session *session,
				       struct rdmablk_reason *reason)
{
	struct ib_device *ibdev = session->pd->device;
	u64 dma = ib_dma_map_single(ibdev, session->scratch,
				    sizeof(*session->scratch),
				    DMA_BIDIRECTIONAL);

	if (ib_dma_mapping_error(ibdev, dma))
		return rdmablk_reason_set(reason, -ENOMEM, "out of memory");
	session->scratch_dma = dma;
	return 0;
}

static void rdmablk_session_unmap_scratch(struct rdmablk_session *session)
{
	if (!session->scratch_dma)
		return;
	ib_dma_unmap_single(session->pd->device, session->scratch_dma,
			    sizeof(*session->scratch), DMA_BIDIRECTIONAL);
	session->scratch_dma = 0;
}

/*
 * The first grant opens the books, every later one finds clear coarse maps, and
 * perhaps an export of another size. Smaller than before is for recovery to
 * refuse; smaller than in an attempt that failed it may be.
 */
static int rdmablk_session_track(struct rdmablk_session *session,
				 struct rdmablk_reason *reason)
{
	const struct rdmablk_grant *grant = &session->grant;
	struct rdmablk_dirty *dirty = &session->dirty;
	int err = 0;

	if (rdmablk_dirty_is_open(dirty))
		err = rdmablk_dirty_resize(dirty, grant->size);
	else if (grant->chunk_shift)
		err = rdmablk_dirty_open(dirty, grant->size, grant->chunk_shift,
					 session->opts->nr_queues);
	rdmablk_track_reset(session);
	if (err)
		return rdmablk_reason_set(reason, err,
			"too little memory to keep the books of %llu bytes",
			grant->size);
	return rdmablk_session_map_scratch(session, reason);
}

static int rdmablk_session_start_ctrl(struct rdmablk_session *session,
				      struct rdmablk_reason *reason)
{
	struct rdmablk_ctrl *ctrl = &session->ctrl;
	int err;

	err = rdmablk_conn_resolve(&ctrl->conn, &session->opts->addr, reason);
	if (!err)
		err = rdmablk_session_check_device(session, reason);
	if (err)
		return err;

	session->pd = ib_alloc_pd(ctrl->conn.cm_id->device, 0);
	if (IS_ERR(session->pd)) {
		err = PTR_ERR(session->pd);
		session->pd = NULL;
		return rdmablk_reason_set(reason, err,
			"cannot allocate a protection domain on %s: error %d",
			ctrl->conn.cm_id->device->name, err);
	}
	return rdmablk_ctrl_start(ctrl, session->pd, reason);
}

/**
 * rdmablk_session_stop() - take the path down
 * @session: in any state
 *
 * When it returns no device touches memory for this session any more. Requests
 * that were in flight have been handed back (see io.c). The block layer's
 * queues must be quiesced, or the device not be there yet.
 *
 * Context: process.
 */
void rdmablk_session_stop(struct rdmablk_session *session)
{
	u32 i;

	/* Ends what waits for the target, so that it can be waited for. */
	rdmablk_conn_interrupt(&session->ctrl.conn);
	rdmablk_poll_work_begin(session);
	for (i = 0; i < session->opts->nr_queues; i++)
		rdmablk_queue_drain(&session->queues[i]);
	rdmablk_zero_stop(&session->zero);
	rdmablk_flush_stop(&session->flush);

	for (i = 0; i < session->opts->nr_queues; i++)
		rdmablk_queue_stop(&session->queues[i]);
	rdmablk_poll_work_end(session);
	session->nr_queues = 0;
	rdmablk_ctrl_stop(&session->ctrl);
	rdmablk_session_unmap_scratch(session);

	kvfree(session->region);
	session->region = NULL;
	kvfree(session->keys);
	session->keys = NULL;
	if (session->pd) {
		ib_dealloc_pd(session->pd);
		session->pd = NULL;
	}
	rdmablk_auth_end(&session->auth);
	/* Last: until here the removal of the RDMA device waits for us. */
	rdmablk_conn_destroy(&session->ctrl.conn);
}

/**
 * rdmablk_session_start() - bring the path up
 * @session: allocated or stopped
 * @reason: set on failure
 *
 * Context: process; every wait in it is bounded by the connect time-out and
 * ended by rdmablk_wait_abort().
 * Return: 0, or a negative errno; rdmablk_session_stop() cleans up after both.
 */
int rdmablk_session_start(struct rdmablk_session *session,
			  struct rdmablk_reason *reason)
{
	int err;

	rdmablk_conn_begin(&session->ctrl.conn, session->opts->addr.timeout_ms,
			   true);
	while ((err = rdmablk_session_start_ctrl(session, reason)) &&
	       rdmablk_conn_again(&session->ctrl.conn))
		rdmablk_session_stop(session);
	if (!err)
		err = rdmablk_handshake(session, reason);
	if (!err)
		err = rdmablk_session_track(session, reason);
	if (!err)
		err = rdmablk_session_start_queues(session, reason);
	return err;
}

static int rdmablk_session_call(struct rdmablk_session *session, u16 type,
				u32 timeout_ms, struct rdmablk_reason *reason)
{
	struct rdmablk_msg_hdr hdr = { .type = cpu_to_le16(type) };

	return rdmablk_call(&session->ctrl.calls[RDMABLK_CALL_SESSION], &hdr,
			    sizeof(hdr), timeout_ms, reason);
}

/**
 * rdmablk_session_keep_alive_ms() - how often to ask the target
 * @session: up
 *
 * Often enough for either end: the target knows only what was asked for when the
 * session began.
 *
 * Context: any.
 * Return: milliseconds; zero: never.
 */
u32 rdmablk_session_keep_alive_ms(const struct rdmablk_session *session)
{
	u32 ours = READ_ONCE(session->opts->settings.keep_alive_tmo) *
		   MSEC_PER_SEC;

	return min_not_zero(ours, session->grant.keep_alive_ms) / 3;
}

/**
 * rdmablk_session_keep_alive() - ask the target whether it is there
 * @session: up
 * @reason: set on failure
 *
 * When no answer is insisted on it is not waited for long either: the next question
 * shows whether there is still somebody to take it.
 *
 * Context: process; sleeps up to the keep-alive time, or to the request timeout.
 * Return: 0, also when no answer came but none is insisted on; or a negative
 * errno.
 */
int rdmablk_session_keep_alive(struct rdmablk_session *session,
			       struct rdmablk_reason *reason)
{
	const struct rdmablk_settings *settings = &session->opts->settings;
	u32 ours = READ_ONCE(settings->keep_alive_tmo);
	u32 wait = ours ?: READ_ONCE(settings->request_tmo);
	int err = rdmablk_session_call(session, RDMABLK_MSG_KEEP_ALIVE,
				       wait * MSEC_PER_SEC, reason);

	return err == -ETIMEDOUT && !ours ? 0 : err;
}

/**
 * rdmablk_session_close() - tell the target that the session ends
 * @session: up
 *
 * When the target answers, the export is free for others. When it does not,
 * it will notice by the disconnect or by the silence, so that a failure here
 * changes nothing for the client.
 *
 * Context: process; sleeps up to the connect time-out.
 */
void rdmablk_session_close(struct rdmablk_session *session)
{
	struct rdmablk_reason reason;

	if (rdmablk_session_call(session, RDMABLK_MSG_CLOSE,
				 session->opts->addr.timeout_ms, &reason))
		pr_info("%s: closing the session: %s\n", session->opts->export,
			reason.text);
}
