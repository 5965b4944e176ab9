// SPDX-License-Identifier: GPL-2.0
/*
 * Who may have an export open beside whom (target/claim.c).
 */
#include "test.h"

#include "claim.h"

static struct identity identity;
static struct claim_rules rules;
static struct claim_list list;
static uint64_t counter;

static int setup(void **state)
{
	(void)state;
	identity = (struct identity){ .era = 1 };
	rules = (struct claim_rules){ .identity = &identity };
	TAILQ_INIT(&list);
	return 0;
}

static struct claim make(uint8_t host, bool write, uint64_t origin)
{
	return (struct claim){
		.host_id = { host }, .write = write, .origin = origin,
	};
}

/* What the daemon does when a claim is granted. */
static void grant(struct claim *claim)
{
	if (claim->write)
		identity.era++;
	claim->session_id = claim_new_id(identity.era, ++counter << 32);
	if (claim->write)
		claim_note_writer(&identity, claim, 1000);
	TAILQ_INSERT_TAIL(&list, claim, entry);
}

static void end(struct claim *claim)
{
	TAILQ_REMOVE(&list, claim, entry);
}

static bool blocked(const struct claim *claim)
{
	return claim_conflict(&list, claim, &rules);
}

static void one_writer(void **state)
{
	struct claim w = make(1, true, 0), other = make(2, true, 0);
	struct claim again = make(1, true, 0);

	(void)state;
	assert_false(blocked(&w));
	grant(&w);
	assert_ptr_equal(claim_conflict(&list, &other, &rules), &w);
	assert_ptr_equal(claim_conflict(&list, &again, &rules), &w);
	end(&w);
	assert_false(blocked(&other));
}

static void readers(void **state)
{
	struct claim a = make(1, false, 0), b = make(2, false, 0);
	struct claim w = make(3, true, 0), w2 = make(4, true, 0);

	(void)state;
	grant(&a);
	assert_false(blocked(&b));
	grant(&b);
	assert_true(blocked(&w));
	rules.shared_read = true;
	assert_false(blocked(&w));
	grant(&w);
	assert_true(blocked(&w2));
	end(&a);
	assert_false(blocked(&a));
	rules.shared_read = false;
	assert_true(blocked(&a));
}

static void recovery_replaces(void **state)
{
	struct claim w = make(1, true, 0), again, thief;

	(void)state;
	grant(&w);
	again = make(1, true, w.session_id);
	assert_ptr_equal(claim_predecessor(&list, &again), &w);
	assert_false(blocked(&again));
	/* Knowing the number is not enough. */
	thief = make(2, true, w.session_id);
	assert_null(claim_predecessor(&list, &thief));
	assert_true(blocked(&thief));
	/* Nor is the id of its host: that takes its key. */
	thief = make(1, true, w.session_id);
	strcpy(thief.client, "db2");
	assert_null(claim_predecessor(&list, &thief));
	assert_true(blocked(&thief));
	/* A host of its own that names nothing is in its own way. */
	thief = make(1, true, 0);
	assert_null(claim_predecessor(&list, &thief));
	assert_true(blocked(&thief));
}

static void a_host_that_crashed(void **state)
{
	struct claim w = make(1, true, 0), other = make(2, true, 0);
	struct claim back = make(1, true, 0), silent = make(1, true, 0);

	(void)state;
	w.life = 10;
	other.life = 11;
	back.life = 11;
	grant(&w);
	/* It knows better what it has than by its name alone. */
	assert_null(claim_left_behind(&list, &silent));
	assert_null(claim_left_behind(&list, &other));
	assert_ptr_equal(claim_left_behind(&list, &back), &w);
	end(&w);
	assert_null(claim_left_behind(&list, &back));
	grant(&back);
	assert_null(claim_left_behind(&list, &back));
	/* Nor is one left behind that never said so. */
	end(&back);
	grant(&silent);
	assert_null(claim_left_behind(&list, &back));
}

static void a_lost_grant(void **state)
{
	struct claim w = make(1, true, 0), second, third;

	(void)state;
	grant(&w);
	second = make(1, true, w.session_id);
	end(&w);
	grant(&second);
	/* The client never heard of the second, and names the first. */
	third = make(1, true, w.session_id);
	assert_ptr_equal(claim_predecessor(&list, &third), &second);
	assert_false(blocked(&third));
	/* The same when the second has timed out meanwhile. */
	end(&second);
	assert_null(claim_predecessor(&list, &third));
	assert_false(claim_outdated(&third, &rules));
	/* And when the client did hear of it. */
	third = make(1, true, second.session_id);
	assert_false(claim_outdated(&third, &rules));
}

static void a_writer_that_is_late(void **state)
{
	struct claim w = make(1, true, 0), back, other = make(2, true, 0);

	(void)state;
	grant(&w);
	end(&w);
	back = make(1, true, w.session_id);
	assert_false(claim_outdated(&back, &rules));
	grant(&other);
	end(&other);
	assert_true(claim_outdated(&back, &rules));
}

static void a_reader_that_is_late(void **state)
{
	struct claim r = make(1, false, 0), back, w = make(2, true, 0);

	(void)state;
	grant(&r);
	end(&r);
	back = make(1, false, r.session_id);
	assert_false(claim_outdated(&back, &rules));
	grant(&w);
	assert_true(claim_outdated(&back, &rules));
	end(&w);
	assert_true(claim_outdated(&back, &rules));
	/* Who reads beside a writer expects changes. */
	rules.shared_read = true;
	assert_false(claim_outdated(&back, &rules));
}

/* A reader was there between a writer's death and its return. */
static void a_reader_in_between(void **state)
{
	struct claim w = make(1, true, 0), r = make(2, false, 0), back, late;

	(void)state;
	grant(&w);
	end(&w);
	grant(&r);
	back = make(1, true, w.session_id);
	assert_true(blocked(&back));
	end(&r);
	assert_false(blocked(&back));
	assert_false(claim_outdated(&back, &rules));
	grant(&back);
	end(&back);
	late = make(2, false, r.session_id);
	assert_true(claim_outdated(&late, &rules));
}

/* After a restart that lost everything the client sees other contents. */
static void contents_nobody_wrote(void **state)
{
	struct claim back = make(1, true, 12345), reader = make(1, false, 777);

	(void)state;
	assert_false(claim_outdated(&back, &rules));
	assert_false(claim_outdated(&reader, &rules));
}

static void who_holds_it(void **state)
{
	struct claim w = make(1, true, 0), r = make(2, false, 0);
	struct claim back;

	(void)state;
	strcpy(w.host_name, "db1");
	strcpy(w.client, "key1");
	grant(&w);
	grant(&r);
	assert_int_equal(identity.holder.host_id.bytes[0], 1);
	assert_string_equal(identity.holder.host_name, "db1");
	assert_string_equal(identity.holder.client, "key1");
	assert_int_equal(identity.holder.keep_alive_ms, 1000);
	assert_false(claim_forget_holder(&identity, &r));
	/* The session that was replaced ends after the one that replaces it began. */
	back = make(1, true, w.session_id);
	grant(&back);
	assert_false(claim_forget_holder(&identity, &w));
	assert_int_equal(identity.holder.keep_alive_ms, 1000);
	assert_true(claim_forget_holder(&identity, &back));
	assert_int_equal(identity.holder.keep_alive_ms, 0);
	assert_false(claim_forget_holder(&identity, &back));
	/* It may still come back, if nobody else has written. */
	assert_int_equal(identity.writer, back.session_id);
}

static void ids(void **state)
{
	(void)state;
	assert_int_not_equal(claim_new_id(0, 0), 0);
	assert_int_not_equal(claim_new_id(0, 0xffffff), 0);
	assert_int_not_equal(claim_new_id(0x1000000, 0), 0);
	assert_int_equal(claim_new_id(1, 0xabcdef0123000000),
			 0xabcdef0123000001);
	assert_int_equal(claim_new_id(0x01000002, 0xabcdef0123ffffff),
			 0xabcdef0123000002);
}

#define CLAIM_TEST(function)	cmocka_unit_test_setup(function, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLAIM_TEST(one_writer),
		CLAIM_TEST(readers),
		CLAIM_TEST(recovery_replaces),
		CLAIM_TEST(a_host_that_crashed),
		CLAIM_TEST(a_lost_grant),
		CLAIM_TEST(a_writer_that_is_late),
		CLAIM_TEST(a_reader_that_is_late),
		CLAIM_TEST(a_reader_in_between),
		CLAIM_TEST(contents_nobody_wrote),
		CLAIM_TEST(who_holds_it),
		CLAIM_TEST(ids),
	};

	return cmocka_run_group_tests_name("claim", tests, NULL, NULL);
}
