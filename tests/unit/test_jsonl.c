// SPDX-License-Identifier: GPL-2.0
/*
 * JSON lines over a socket (userspace/lib/jsonl.c).
 */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cleanup.h"
#include "jsonl.h"

#define LIMIT	64

static int peer;		/* the other end: writes and reads bytes */
static struct jsonl jsonl;

static int setup(void **state)
{
	int fds[2];

	(void)state;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds))
		return -1;
	peer = fds[0];
	jsonl_init(&jsonl, fds[1], LIMIT);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close(jsonl.fd);
	jsonl_free(&jsonl);
	if (peer >= 0)
		close(peer);
	return 0;
}

static void put(const char *bytes)
{
	assert_int_equal(write(peer, bytes, strlen(bytes)), strlen(bytes));
}

/* Reads until there is an object or something else. */
static int get(char *text, size_t size)
{
	CLEANUP_JSON struct json_object *object = NULL;
	int err = jsonl_recv(&jsonl, &object);

	if (!err)
		snprintf(text, size, "%s", json_object_to_json_string_ext(
			 object, JSON_C_TO_STRING_PLAIN));
	return err;
}

static void lines_in_pieces(void **state)
{
	char text[LIMIT];

	(void)state;
	assert_int_equal(get(text, sizeof(text)), -EAGAIN);
	put("{\"a\":");
	assert_int_equal(get(text, sizeof(text)), -EAGAIN);
	put("1}\n{\"b\":2}\n{\"c\"");
	assert_int_equal(get(text, sizeof(text)), 0);
	assert_string_equal(text, "{\"a\":1}");
	assert_int_equal(get(text, sizeof(text)), 0);
	assert_string_equal(text, "{\"b\":2}");
	assert_int_equal(get(text, sizeof(text)), -EAGAIN);
	put(":3}\n");
	assert_int_equal(get(text, sizeof(text)), 0);
	assert_string_equal(text, "{\"c\":3}");
	close(peer);
	peer = -1;
	assert_int_equal(get(text, sizeof(text)), -ENODATA);
}

static void what_is_no_object(void **state)
{
	static const char * const bad[] = {
		"\n", "1\n", "[]\n", "null\n", "\"a\"\n", "{\n", "{}}\n",
		"{} {}\n", "{\"a\":\"\xff\"}\n", "hello\n",
		"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}\n",
	};
	char text[LIMIT];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		put(bad[i]);
		assert_int_equal(get(text, sizeof(text)), -EBADMSG);
	}
	put("{}\n");	/* and the connection goes on */
	assert_int_equal(get(text, sizeof(text)), 0);
}

static void nul_bytes(void **state)
{
	char text[LIMIT];

	(void)state;
	assert_int_equal(write(peer, "{}\0{}\n", 6), 6);
	assert_int_equal(get(text, sizeof(text)), -EBADMSG);
}

static void lines_at_the_limit(void **state)
{
	char line[LIMIT + 1], text[LIMIT];

	(void)state;
	memset(line, ' ', sizeof(line));
	line[0] = '{';
	line[LIMIT - 2] = '}';
	line[LIMIT - 1] = '\n';
	line[LIMIT] = '\0';
	put(line);
	assert_int_equal(get(text, sizeof(text)), 0);
	line[LIMIT - 1] = ' ';
	put(line);
	assert_int_equal(get(text, sizeof(text)), -EMSGSIZE);
}

static void what_the_peer_does_not_read(void **state)
{
	CLEANUP_JSON struct json_object *object = json_object_new_object();
	char *large = malloc(1 << 20), buffer[65536];
	size_t sent = 0;
	ssize_t got;
	int err;

	(void)state;
	memset(large, 'x', (1 << 20) - 1);
	large[(1 << 20) - 1] = '\0';
	json_object_object_add(object, "x", json_object_new_string(large));
	free(large);

	assert_int_equal(jsonl_send(&jsonl, object), -EAGAIN);
	while (!(err = jsonl_queue(&jsonl, object)))
		sent++;
	assert_int_equal(err, -ENOBUFS);
	assert_true(jsonl.out_len <= JSONL_ANSWER_MAX);
	assert_true(sent >= 14);
	while (jsonl.out_len) {
		got = read(peer, buffer, sizeof(buffer));
		assert_true(got > 0);
		err = jsonl_flush(&jsonl);
		assert_true(!err || err == -EAGAIN);
	}
}

static void a_peer_that_is_gone(void **state)
{
	CLEANUP_JSON struct json_object *object = json_object_new_object();

	(void)state;
	close(peer);
	peer = -1;
	assert_int_equal(jsonl_send(&jsonl, object), -EPIPE);
}

#define SOCKET_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SOCKET_TEST(lines_in_pieces),
		SOCKET_TEST(what_is_no_object),
		SOCKET_TEST(nul_bytes),
		SOCKET_TEST(lines_at_the_limit),
		SOCKET_TEST(what_the_peer_does_not_read),
		SOCKET_TEST(a_peer_that_is_gone),
	};

	return cmocka_run_group_tests_name("jsonl", tests, NULL, NULL);
}
