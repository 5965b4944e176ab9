// SPDX-License-Identifier: GPL-2.0
/*
 * A data connection: a queue pair in the protection domain of its session's
 * export and access mode. The client's card reads and writes through it; the
 * daemon hears of it again when it ends.
 */
#include <errno.h>
#include <stdlib.h>

#include "data.h"
#include "log.h"
#include "macros.h"
#include "session.h"
#include "window.h"

static void data_lost(struct conn *conn, const char *why)
{
	struct data *data = container_of(conn, struct data, conn);
	char who[SESSION_TEXT_MAX];

	/* The session stays: the client connects again, or ends it. */
	peer_log(data->session->peer, LOG_NOTICE, "%s: data connection %u: %s",
		 session_text(data->session, who), data->hctx, why);
	data_close(data);
}

static const struct conn_ops conn_ops = { .lost = data_lost };

static unsigned int face_access(enum face face)
{
	return face == FACE_RW ?
	       IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE :
	       IBV_ACCESS_REMOTE_READ;
}

/* Before the client may use it, and before anybody learns its keys. */
static int data_bind(struct data *data, struct reason *why)
{
	const struct session *session = data->session;

	if (!session->region->windows)
		return 0;
	return windows_bind(&data->windows, session->region, session->face,
			    data->conn.qp, data->conn.device->data_cq, why);
}

static int data_open(struct data *data, const struct rdmablk_cm_rep *rep,
		     struct reason *why)
{
	struct session *session = data->session;
	const struct conn_setup setup = {
		.pd = session->region->pd[session->face],
		.cq = data->conn.device->data_cq,
		/* Nothing else is ever posted, but not every device takes 0. */
		.nr_send = session->region->windows ? WINDOWS_BATCH : 1,
		.nr_recv = 1,
		.access = face_access(session->face),
	};
	int err;

	err = conn_create_qp(&data->conn, &setup, why);
	if (!err)
		err = conn_start_qp(&data->conn, why);
	if (!err)
		err = data_bind(data, why);
	return err ? err : conn_accept(&data->conn, rep, why);
}

/* The windows first: see window.c. */
static void data_free(struct data *data)
{
	windows_free(data->windows);
	conn_close(&data->conn);
	free(data);
}

/* May this request become a data connection? Zero, or why not. */
static enum rdmablk_status check(const struct session *session,
				 struct rdma_cm_id *id,
				 const struct device *device,
				 const struct rdmablk_cm_req *req)
{
	union addr peer = { .sa.sa_family = AF_UNSPEC };
	unsigned int hctx = le16toh(req->hctx);

	if (!session || session->state != SESSION_OPEN)
		return RDMABLK_E_NO_SESSION;
	/* Whoever guessed the number of another host's session. */
	conn_peer(id, &peer);
	if (!addr_same_host(&peer, &session->claim.peer) ||
	    !login_admits(&session->login, req))
		return RDMABLK_E_NO_SESSION;
	if (device != session->ctrl.conn.device)
		return RDMABLK_E_DEVICE;
	if (hctx >= session->nr_queues || session->queues[hctx])
		return RDMABLK_E_QUEUE;
	return RDMABLK_OK;
}

/**
 * data_accept() - accept a data connection
 * @daemon: the daemon
 * @id: of the request
 * @device: where it arrived
 * @req: its private data, validated
 * @version: of the protocol, agreed upon
 * @reads_wanted: READs that the client wants to have under way
 * @why: set when a negative errno is returned
 *
 * Return: 0; a positive enum rdmablk_status, or a negative errno: in both
 * cases @id is still the caller's, to be refused.
 */
int data_accept(struct daemon *daemon, struct rdma_cm_id *id,
		struct device *device, const struct rdmablk_cm_req *req,
		unsigned int version, unsigned int reads_wanted,
		struct reason *why)
{
	struct session *session = session_find(daemon,
					       le64toh(req->session_id));
	const struct rdmablk_cm_rep rep = {
		.magic = htole32(RDMABLK_MAGIC),
		.version = (uint8_t)version,
		.kind = RDMABLK_CONN_DATA,
	};
	enum rdmablk_status status = check(session, id, device, req);
	struct data *data;
	int err;

	if (status != RDMABLK_OK)
		return (int)status;
	data = calloc(1, sizeof(*data));
	if (!data)
		return reason_set(why, -ENOMEM, "out of memory");
	data->session = session;
	data->hctx = le16toh(req->hctx);
	conn_init(&data->conn, &conn_ops, id, device, reads_wanted);
	err = data_open(data, &rep, why);
	if (err) {
		data->conn.id = NULL;
		data_free(data);
		return err;
	}
	session->queues[data->hctx] = data;
	return 0;
}

/**
 * data_close() - end a data connection
 * @data: the connection; freed. Its queue pair and its keys are gone when this
 *	  returns.
 */
void data_close(struct data *data)
{
	data->session->queues[data->hctx] = NULL;
	data_free(data);
}
