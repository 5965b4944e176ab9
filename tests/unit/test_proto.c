// SPDX-License-Identifier: GPL-2.0
/*
 * What both sides validate (kmod/proto.c): every message, every field at the
 * edge of what is allowed.
 */
#include "test.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>

#include "proto.h"

/* ---- Texts and names ----------------------------------------------------- */

static void every_status_has_words(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < __RDMABLK_STATUS_END; i++) {
		assert_non_null(rdmablk_status_text(i));
		assert_string_not_equal(rdmablk_status_text(i),
					"unknown status");
	}
	assert_string_equal(rdmablk_status_text(__RDMABLK_STATUS_END),
			    "unknown status");
	assert_string_equal(rdmablk_status_text(~0U), "unknown status");
}

static void names(void **state)
{
	static const char * const good[] = {
		"a", "Z", "0", "disk.1", "a_b:c@d+e-f", "0-", "x....",
	};
	static const char * const bad[] = {
		"", ".", "-a", "_a", "a b", "a/b", "a\n", "%n", "a%n", "\x80",
		"a\x7f", ":a", "a$", "a\"",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(rdmablk_name_valid(good[i], strlen(good[i])));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(rdmablk_name_valid(bad[i], strlen(bad[i])));
	assert_false(rdmablk_name_valid("a\0b", 3));
	assert_false(rdmablk_name_valid("\0", 1));
}

static void texts(void **state)
{
	char text[8] = "abc";

	(void)state;
	assert_true(rdmablk_text_valid(text, sizeof(text)));
	assert_false(rdmablk_text_valid(text, 3));	/* not terminated */
	text[7] = 'x';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	text[7] = '\0';
	text[1] = '\n';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	text[1] = '\x1b';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	text[1] = '~';
	assert_true(rdmablk_text_valid(text, sizeof(text)));
	text[1] = '\x7f';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	memset(text, 0, sizeof(text));
	assert_true(rdmablk_text_valid(text, sizeof(text)));
}

/* ---- Connection manager private data -------------------------------------- */

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

/* ---- Requests -------------------------------------------------------------- */

static void set_hdr(void *msg, unsigned int type, size_t len)
{
	struct rdmablk_msg_hdr *hdr = msg;

	hdr->type = htole16((uint16_t)type);
	hdr->length = htole32((uint32_t)len);
	hdr->tag = htole64(UINT64_MAX);
}

static struct rdmablk_msg_hello good_hello(void)
{
	struct rdmablk_msg_hello hello = {
		.host_id = { 1 }, .host_name = "host",
	};

	set_hdr(&hello, RDMABLK_MSG_HELLO, sizeof(hello));
	return hello;
}

static struct rdmablk_msg_open good_open(void)
{
	struct rdmablk_msg_open open = {
		.export = "disk", .access = RDMABLK_ACCESS_RW,
		.nr_queues = htole16(4), .queue_depth = htole32(128),
		.max_io_size = htole32(1 << 20),
	};

	set_hdr(&open, RDMABLK_MSG_OPEN, sizeof(open));
	return open;
}

#define check(msg)	rdmablk_check_request(&(msg), sizeof(msg))

static void headers(void **state)
{
	struct rdmablk_msg_hello msg = good_hello();
	uint8_t large[RDMABLK_MSG_MAX + 1] = { 0 };

	(void)state;
	assert_int_equal(check(msg), 0);
	assert_int_equal(rdmablk_check_request(&msg, 0), -EPROTO);
	assert_int_equal(rdmablk_check_request(&msg, 15), -EPROTO);
	assert_int_equal(rdmablk_check_request(&msg, sizeof(msg) - 1),
			 -EPROTO);
	msg.hdr.length = htole32(sizeof(msg) - 1);
	assert_int_equal(check(msg), -EPROTO);
	msg.hdr.length = htole32(UINT32_MAX);
	assert_int_equal(check(msg), -EPROTO);
	msg = good_hello();
	msg.hdr.status = htole16(1);
	assert_int_equal(check(msg), -EPROTO);

	set_hdr(large, 77, sizeof(large));
	assert_int_equal(rdmablk_check_request(large, sizeof(large)), -EPROTO);
	set_hdr(large, 77, RDMABLK_MSG_MAX);
	assert_int_equal(rdmablk_check_request(large, RDMABLK_MSG_MAX),
			 -EOPNOTSUPP);
}

static void every_wrong_length_is_refused(void **state)
{
	static const struct {
		unsigned int type;
		size_t len;
	} types[] = {
		{ RDMABLK_MSG_HELLO, sizeof(struct rdmablk_msg_hello) },
		{ RDMABLK_MSG_AUTH, sizeof(struct rdmablk_msg_auth) },
		{ RDMABLK_MSG_OPEN, sizeof(struct rdmablk_msg_open) },
		{ RDMABLK_MSG_EXTENTS, sizeof(struct rdmablk_msg_extents) },
		{ RDMABLK_MSG_KEEP_ALIVE, sizeof(struct rdmablk_msg_hdr) },
		{ RDMABLK_MSG_CLOSE, sizeof(struct rdmablk_msg_hdr) },
		{ RDMABLK_MSG_ZERO, sizeof(struct rdmablk_msg_zero) },
		{ RDMABLK_MSG_KEYS, sizeof(struct rdmablk_msg_keys) },
	};
	uint8_t *msg;
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (len = 0; len <= RDMABLK_MSG_MAX; len++) {
			/* As large as said, so that a sanitizer sees beyond. */
			msg = calloc(1, len ? len : 1);
			if (len >= sizeof(struct rdmablk_msg_hdr))
				set_hdr(msg, types[i].type, len);
			if (len != types[i].len)
				assert_int_equal(rdmablk_check_request(msg, len),
						 -EPROTO);
			free(msg);
		}
}

static void unknown_types(void **state)
{
	struct rdmablk_msg_hdr msg = { 0 };
	unsigned int type;

	(void)state;
	for (type = 0; type <= UINT16_MAX; type++) {
		set_hdr(&msg, type, sizeof(msg));
		switch (type) {
		case RDMABLK_MSG_KEEP_ALIVE:
		case RDMABLK_MSG_CLOSE:
			assert_int_equal(check(msg), 0);
			break;
		case RDMABLK_MSG_HELLO:
		case RDMABLK_MSG_AUTH:
		case RDMABLK_MSG_OPEN:
		case RDMABLK_MSG_EXTENTS:
		case RDMABLK_MSG_FLUSH:
		case RDMABLK_MSG_ZERO:
		case RDMABLK_MSG_KEYS:
			assert_int_equal(check(msg), -EPROTO);
			break;
		default:
			assert_int_equal(check(msg), -EOPNOTSUPP);
		}
	}
}

static void hello(void **state)
{
	struct rdmablk_msg_hello msg = good_hello();

	(void)state;
	memset(msg.host_id, 0, sizeof(msg.host_id));
	assert_int_equal(check(msg), -EPROTO);
	msg.host_id[15] = 1;
	assert_int_equal(check(msg), 0);

	memset(msg.host_name, 'a', sizeof(msg.host_name));
	assert_int_equal(check(msg), -EPROTO);
	msg.host_name[RDMABLK_HOST_MAX - 1] = '\0';
	assert_int_equal(check(msg), 0);
	memset(msg.host_name, 0, sizeof(msg.host_name));
	assert_int_equal(check(msg), -EPROTO);
	memcpy(msg.host_name, "a\0b", 3);
	assert_int_equal(check(msg), -EPROTO);
	memcpy(msg.host_name, "a b", 4);
	assert_int_equal(check(msg), -EPROTO);

	msg = good_hello();
	memset(msg.client_id, 'a', sizeof(msg.client_id));
	assert_int_equal(check(msg), -EPROTO);
	msg.client_id[RDMABLK_HOST_MAX - 1] = '\0';
	assert_int_equal(check(msg), 0);
	msg.client_id[0] = '/';
	assert_int_equal(check(msg), -EPROTO);

	/* Features and nonce are free. */
	msg = good_hello();
	msg.features = htole64(UINT64_MAX);
	memset(msg.nonce, 0xff, sizeof(msg.nonce));
	assert_int_equal(check(msg), 0);
}

static void open_names(void **state)
{
	struct rdmablk_msg_open msg = good_open();

	(void)state;
	assert_int_equal(check(msg), 0);
	memset(msg.export, 0, sizeof(msg.export));
	assert_int_equal(check(msg), -EPROTO);
	memset(msg.export, 'x', sizeof(msg.export));
	assert_int_equal(check(msg), -EPROTO);
	msg.export[RDMABLK_NAME_MAX - 1] = '\0';
	assert_int_equal(check(msg), 0);
	msg.export[5] = '/';
	assert_int_equal(check(msg), -EPROTO);
	msg.export[5] = '\n';
	assert_int_equal(check(msg), -EPROTO);
	msg = good_open();
	msg.export[RDMABLK_NAME_MAX - 1] = 'x';
	assert_int_equal(check(msg), -EPROTO);
}

static void open_fields(void **state)
{
	struct rdmablk_msg_open msg = good_open();
	unsigned int i;

	(void)state;
	for (i = 0; i <= UINT8_MAX; i++) {
		msg.access = (uint8_t)i;
		assert_int_equal(check(msg), i == RDMABLK_ACCESS_RO ||
				 i == RDMABLK_ACCESS_RW ? 0 : -EPROTO);
	}
	msg = good_open();
	for (i = 0; i <= UINT8_MAX; i++) {
		msg.flags = (uint8_t)i;
		assert_int_equal(check(msg), i <= RDMABLK_OPEN_FORCE ?
				 0 : -EPROTO);
	}
	msg = good_open();
	msg.keep_alive_ms = htole32(UINT32_MAX);
	msg.life = htole64(UINT64_MAX);
	msg.session_id = htole64(UINT64_MAX);
	assert_int_equal(check(msg), 0);
}

static void open_limits(void **state)
{
	static const struct {
		uint32_t value;
		int queues, depth, max_io;
	} cases[] = {
		{ 0,				-EPROTO, -EPROTO, -EPROTO },
		{ 1,				0, 0, -EPROTO },
		{ RDMABLK_QUEUES_MAX,		0, 0, -EPROTO },
		{ RDMABLK_QUEUES_MAX + 1,	-EPROTO, 0, -EPROTO },
		{ RDMABLK_DEPTH_MAX,		-EPROTO, 0, -EPROTO },
		{ RDMABLK_DEPTH_MAX + 1,	-EPROTO, -EPROTO, -EPROTO },
		{ RDMABLK_MAX_IO_MIN - 1,	-EPROTO, -EPROTO, -EPROTO },
		{ RDMABLK_MAX_IO_MIN,		-EPROTO, -EPROTO, 0 },
		{ UINT32_MAX,			-EPROTO, -EPROTO, 0 },
	};
	struct rdmablk_msg_open msg;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		msg = good_open();
		msg.nr_queues = htole16((uint16_t)cases[i].value);
		/* 65536 and UINT32_MAX do not fit: 0 and 65535 are refused. */
		assert_int_equal(check(msg), cases[i].queues);
		msg = good_open();
		msg.queue_depth = htole32(cases[i].value);
		assert_int_equal(check(msg), cases[i].depth);
		msg = good_open();
		msg.max_io_size = htole32(cases[i].value);
		assert_int_equal(check(msg), cases[i].max_io);
	}
}

static void auth_request(void **state)
{
	const struct rdmablk_msg_auth good = {
		.export = "disk", .access = RDMABLK_ACCESS_RO, .mac = { 0xff },
	};
	struct rdmablk_msg_auth msg = good;
	unsigned int access;

	(void)state;
	for (access = 0; access <= UINT8_MAX; access++) {
		msg.access = (uint8_t)access;
		set_hdr(&msg, RDMABLK_MSG_AUTH, sizeof(msg));
		assert_int_equal(check(msg), access == RDMABLK_ACCESS_RO ||
				 access == RDMABLK_ACCESS_RW ? 0 : -EPROTO);
	}
	msg = good;
	set_hdr(&msg, RDMABLK_MSG_AUTH, sizeof(msg));
	msg.reserved[6] = 1;
	assert_int_equal(check(msg), -EPROTO);
	msg.reserved[6] = 0;
	msg.export[RDMABLK_NAME_MAX - 1] = 'x';
	assert_int_equal(check(msg), -EPROTO);
	memset(msg.export, 'x', sizeof(msg.export));
	assert_int_equal(check(msg), -EPROTO);
	memset(msg.export, 0, sizeof(msg.export));
	assert_int_equal(check(msg), -EPROTO);
}

static void extents_request(void **state)
{
	struct rdmablk_msg_extents msg = { .first = 0 };

	(void)state;
	set_hdr(&msg, RDMABLK_MSG_EXTENTS, sizeof(msg));
	assert_int_equal(check(msg), 0);
	msg.first = htole32(RDMABLK_EXTENTS_MAX - 1);
	assert_int_equal(check(msg), 0);
	msg.first = htole32(RDMABLK_EXTENTS_MAX);
	assert_int_equal(check(msg), -EPROTO);
	msg.first = 0;
	msg.reserved = htole32(1);
	assert_int_equal(check(msg), -EPROTO);
}

static void keys_request(void **state)
{
	struct rdmablk_msg_keys msg = { .first = 0 };

	(void)state;
	set_hdr(&msg, RDMABLK_MSG_KEYS, sizeof(msg));
	assert_int_equal(check(msg), 0);
	msg.hctx = htole16(RDMABLK_QUEUES_MAX - 1);
	msg.first = htole32(RDMABLK_EXTENTS_MAX + RDMABLK_EPOCHS - 1);
	assert_int_equal(check(msg), 0);
	msg.first = htole32(RDMABLK_EXTENTS_MAX + RDMABLK_EPOCHS);
	assert_int_equal(check(msg), -EPROTO);
	msg.first = htole32(UINT32_MAX);
	assert_int_equal(check(msg), -EPROTO);
	msg.first = 0;
	msg.hctx = htole16(RDMABLK_QUEUES_MAX);
	assert_int_equal(check(msg), -EPROTO);
	msg.hctx = 0;
	msg.reserved[1] = 1;
	assert_int_equal(check(msg), -EPROTO);
}

/* ---- Answers --------------------------------------------------------------- */

#define check_reply(msg, type)	rdmablk_check_reply(&(msg), sizeof(msg), type)

static void error_reply(void **state)
{
	struct rdmablk_msg_error msg = { .text = "no" };

	(void)state;
	set_hdr(&msg, RDMABLK_MSG_OPEN | RDMABLK_MSG_REPLY, sizeof(msg));
	msg.hdr.status = htole16(RDMABLK_E_BUSY);
	assert_int_equal(check_reply(msg, RDMABLK_MSG_OPEN), RDMABLK_E_BUSY);
	assert_int_equal(check_reply(msg, RDMABLK_MSG_HELLO), -EPROTO);
	msg.hdr.status = htole16(UINT16_MAX);
	assert_int_equal(check_reply(msg, RDMABLK_MSG_OPEN), UINT16_MAX);
	msg.text[0] = '\n';
	assert_int_equal(check_reply(msg, RDMABLK_MSG_OPEN), -EPROTO);
	memset(msg.text, 'x', sizeof(msg.text));
	assert_int_equal(check_reply(msg, RDMABLK_MSG_OPEN), -EPROTO);
	msg.text[RDMABLK_TEXT_MAX - 1] = '\0';
	assert_int_equal(check_reply(msg, RDMABLK_MSG_OPEN), UINT16_MAX);
	msg.hdr.length = htole32(sizeof(msg) - 1);
	assert_int_equal(rdmablk_check_reply(&msg, sizeof(msg) - 1,
					     RDMABLK_MSG_OPEN), -EPROTO);
}

static void hello_reply(void **state)
{
	struct rdmablk_msg_hello_reply msg = { .target_name = "t" };

	(void)state;
	set_hdr(&msg, RDMABLK_MSG_HELLO | RDMABLK_MSG_REPLY, sizeof(msg));
	assert_int_equal(check_reply(msg, RDMABLK_MSG_HELLO), 0);
	msg.auth_required = 1;
	assert_int_equal(check_reply(msg, RDMABLK_MSG_HELLO), 0);
	msg.auth_required = 2;
	assert_int_equal(check_reply(msg, RDMABLK_MSG_HELLO), -EPROTO);
	msg.auth_required = 0;
	msg.reserved[6] = 1;
	assert_int_equal(check_reply(msg, RDMABLK_MSG_HELLO), -EPROTO);
	msg.reserved[6] = 0;
	msg.reserved0[31] = 1;
	assert_int_equal(check_reply(msg, RDMABLK_MSG_HELLO), -EPROTO);
	msg.reserved0[31] = 0;
	msg.target_name[0] = '\0';
	assert_int_equal(check_reply(msg, RDMABLK_MSG_HELLO), -EPROTO);
	msg.target_name[0] = 't';
	assert_int_equal(rdmablk_check_reply(&msg, 16, RDMABLK_MSG_HELLO),
			 -EPROTO);
}

static void auth_reply(void **state)
{
	struct rdmablk_msg_auth_reply msg = { .mac = { 1 } };

	(void)state;
	set_hdr(&msg, RDMABLK_MSG_AUTH | RDMABLK_MSG_REPLY, sizeof(msg));
	assert_int_equal(check_reply(msg, RDMABLK_MSG_AUTH), 0);
	set_hdr(&msg, RDMABLK_MSG_AUTH | RDMABLK_MSG_REPLY, 47);
	assert_int_equal(rdmablk_check_reply(&msg, 47, RDMABLK_MSG_AUTH),
			 -EPROTO);
	set_hdr(&msg, RDMABLK_MSG_AUTH | RDMABLK_MSG_REPLY, sizeof(msg.hdr));
	assert_int_equal(rdmablk_check_reply(&msg, sizeof(msg.hdr),
					     RDMABLK_MSG_AUTH), -EPROTO);
}

static void plain_reply(void **state)
{
	struct rdmablk_msg_hdr msg = { 0 };

	(void)state;
	set_hdr(&msg, RDMABLK_MSG_CLOSE | RDMABLK_MSG_REPLY, sizeof(msg));
	assert_int_equal(check_reply(msg, RDMABLK_MSG_CLOSE), 0);
	assert_int_equal(check_reply(msg, RDMABLK_MSG_KEEP_ALIVE), -EPROTO);
	set_hdr(&msg, RDMABLK_MSG_CLOSE, sizeof(msg));
	assert_int_equal(check_reply(msg, RDMABLK_MSG_CLOSE), -EPROTO);
}

static void event(void **state)
{
	struct rdmablk_msg_event good = {
		.code = htole32(RDMABLK_E_FENCED), .text = "fenced",
	}, msg;

	(void)state;
	set_hdr(&good, RDMABLK_MSG_EVENT, sizeof(good));
	good.hdr.tag = 0;
#define check_event()	rdmablk_check_event(&msg, sizeof(msg))
	msg = good;
	assert_int_equal(check_event(), 0);
	assert_int_equal(rdmablk_check_event(&msg, sizeof(msg) - 1), -EPROTO);
	msg.hdr.tag = 1;
	assert_int_equal(check_event(), -EPROTO);
	msg = good;
	msg.hdr.status = 1;
	assert_int_equal(check_event(), -EPROTO);
	msg = good;
	msg.reserved = 1;
	assert_int_equal(check_event(), -EPROTO);
	msg = good;
	msg.hdr.type = htole16(RDMABLK_MSG_EVENT | RDMABLK_MSG_REPLY);
	assert_int_equal(check_event(), -EPROTO);
	msg = good;
	msg.text[191] = 'x';
	assert_int_equal(check_event(), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_status_has_words),
		TEST(names),
		TEST(texts),
		TEST(cm_req),
		TEST(cm_req_data),
		TEST(cm_req_versions),
		TEST(cm_rep),
		TEST(cm_rej),
		TEST(headers),
		TEST(every_wrong_length_is_refused),
		TEST(unknown_types),
		TEST(hello),
		TEST(open_names),
		TEST(open_fields),
		TEST(open_limits),
		TEST(auth_request),
		TEST(extents_request),
		TEST(keys_request),
		TEST(error_reply),
		TEST(hello_reply),
		TEST(auth_reply),
		TEST(plain_reply),
		TEST(event),
	};

	return cmocka_run_group_tests_name("proto", tests, NULL, NULL);
}
