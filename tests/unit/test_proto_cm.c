// SPDX-License-Identifier: GPL-2.0
/*
 * What both sides validate of the connection manager's private data
 * (kmod/proto_cm.c): every field at the edge of what is allowed.
 */
#include "test.h"

#include <endian.h>
#include <errno.h>

#include "proto.h"

static struct rdmablk_cm_req control_req(void)
{
	return (struct rdmablk_cm_req){
		.magic = htole32(RDMABLK_MAGIC), .version_min = 1,
		.version_max = 1, .kind = RDMABLK_CONN_CONTROL,
	};
}

static struct rdmablk_cm_req data_req(void)
{
	struct rdmablk_cm_req req = control_req();

	req.kind = RDMABLK_CONN_DATA;
	req.session_id = htole64(1);
	return req;
}

#define check_req(req)	rdmablk_check_cm_req(&(req), sizeof(req))

static void cm_req(void **state)
{
	struct rdmablk_cm_req req = control_req();
	uint8_t padded[92] = { 0 };

	(void)state;
	assert_int_equal(check_req(req), 0);
	assert_int_equal(rdmablk_check_cm_req(NULL, 0), -EPROTO);
	assert_int_equal(rdmablk_check_cm_req(&req, sizeof(req) - 1), -EPROTO);
	memcpy(padded, &req, sizeof(req));
	assert_int_equal(rdmablk_check_cm_req(padded, sizeof(padded)), 0);

	req.magic = htobe32(RDMABLK_MAGIC);
	assert_int_equal(check_req(req), -EPROTO);
	req = control_req();
	req.kind = 0;
	assert_int_equal(check_req(req), -EPROTO);
	req.kind = 3;
	assert_int_equal(check_req(req), -EPROTO);
	req = control_req();
	req.reserved0 = 1;
	assert_int_equal(check_req(req), -EPROTO);
	req = control_req();
	req.reserved1[5] = 1;
	assert_int_equal(check_req(req), -EPROTO);
	req = control_req();
	req.session_id = htole64(1);
	assert_int_equal(check_req(req), -EPROTO);
	req = control_req();
	req.hctx = htole16(1);
	assert_int_equal(check_req(req), -EPROTO);
}

static void cm_req_data(void **state)
{
	struct rdmablk_cm_req req = data_req();

	(void)state;
	assert_int_equal(check_req(req), 0);
	req.hctx = htole16(RDMABLK_QUEUES_MAX - 1);
	assert_int_equal(check_req(req), 0);
	req.hctx = htole16(RDMABLK_QUEUES_MAX);
	assert_int_equal(check_req(req), -EPROTO);
	req.hctx = htole16(UINT16_MAX);
	assert_int_equal(check_req(req), -EPROTO);
	req = data_req();
	req.session_id = 0;
	assert_int_equal(check_req(req), -EPROTO);
	req.session_id = htole64(UINT64_MAX);
	assert_int_equal(check_req(req), 0);
	memset(req.proof, 0xff, sizeof(req.proof));
	assert_int_equal(check_req(req), 0);
}

static void cm_req_versions(void **state)
{
	struct rdmablk_cm_req req = control_req();

	(void)state;
	assert_int_equal(rdmablk_pick_version(&req), 1);
	req.version_max = 255;
	assert_int_equal(rdmablk_pick_version(&req), RDMABLK_VERSION_MAX);
	req.version_min = 0;
	assert_int_equal(check_req(req), -EPROTO);
	req.version_min = 2;
	req.version_max = 1;
	assert_int_equal(check_req(req), -EPROTO);

	/* A version to come may mean other things: it is refused politely. */
	req.version_min = RDMABLK_VERSION_MAX + 1;
	req.version_max = RDMABLK_VERSION_MAX + 1;
	req.kind = 77;
	req.reserved0 = 1;
	assert_int_equal(check_req(req), 0);
	assert_int_equal(rdmablk_pick_version(&req), -EPROTONOSUPPORT);
}

static void cm_rep(void **state)
{
	struct rdmablk_cm_rep good = {
		.magic = htole32(RDMABLK_MAGIC), .version = 1,
		.kind = RDMABLK_CONN_CONTROL, .credits = htole16(1),
	}, rep = good;
	uint8_t padded[196] = { 0 };

	(void)state;
#define check_rep(kind)	rdmablk_check_cm_rep(&rep, sizeof(rep), kind)
	assert_int_equal(check_rep(RDMABLK_CONN_CONTROL), 0);
	assert_int_equal(check_rep(RDMABLK_CONN_DATA), -EPROTO);
	assert_int_equal(rdmablk_check_cm_rep(NULL, 0, 1), -EPROTO);
	assert_int_equal(rdmablk_check_cm_rep(&rep, sizeof(rep) - 1, 1),
			 -EPROTO);
	memcpy(padded, &rep, sizeof(rep));
	assert_int_equal(rdmablk_check_cm_rep(padded, sizeof(padded), 1), 0);
	rep.credits = 0;
	assert_int_equal(check_rep(RDMABLK_CONN_CONTROL), -EPROTO);
	rep.kind = RDMABLK_CONN_DATA;
	assert_int_equal(check_rep(RDMABLK_CONN_DATA), 0);
	rep.credits = htole16(1);
	assert_int_equal(check_rep(RDMABLK_CONN_DATA), -EPROTO);
	rep = good;
	rep.version = 0;
	assert_int_equal(check_rep(RDMABLK_CONN_CONTROL), -EPROTO);
	rep.version = RDMABLK_VERSION_MAX + 1;
	assert_int_equal(check_rep(RDMABLK_CONN_CONTROL), -EPROTO);
	rep = good;
	rep.magic = 0;
	assert_int_equal(check_rep(RDMABLK_CONN_CONTROL), -EPROTO);
	rep = good;
	rep.reserved[7] = 1;
	assert_int_equal(check_rep(RDMABLK_CONN_CONTROL), -EPROTO);
}

static void cm_rej(void **state)
{
	struct rdmablk_cm_rej good = {
		.magic = htole32(RDMABLK_MAGIC), .version_min = 1,
		.version_max = 1, .status = htole16(RDMABLK_E_VERSION),
	}, rej = good;

	(void)state;
#define check_rej()	rdmablk_check_cm_rej(&rej, sizeof(rej))
	assert_int_equal(check_rej(), 0);
	assert_int_equal(rdmablk_check_cm_rej(NULL, 0), -EPROTO);
	assert_int_equal(rdmablk_check_cm_rej(&rej, sizeof(rej) - 1), -EPROTO);
	rej.status = htole16(60000);	/* a status to come is still a refusal */
	assert_int_equal(check_rej(), 0);
	rej.status = 0;
	assert_int_equal(check_rej(), -EPROTO);
	rej = good;
	rej.version_min = 0;
	assert_int_equal(check_rej(), -EPROTO);
	rej.version_min = 2;
	assert_int_equal(check_rej(), -EPROTO);
	rej = good;
	rej.magic++;
	assert_int_equal(check_rej(), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cm_req),
		TEST(cm_req_data),
		TEST(cm_req_versions),
		TEST(cm_rep),
		TEST(cm_rej),
	};

	return cmocka_run_group_tests_name("proto_cm", tests, NULL, NULL);
}
