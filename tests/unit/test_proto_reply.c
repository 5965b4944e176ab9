// SPDX-License-Identifier: GPL-2.0
/*
 * What the client validates of answers and events (kmod/proto_reply.c): every field
 * at the edge of what is allowed. test_proto_grant.c has what is granted.
 */
#include "test.h"

#include <endian.h>
#include <errno.h>

#include "fixture_message.h"

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

static void features(void **state)
{
	struct rdmablk_msg_hello_reply reply = { .features = 0 };
	struct rdmablk_msg_hello hello = { .features = 0 };

	(void)state;
	assert_int_equal(rdmablk_check_features(&reply, &hello), 0);
	reply.features = htole64(1);
	assert_int_equal(rdmablk_check_features(&reply, &hello), -EPROTO);
	hello.features = htole64(UINT64_MAX - 1);
	assert_int_equal(rdmablk_check_features(&reply, &hello), -EPROTO);
	hello.features = htole64(1);
	assert_int_equal(rdmablk_check_features(&reply, &hello), 0);
	reply.features = htole64((uint64_t)1 << 63);
	assert_int_equal(rdmablk_check_features(&reply, &hello), -EPROTO);
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

/* What is in them is for those who know what was asked. */
static void tables_reply(void **state)
{
	static const unsigned int types[] = {
		RDMABLK_MSG_EXTENTS, RDMABLK_MSG_KEYS,
	};
	uint8_t msg[RDMABLK_MSG_MAX] = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		set_hdr(msg, types[i] | RDMABLK_MSG_REPLY, 24);
		assert_int_equal(rdmablk_check_reply(msg, 24, types[i]),
				 -EPROTO);
		set_hdr(msg, types[i] | RDMABLK_MSG_REPLY, 25);
		assert_int_equal(rdmablk_check_reply(msg, 25, types[i]), 0);
		set_hdr(msg, types[i] | RDMABLK_MSG_REPLY, sizeof(msg));
		assert_int_equal(rdmablk_check_reply(msg, sizeof(msg),
						     types[i]), 0);
	}
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
		TEST(error_reply),
		TEST(hello_reply),
		TEST(features),
		TEST(auth_reply),
		TEST(tables_reply),
		TEST(plain_reply),
		TEST(event),
	};

	return cmocka_run_group_tests_name("proto_reply", tests, NULL, NULL);
}
