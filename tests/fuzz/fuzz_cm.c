// SPDX-License-Identifier: GPL-2.0
/*
 * The private data of the connection manager, both ways (kmod/proto_cm.c).
 */
#include <endian.h>

#include "input.h"
#include "proto.h"

static void request(const void *data, size_t size)
{
	const struct rdmablk_cm_req *req = data;
	int version;

	if (rdmablk_check_cm_req(data, size))
		return;
	MUST(size >= sizeof(*req));
	version = rdmablk_pick_version(req);
	if (version < 0)
		return;
	MUST(version >= RDMABLK_VERSION_MIN && version <= RDMABLK_VERSION_MAX);
	MUST(version >= req->version_min && version <= req->version_max);
	MUST(req->kind == RDMABLK_CONN_CONTROL || req->kind == RDMABLK_CONN_DATA);
	MUST(le16toh(req->hctx) < RDMABLK_QUEUES_MAX);
	MUST((req->kind == RDMABLK_CONN_DATA) == (req->session_id != 0));
}

static void answer(const void *data, size_t size, unsigned int kind)
{
	const struct rdmablk_cm_rep *rep = data;

	if (rdmablk_check_cm_rep(data, size, kind))
		return;
	MUST(size >= sizeof(*rep) && rep->kind == kind);
	MUST((kind == RDMABLK_CONN_CONTROL) == (rep->credits != 0));
}

static void refusal(const void *data, size_t size)
{
	const struct rdmablk_cm_rej *rej = data;

	if (rdmablk_check_cm_rej(data, size))
		return;
	MUST(size >= sizeof(*rej) && rej->version_min <= rej->version_max);
	MUST(*rdmablk_status_text(le16toh(rej->status)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint8_t what = input_byte(&in);
	size_t length = in.left;
	void *message = input_message(&in, length);

	switch (what % 4) {
	case 0: request(message, length); break;
	case 1: answer(message, length, RDMABLK_CONN_CONTROL); break;
	case 2: answer(message, length, RDMABLK_CONN_DATA); break;
	case 3: refusal(message, length); break;
	}
	free(message);
	return 0;
}
