// SPDX-License-Identifier: GPL-2.0
/*
 * Places that are kept for sessions which the target has ended (target/place.c).
 */
#include "test.h"

#include "fixture_file.h"
#include "place.h"

#define WRITER	1
#define READER	2
#define STANDBY	3

static struct identity identity;
static struct claim_rules rules;
static struct claim_list places;

static int setup(void **state)
{
	(void)state;
	identity = (struct identity){ .era = 1 };
	rules = (struct claim_rules){ .identity = &identity };
	TAILQ_INIT(&places);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	place_drop_all(&places);
	assert_true(TAILQ_EMPTY(&places));
	return 0;
}

/* Of a session: 10 is the first of host 1. */
static struct claim make(uint8_t host, bool write, uint64_t origin)
{
	return (struct claim){
		.host_id = { host }, .write = write, .origin = origin,
		.session_id = host * 10U + !!origin, .life = 7,
	};
}

static void keep(uint8_t host, bool write)
{
	struct claim claim = make(host, write, 0);

	place_keep(&places, &claim, 100);
}

/* Who is in the way; zero: nobody. */
static uint64_t holder(const struct claim *new, bool force, uint64_t now)
{
	const struct claim *claim = place_admit(&places, new, &rules, force,
						now);

	return claim ? claim->session_id : 0;
}

static void a_standby_is_not_faster(void **state)
{
	struct claim standby = make(STANDBY, true, 0);
	struct claim back = make(WRITER, true, 10);
	struct claim again = make(WRITER, true, 0);

	(void)state;
	keep(WRITER, true);
	assert_int_equal(holder(&standby, false, 1000000), 10);
	place_begin(&places, 1000);
	assert_int_equal(holder(&standby, false, 1099), 10);
	/* Nor is a new attach of the same host. */
	assert_int_equal(holder(&again, false, 1099), 10);
	assert_int_equal(holder(&back, false, 1099), 0);
	assert_true(TAILQ_EMPTY(&places));
}

static void it_is_not_kept_for_ever(void **state)
{
	struct claim standby = make(STANDBY, true, 0);

	(void)state;
	keep(WRITER, true);
	place_begin(&places, 1000);
	assert_int_equal(holder(&standby, false, 1099), 10);
	/* What was kept before does not begin again. */
	place_begin(&places, 1050);
	assert_int_equal(holder(&standby, false, 1100), 0);
	assert_true(TAILQ_EMPTY(&places));
}

static void force_takes_it(void **state)
{
	struct claim standby = make(STANDBY, true, 0);

	(void)state;
	keep(WRITER, true);
	assert_int_equal(holder(&standby, true, 0), 0);
	assert_true(TAILQ_EMPTY(&places));
}

static void readers_have_places(void **state)
{
	struct claim standby = make(STANDBY, true, 0);
	struct claim other = make(STANDBY, false, 0);
	struct claim back = make(READER, false, 20);

	(void)state;
	keep(READER, false);
	assert_int_equal(holder(&standby, false, 0), 20);
	assert_int_equal(holder(&other, false, 0), 0);
	/* Beside writers they need none. */
	rules.shared_read = true;
	assert_int_equal(holder(&standby, false, 0), 0);
	rules.shared_read = false;
	assert_int_equal(holder(&back, false, 0), 0);
	assert_true(TAILQ_EMPTY(&places));
}

static void a_host_that_crashed_needs_none(void **state)
{
	struct claim back = make(WRITER, true, 0);

	(void)state;
	keep(WRITER, true);
	back.life = 8;
	assert_int_equal(holder(&back, false, 0), 0);
	assert_true(TAILQ_EMPTY(&places));
}

/* Who is refused because of one has lost no other. */
static void each_has_its_own(void **state)
{
	struct claim back = make(WRITER, true, 10);

	(void)state;
	rules.shared_read = true;
	keep(WRITER, true);
	keep(READER, false);
	assert_int_equal(holder(&back, false, 0), 0);
	assert_int_equal(TAILQ_FIRST(&places)->session_id, 20);
}

/* The writer of a daemon before, of the host that make() calls WRITER. */
static void restore(uint64_t now)
{
	struct claim claim = make(WRITER, true, 5);

	claim_note_writer(&identity, &claim, 2000);
	place_restore(&places, &identity, now);
}

static void of_a_daemon_before(void **state)
{
	const uint64_t end = 1000 + PLACE_RETURN_US + 2 * USEC_PER_SEC;
	struct claim standby = make(STANDBY, true, 0);
	struct claim reader = make(STANDBY, false, 0);
	struct claim back = make(WRITER, true, 11);
	struct claim again = make(WRITER, true, 0);

	(void)state;
	restore(1000);
	assert_true(place_is_restored(TAILQ_FIRST(&places)));
	assert_int_equal(holder(&standby, false, end - 1), 11);
	assert_int_equal(holder(&reader, false, end - 1), 11);
	assert_int_equal(holder(&back, false, end - 1), 0);
	assert_true(TAILQ_EMPTY(&places));
	/* It has detached while the daemon was away, and attaches anew. */
	restore(1000);
	assert_int_equal(holder(&again, false, 1000), 0);
	assert_true(TAILQ_EMPTY(&places));

	restore(1000);
	assert_int_equal(holder(&standby, false, end), 0);
	restore(1000);
	assert_int_equal(holder(&standby, true, 1000), 0);
	assert_true(TAILQ_EMPTY(&places));
}

static void of_a_daemon_that_nobody_wrote_to(void **state)
{
	struct claim claim = make(WRITER, true, 0);

	(void)state;
	place_restore(&places, &identity, 1000);
	assert_true(TAILQ_EMPTY(&places));
	claim_note_writer(&identity, &claim, 2000);
	assert_true(claim_forget_holder(&identity, &claim));
	place_restore(&places, &identity, 1000);
	assert_true(TAILQ_EMPTY(&places));
}

#define KEY	"YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="

static void of_a_client_without_access(void **state)
{
	struct claim claim = make(WRITER, true, 0);
	struct access access = { .restricted = false };
	struct keyring *keyring = NULL;
	struct reason why;

	(void)state;
	/* Nobody's, and who needs a key has none. */
	assert_true(place_is_void(&claim, &access, NULL, false));
	assert_false(place_is_void(&claim, &access, NULL, true));
	strcpy(claim.client, "db1");
	assert_true(place_is_void(&claim, &access, NULL, true));

	assert_int_equal(make_file(NULL), 0);
	write_file("db1:" KEY "\n", sizeof("db1:" KEY));
	assert_int_equal(keyring_load(&keyring, path, &why), 0);
	unlink(path);
	assert_false(place_is_void(&claim, &access, keyring, false));
	assert_int_equal(access_add(&access, "db2 db1:rw@10.0.0.0/8", &why), 0);
	claim.peer.in = (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001),
	};
	assert_false(place_is_void(&claim, &access, keyring, false));
	claim.peer.in.sin_addr.s_addr = htonl(0x0b000001);
	assert_true(place_is_void(&claim, &access, keyring, false));
	access = (struct access){ .restricted = false };
	assert_int_equal(access_add(&access, "db1:ro", &why), 0);
	assert_true(place_is_void(&claim, &access, keyring, false));
	claim.write = false;
	assert_false(place_is_void(&claim, &access, keyring, false));
	strcpy(claim.client, "db2");
	assert_true(place_is_void(&claim, &access, keyring, false));
	keyring_free(keyring);
}

/* Whoever it was, it may be at an address that the rules admit. */
static void of_a_daemon_before_without_access(void **state)
{
	struct access access = { .restricted = true };

	(void)state;
	restore(1000);
	assert_false(place_is_void(TAILQ_FIRST(&places), &access, NULL, true));
	assert_true(place_is_void(TAILQ_FIRST(&places), &access, NULL, false));
}

#define PLACE_TEST(function) \
	cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACE_TEST(a_standby_is_not_faster),
		PLACE_TEST(it_is_not_kept_for_ever),
		PLACE_TEST(force_takes_it),
		PLACE_TEST(readers_have_places),
		PLACE_TEST(a_host_that_crashed_needs_none),
		PLACE_TEST(each_has_its_own),
		PLACE_TEST(of_a_daemon_before),
		PLACE_TEST(of_a_daemon_that_nobody_wrote_to),
		PLACE_TEST(of_a_client_without_access),
		PLACE_TEST(of_a_daemon_before_without_access),
	};

	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
