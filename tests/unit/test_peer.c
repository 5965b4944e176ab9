// SPDX-License-Identifier: GPL-2.0
/*
 * What one host may use up (target/peer.c).
 */
#include "test.h"

#include "clock.h"
#include "config.h"
#include "peer.h"

#define NOW	((uint64_t)1000 * USEC_PER_SEC)

static struct config config;
static struct daemon daemon_;

static int begin(void **state)
{
	(void)state;
	config_init(&config);
	daemon_init(&daemon_, &config);
	return 0;
}

static int end(void **state)
{
	(void)state;
	peer_free_all(&daemon_);
	return daemon_.nr_idle_peers || daemon_.nr_half_open ? -1 : 0;
}

static struct peer *host(uint32_t number, uint16_t port)
{
	const union addr addr = { .in = {
		.sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(0x0a000000 + number),
	} };
	struct peer *peer = peer_find(&daemon_, &addr);

	assert_non_null(peer);
	return peer;
}

static void leave(struct peer *peer, unsigned int sessions)
{
	while (sessions--) {
		peer_session_opened(peer);
		peer_session_gone(peer);
	}
}

static void by_address(void **state)
{
	(void)state;
	assert_ptr_equal(host(1, 7), host(1, 8));
	assert_ptr_not_equal(host(1, 7), host(2, 7));
	assert_string_equal(host(1, 7)->text, "10.0.0.1");
}

static void half_open(void **state)
{
	struct peer *peer = host(1, 1);
	unsigned int n;

	(void)state;
	for (n = 0; !peer_no_room(peer); n++)
		peer_add_session(peer);
	assert_int_equal(n, 256);
	assert_contains(peer_no_room(peer), "have not opened");
	assert_null(peer_no_room(host(2, 1)));
	peer_session_opened(peer);
	assert_null(peer_no_room(peer));
	peer_session_gone(peer);
	leave(peer, n - 1);
}

static void sessions(void **state)
{
	struct peer *peer = host(1, 1);

	(void)state;
	config.max_sessions_per_client = 1;
	peer_add_session(peer);
	peer_session_opened(peer);
	assert_contains(peer_no_room(peer), "sessions from there");
	assert_null(peer_no_room(host(2, 1)));
	daemon_.nr_sessions = config.max_sessions;
	assert_contains(peer_no_room(host(2, 1)), "too many sessions");
	peer_session_gone(peer);
}

/* Who never opens an export keeps nobody out, however few may be there. */
static void half_open_make_room(void **state)
{
	struct peer *peer = host(1, 1);

	(void)state;
	config.max_sessions = 2;
	assert_false(peer_is_full(&daemon_));
	peer_add_session(peer);
	daemon_.nr_sessions = 1;
	assert_false(peer_is_full(&daemon_));
	peer_add_session(peer);
	daemon_.nr_sessions = 2;
	assert_true(peer_is_full(&daemon_));
	assert_null(peer_no_room(host(2, 1)));
	peer_session_opened(peer);
	assert_null(peer_no_room(host(2, 1)));
	peer_session_opened(peer);
	assert_contains(peer_no_room(host(2, 1)), "too many sessions");
	peer_session_gone(peer);
	peer_session_gone(peer);
}

static void the_greediest(void **state)
{
	struct peer *a = host(1, 1), *b = host(2, 1);

	(void)state;
	assert_null(peer_greediest(&daemon_));
	peer_add_session(a);
	assert_ptr_equal(peer_greediest(&daemon_), a);
	peer_add_session(b);
	peer_add_session(b);
	assert_ptr_equal(peer_greediest(&daemon_), b);
	assert_int_equal(daemon_.nr_half_open, 3);
	leave(a, 1);
	leave(b, 2);
}

static void few_are_remembered(void **state)
{
	struct peer *busy = host(0, 1), *peer;
	unsigned int n = 0;

	(void)state;
	peer_add_session(busy);
	for (n = 1; n < 5000; n++)
		host(n, 1);
	assert_true(daemon_.nr_idle_peers <= 256);
	n = 0;
	TAILQ_FOREACH(peer, &daemon_.peers, entry)
		n++;
	assert_int_equal(n, daemon_.nr_idle_peers + 1);
	assert_ptr_equal(host(0, 1), busy);
	leave(busy, 1);
}

/* A second's worth at once, then so many a second. */
static void messages(void **state)
{
	struct peer *peer = host(1, 1);
	unsigned int n = 0;
	uint64_t later = 0;

	(void)state;
	config.max_messages = 100;
	while (!(later = peer_turn(peer, NOW)))
		n++;
	assert_int_equal(n, 100);
	assert_int_equal(later, NOW + USEC_PER_SEC / 100);
	assert_true(peer_turn(peer, later - 1));
	assert_false(peer_turn(peer, later));
	assert_true(peer_turn(peer, later));
	assert_false(peer_turn(host(2, 1), NOW));
	/* What was not used is not saved up beyond a second. */
	for (n = 0; !peer_turn(peer, NOW + 60 * USEC_PER_SEC); n++)
		;
	assert_int_equal(n, 100);
}

static void lines(void **state)
{
	struct peer *a = host(1, 1), *b = host(2, 1);
	int i;

	(void)state;
	for (i = 0; i < 50; i++)
		peer_log(a, LOG_NOTICE, "%s: knock", a->text);
	assert_int_equal(a->log.printed, 10);
	assert_int_equal(a->log.suppressed, 40);
	peer_log(b, LOG_NOTICE, "%s: knock", b->text);
	assert_int_equal(b->log.printed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(by_address), TEST(half_open), TEST(sessions),
		TEST(half_open_make_room), TEST(the_greediest),
		TEST(few_are_remembered), TEST(messages), TEST(lines),
	};
	struct CMUnitTest each[sizeof(tests) / sizeof(tests[0])];
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		each[i] = tests[i];
		each[i].setup_func = begin;
		each[i].teardown_func = end;
	}
	return cmocka_run_group_tests(each, NULL, NULL);
}
