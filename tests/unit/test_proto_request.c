// SPDX-License-Identifier: GPL-2.0
/*
 * What the target validates (kmod/proto_request.c): every request, every field at
 * the edge of what is allowed. test_proto_flush.c has FLUSH and ZERO.
 */
#include "test.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>

#include "fixture_message.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
	};

	return cmocka_run_group_tests_name("proto_request", tests, NULL, NULL);
}
