// SPDX-License-Identifier: GPL-2.0
/*
 * Private data of the connection manager: what a target reads of a connect
 * request, and what a client reads of the answer.
 */
#include "proto_field.h"

/**
 * rdmablk_check_cm_req() - validate the private data of a connect request
 * @data: as it arrived; transports may pad it at the end
 * @len: bytes
 *
 * A request of an unknown version passes as long as magic and version range
 * are sound, so that it can be refused with RDMABLK_E_VERSION:
 * rdmablk_pick_version() comes next.
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_cm_req(const void *data, size_t len)
{
	const struct rdmablk_cm_req *req = data;

	if (!data || len < sizeof(*req) ||
	    le32_to_cpu(req->magic) != RDMABLK_MAGIC ||
	    !req->version_min || req->version_min > req->version_max)
		return -EPROTO;
	if (rdmablk_pick_version(req) < 0)
		return 0;
	if (req->reserved0 ||
	    !rdmablk_all_zero(req->reserved1, sizeof(req->reserved1)))
		return -EPROTO;

	switch (req->kind) {
	case RDMABLK_CONN_CONTROL:
		return req->session_id || req->hctx ? -EPROTO : 0;
	case RDMABLK_CONN_DATA:
		return req->session_id &&
		       le16_to_cpu(req->hctx) < RDMABLK_QUEUES_MAX ? 0 : -EPROTO;
	default:
		return -EPROTO;
	}
}

/**
 * rdmablk_pick_version() - choose the version of a connection
 * @req: sound by rdmablk_check_cm_req()
 *
 * Return: the highest version that both ends speak, or -EPROTONOSUPPORT.
 */
int rdmablk_pick_version(const struct rdmablk_cm_req *req)
{
	if (req->version_min > RDMABLK_VERSION_MAX ||
	    req->version_max < RDMABLK_VERSION_MIN)
		return -EPROTONOSUPPORT;
	if (req->version_max < RDMABLK_VERSION_MAX)
		return req->version_max;
	return RDMABLK_VERSION_MAX;
}

/**
 * rdmablk_check_cm_rep() - validate the private data of an accepted connection
 * @data: as it arrived
 * @len: bytes
 * @kind: enum rdmablk_conn_kind that was asked for
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_cm_rep(const void *data, size_t len, unsigned int kind)
{
	const struct rdmablk_cm_rep *rep = data;

	if (!data || len < sizeof(*rep) ||
	    le32_to_cpu(rep->magic) != RDMABLK_MAGIC ||
	    rep->version < RDMABLK_VERSION_MIN ||
	    rep->version > RDMABLK_VERSION_MAX || rep->kind != kind ||
	    !rdmablk_all_zero(rep->reserved, sizeof(rep->reserved)))
		return -EPROTO;
	/* Only a control connection carries requests. */
	if (kind == RDMABLK_CONN_CONTROL)
		return rep->credits ? 0 : -EPROTO;
	return rep->credits ? -EPROTO : 0;
}

/**
 * rdmablk_check_cm_rej() - validate the private data of a refused connection
 * @data: as it arrived
 * @len: bytes
 *
 * Return: 0, or -EPROTO: then the refusal is not from an rdmablk target.
 */
int rdmablk_check_cm_rej(const void *data, size_t len)
{
	const struct rdmablk_cm_rej *rej = data;

	if (!data || len < sizeof(*rej) ||
	    le32_to_cpu(rej->magic) != RDMABLK_MAGIC || !rej->status ||
	    !rej->version_min || rej->version_min > rej->version_max)
		return -EPROTO;
	return 0;
}
