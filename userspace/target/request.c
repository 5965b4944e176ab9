// SPDX-License-Identifier: GPL-2.0
/*
 * A connection request: its private data are validated, and it is refused with
 * a status, or becomes the control connection of a new session or a data
 * connection of a known one.
 */
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "conn.h"
#include "data.h"
#include "device.h"
#include "export.h"
#include "log.h"
#include "peer.h"
#include "proto.h"
#include "request.h"
#include "session.h"

static void refuse(struct request *request, unsigned int status,
		   const char *why)
{
	const struct rdmablk_cm_rej rej = {
		.magic = htole32(RDMABLK_MAGIC),
		.version_min = RDMABLK_VERSION_MIN,
		.version_max = RDMABLK_VERSION_MAX,
		.status = htole16((uint16_t)status),
	};

	request->daemon->counters.refused[status]++;
	if (request->peer)
		peer_log(request->peer, LOG_NOTICE,
			 "%s: connection refused: %s", request->peer->text, why);
	/* Fails when the client has given up, and then there is no need. */
	rdma_reject(request->id, &rej, sizeof(rej));
	rdma_destroy_id(request->id);
}

/* A device that came after the daemon started: clients try again later. */
static void adopt_device(struct daemon *daemon, struct request *request)
{
	struct device *device;
	struct reason why;

	if (!device_check(request->id->verbs, &why) &&
	    !device_open(daemon, request->id->verbs, &device, &why)) {
		refuse(request, RDMABLK_E_NOT_READY,
		       "exports are being registered on a new RDMA device");
		export_cover_devices(daemon);
		return;
	}
	peer_log(request->peer, LOG_ERR, "%s", why.message);
	refuse(request, RDMABLK_E_DEVICE, why.message);
}

static void control_request(struct daemon *daemon, struct request *request,
			    struct device *device, unsigned int version)
{
	const char *no_room = peer_no_room(request->peer);
	struct reason why;

	if (no_room) {
		refuse(request, RDMABLK_E_LIMIT, no_room);
		return;
	}
	/* Whoever has many of them open loses one, not whoever comes now. */
	if (peer_is_full(daemon))
		session_make_room(daemon);
	if (session_accept(daemon, request, device, version, &why))
		refuse(request, RDMABLK_E_LIMIT, why.message);
}

static void data_request(struct daemon *daemon, struct request *request,
			 struct device *device, unsigned int version)
{
	struct reason why;
	int ret = data_accept(daemon, request->id, device, &request->req,
			      version, request->reads_wanted, &why);

	if (ret > 0)
		refuse(request, (unsigned int)ret,
		       rdmablk_status_text((unsigned int)ret));
	else if (ret < 0)
		refuse(request, RDMABLK_E_LIMIT, why.message);
}

/**
 * request_handle() - refuse a request, or make a connection of it
 * @daemon: the daemon
 * @request: from request_copy(); its event is acknowledged
 */
void request_handle(struct daemon *daemon, struct request *request)
{
	struct device *device = device_find(daemon, request->id->verbs);
	union addr addr;
	int version;

	request->daemon = daemon;
	conn_peer(request->id, &addr);
	request->peer = peer_find(daemon, &addr);
	if (!request->peer) {
		refuse(request, RDMABLK_E_LIMIT, "out of memory");
		return;
	}
	if (rdmablk_check_cm_req(&request->req, request->len)) {
		refuse(request, RDMABLK_E_MESSAGE, "malformed request");
		return;
	}
	version = rdmablk_pick_version(&request->req);
	if (version < 0)
		refuse(request, RDMABLK_E_VERSION,
		       rdmablk_status_text(RDMABLK_E_VERSION));
	else if (daemon->stopping)
		refuse(request, RDMABLK_E_SHUTDOWN,
		       rdmablk_status_text(RDMABLK_E_SHUTDOWN));
	else if (!device)
		adopt_device(daemon, request);
	else if (request->req.kind == RDMABLK_CONN_CONTROL)
		control_request(daemon, request, device, (unsigned int)version);
	else
		data_request(daemon, request, device, (unsigned int)version);
}

/**
 * request_copy() - take a request out of its event
 * @request: filled in
 * @event: RDMA_CM_EVENT_CONNECT_REQUEST, not yet acknowledged
 */
void request_copy(struct request *request, const struct rdma_cm_event *event)
{
	const struct rdma_conn_param *param = &event->param.conn;

	*request = (struct request){
		.id = event->id,
		.len = param->private_data ? param->private_data_len : 0,
		.reads_wanted = param->responder_resources,
	};
	if (param->private_data && request->len >= sizeof(request->req))
		memcpy(&request->req, param->private_data,
		       sizeof(request->req));
}
