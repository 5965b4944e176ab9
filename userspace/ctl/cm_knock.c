// SPDX-License-Identifier: GPL-2.0
/*
 * Asks the connection manager of another host. See cm_knock.h.
 */
#include <errno.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "cm_knock.h"
#include "proto.h"

#define RESOLVE_MS	2000	/* for a neighbour to answer */
#define ANSWER_MS	5000	/* for the connection manager there */

/* From IB's table of reasons: nobody has that service id. */
#define REJECT_NO_SERVICE 8

/* Waits for an event. Negative errno: none came, or it is a failure. */
static int next_event(struct rdma_event_channel *channel, int64_t deadline,
		      struct rdma_cm_event **event)
{
	struct pollfd fd = { .fd = channel->fd, .events = POLLIN };
	int64_t left = deadline - now_ms();

	if (left <= 0 || poll(&fd, 1, (int)left) <= 0)
		return -ETIMEDOUT;
	return rdma_get_cm_event(channel, event) ? -errno : 0;
}

/* Waits for a step to succeed: the address, or the route. */
static int step(struct rdma_event_channel *channel,
		enum rdma_cm_event_type wanted)
{
	struct rdma_cm_event *event;
	int err = next_event(channel, now_ms() + 2 * RESOLVE_MS, &event);

	if (err)
		return err;
	if (event->event != wanted)
		err = event->status < 0 ? event->status : -EHOSTUNREACH;
	rdma_ack_cm_event(event);
	return err;
}

static int resolve(struct rdma_cm_id *id, const union addr *to)
{
	union addr addr = *to;
	int err;

	if (rdma_resolve_addr(id, NULL, &addr.sa, RESOLVE_MS))
		return -errno;
	err = step(id->channel, RDMA_CM_EVENT_ADDR_RESOLVED);
	if (err)
		return err;
	if (rdma_resolve_route(id, RESOLVE_MS))
		return -errno;
	return step(id->channel, RDMA_CM_EVENT_ROUTE_RESOLVED);
}

static int ask(struct rdma_cm_id *id)
{
	const struct rdmablk_cm_req req = {
		.magic = htole32(RDMABLK_MAGIC),
		.version_min = RDMABLK_VERSION_MIN,
		.version_max = RDMABLK_VERSION_MAX,
		.kind = RDMABLK_CONN_CONTROL,
	};
	struct rdma_conn_param param = {
		.private_data = &req, .private_data_len = sizeof(req),
		.retry_count = 3,
	};
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 1, .max_recv_wr = 1,
			 .max_send_sge = 1, .max_recv_sge = 1 },
	};

	if (rdma_create_qp(id, NULL, &attr))
		return -errno;
	return rdma_connect(id, &param) ? -errno : 0;
}

static void take_refusal(struct cm_knock *out, const struct rdma_cm_event *event)
{
	const void *data = event->param.conn.private_data;
	struct rdmablk_cm_rej rej;

	if (event->status == REJECT_NO_SERVICE) {
		out->end = CM_KNOCK_NOBODY;
		return;
	}
	out->end = CM_KNOCK_STRANGER;
	if (!data ||
	    rdmablk_check_cm_rej(data, event->param.conn.private_data_len))
		return;
	memcpy(&rej, data, sizeof(rej));
	out->end = CM_KNOCK_REFUSED;
	out->status = le16toh(rej.status);
	out->version_min = rej.version_min;
	out->version_max = rej.version_max;
}

static void take_answer(struct cm_knock *out, const struct rdma_cm_event *event)
{
	const void *data = event->param.conn.private_data;
	struct rdmablk_cm_rep rep;

	switch (event->event) {
	case RDMA_CM_EVENT_ESTABLISHED:
		out->end = CM_KNOCK_STRANGER;
		if (!data || rdmablk_check_cm_rep(data,
						  event->param.conn.private_data_len,
						  RDMABLK_CONN_CONTROL))
			break;
		memcpy(&rep, data, sizeof(rep));
		out->end = CM_KNOCK_ACCEPTED;
		out->version_max = rep.version;
		break;
	case RDMA_CM_EVENT_REJECTED:
		take_refusal(out, event);
		break;
	case RDMA_CM_EVENT_UNREACHABLE:
		out->end = CM_KNOCK_SILENT;
		break;
	default:
		out->end = CM_KNOCK_FAILED;
		out->err = event->status < 0 ? event->status : -EPROTO;
		break;
	}
}

static enum cm_knock_end end_of_resolve(int err)
{
	switch (err) {
	case -ENODEV:
	case -EADDRNOTAVAIL:
		return CM_KNOCK_NO_DEVICE;
	case -ETIMEDOUT:
	case -EHOSTUNREACH:
	case -ENETUNREACH:
		return CM_KNOCK_NO_NEIGHBOUR;
	default:
		return CM_KNOCK_FAILED;
	}
}

static void knock(struct rdma_cm_id *id, const union addr *to,
		  struct cm_knock *out)
{
	int64_t deadline = now_ms() + ANSWER_MS;
	struct rdma_cm_event *event;

	out->err = resolve(id, to);
	if (out->err) {
		out->end = end_of_resolve(out->err);
		return;
	}
	snprintf(out->device, sizeof(out->device), "%s",
		 ibv_get_device_name(id->verbs->device));
	out->port = id->port_num;
	out->err = ask(id);
	if (out->err) {
		out->end = CM_KNOCK_FAILED;
		return;
	}
	out->err = next_event(id->channel, deadline, &event);
	if (out->err) {
		out->end = CM_KNOCK_SILENT;
	} else {
		take_answer(out, event);
		rdma_ack_cm_event(event);
	}
	rdma_disconnect(id);
}

/**
 * cm_knock() - ask for a control connection
 * @to: address and port
 * @out: set to what became of it, within some seconds
 */
void cm_knock(const union addr *to, struct cm_knock *out)
{
	struct rdma_event_channel *channel = rdma_create_event_channel();
	struct rdma_cm_id *id;

	*out = (struct cm_knock){ .end = CM_KNOCK_NO_CM, .err = -errno };
	if (!channel)
		return;
	if (!rdma_create_id(channel, &id, NULL, RDMA_PS_TCP)) {
		knock(id, to, out);
		if (id->qp)
			rdma_destroy_qp(id);
		rdma_destroy_id(id);
	}
	rdma_destroy_event_channel(channel);
}
