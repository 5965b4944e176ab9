// SPDX-License-Identifier: GPL-2.0
/*
 * When a session ends, and what is left of it (target/session.c), without a card. Times
 * are real: what is waited for comes, but nobody knows how late.
 */
#include "test.h"

#include <errno.h>
#include <unistd.h>

#include "clock.h"
#include "config.h"
#include "export.h"
#include "grant.h"
#include "peer.h"
#include "place.h"
#include "session.h"
#include "timer.h"
#include "../fixtures/talker.h"

#define KEEP_ALIVE_MS	800U

static struct config config;
static struct daemon daemon_;
static struct device device;
static struct export export;
static struct talker talker;
static struct session *session;

/* ---- A session that is open ---------------------------------------------- */

static unsigned int saved;
static int save_err;

static int save(struct store *store, struct reason *why)
{
	(void)store;
	saved++;
	return save_err ? reason_set(why, save_err, "no space") : 0;
}

static const struct store_ops store_ops = { .save = save };

static int begin(void **state)
{
	(void)state;
	config_init(&config);
	daemon_init(&daemon_, &config);
	talker = (struct talker){ .heard = NULL };
	device = (struct device){ .daemon = &daemon_ };
	export = (struct export){
		.daemon = &daemon_, .state = EXPORT_READY,
		.store = {
			.ops = &store_ops,
			.identity.holder.keep_alive_ms = KEEP_ALIVE_MS,
		},
	};
	saved = 0;
	save_err = 0;
	TAILQ_INIT(&export.claims);
	TAILQ_INIT(&export.places);
	TAILQ_INIT(&export.watches);
	if (sd_event_new(&daemon_.event) < 0 ||
	    talker_connect(&talker, &device, 0x0a000001))
		return -1;
	session = TAILQ_FIRST(&daemon_.sessions);
	session->keep_alive_ms = KEEP_ALIVE_MS;
	session_hold(session, &export);
	return 0;
}

static int end(void **state)
{
	(void)state;
	if (!TAILQ_EMPTY(&daemon_.sessions))
		session_drop(session, "the test is over");
	while (sd_event_run(daemon_.event, 0) > 0)
		;
	peer_free_all(&daemon_);
	sd_event_unref(daemon_.event);
	return daemon_.nr_sessions ? -1 : 0;
}

static bool is_open(void)
{
	return !TAILQ_EMPTY(&export.claims);
}

static void hear(void)
{
	const struct rdmablk_msg_hdr msg = {
		.type = htole16(RDMABLK_MSG_KEEP_ALIVE),
		.length = htole32(sizeof(msg)),
	};

	talker_say(&talker, &msg, sizeof(msg));
}

/* Until it has ended; then it has been silent for so long, at least. */
static void ends_after(uint64_t since_us)
{
	while (is_open())
		assert_true(sd_event_run(daemon_.event, 10 * USEC_PER_SEC) > 0);
	assert_true(clock_now_us() - since_us >= KEEP_ALIVE_MS * USEC_PER_MSEC);
}

/* ---- Tests --------------------------------------------------------------- */

static void silent_session_ends(void **state)
{
	uint64_t since = clock_now_us();

	(void)state;
	hear();
	ends_after(since);
}

/* A message that arrives while the process is stopped is looked at afterwards. */
static void stopped_process_looks_at_messages(void **state)
{
	uint64_t since;

	(void)state;
	usleep((KEEP_ALIVE_MS + 600) * 1000);
	while (sd_event_run(daemon_.event, 0) > 0)
		;
	assert_true(is_open());
	since = clock_now_us();
	hear();
	ends_after(since);
}

static void stopped_process_finds_silence(void **state)
{
	uint64_t since = clock_now_us();

	(void)state;
	usleep((KEEP_ALIVE_MS + 600) * 1000);
	ends_after(since);
}

/* Nor does it end a handshake whose messages it has not looked at. */
static void stopped_process_looks_at_handshakes(void **state)
{
	struct talker other = { .heard = NULL };
	struct session *half_open;

	(void)state;
	assert_int_equal(talker_connect(&other, &device, 0x0a000002), 0);
	half_open = TAILQ_NEXT(session, entry);
	timer_set(half_open->timer, clock_now_us() - USEC_PER_SEC);
	while (sd_event_run(daemon_.event, 0) > 0)
		;
	assert_int_equal(half_open->state, SESSION_CONNECTED);
	while (TAILQ_NEXT(session, entry))
		assert_true(sd_event_run(daemon_.event, 10 * USEC_PER_SEC) > 0);
}

static void writer_that_ends_is_forgotten(void **state)
{
	(void)state;
	session_drop(session, "the test says so");
	assert_int_equal(saved, 1);
	assert_int_equal(export.store.identity.holder.keep_alive_ms, 0);
}

static void writer_is_remembered_when_the_daemon_ends(void **state)
{
	(void)state;
	daemon_.stopping = true;
	session_farewell(session, 0, "");
	assert_int_equal(saved, 0);
	assert_int_not_equal(export.store.identity.holder.keep_alive_ms, 0);
}

/* It may end while it does. */
static void writer_is_remembered_in_a_resize(void **state)
{
	(void)state;
	export.state = EXPORT_RESIZING;
	session_suspend_all(&export, "the test says so");
	assert_int_equal(saved, 0);
	assert_int_not_equal(export.store.identity.holder.keep_alive_ms, 0);
	place_drop_all(&export.places);
}

/* Whose session cannot be noted has not written: who had it before may come back. */
static void writer_that_gets_nothing_did_not_write(void **state)
{
	const struct identity before = export.store.identity;
	const struct rdmablk_msg_open open = { .nr_queues = htole16(1) };
	struct region region = { .device = &device };
	struct talker other = { .heard = NULL };
	struct session *unlucky;

	(void)state;
	device.attr.max_qp = 16;
	assert_int_equal(talker_connect(&other, &device, 0x0a000002), 0);
	unlucky = TAILQ_NEXT(session, entry);
	unlucky->claim.write = true;
	unlucky->region = &region;
	save_err = -ENOSPC;
	grant_session(unlucky, &export, &open);
	assert_int_equal(saved, 1);
	assert_null(unlucky->export);
	assert_memory_equal(&export.store.identity, &before, sizeof(before));
	session_end(unlucky);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(silent_session_ends, begin, end),
		cmocka_unit_test_setup_teardown(stopped_process_looks_at_messages,
						begin, end),
		cmocka_unit_test_setup_teardown(stopped_process_finds_silence,
						begin, end),
		cmocka_unit_test_setup_teardown(stopped_process_looks_at_handshakes,
						begin, end),
		cmocka_unit_test_setup_teardown(writer_that_ends_is_forgotten,
						begin, end),
		cmocka_unit_test_setup_teardown(
			writer_is_remembered_when_the_daemon_ends, begin, end),
		cmocka_unit_test_setup_teardown(writer_is_remembered_in_a_resize,
						begin, end),
		cmocka_unit_test_setup_teardown(
			writer_that_gets_nothing_did_not_write, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
