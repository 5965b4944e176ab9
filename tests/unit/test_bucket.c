// SPDX-License-Identifier: GPL-2.0
/*
 * Buckets of a latency histogram: module and tool agree on where each one begins,
 * and every latency is in the one that it belongs to.
 */
#include "test.h"

#include "bucket.h"

static void test_shortest_and_longest(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_bucket(0), 0);
	assert_int_equal(rdmablk_bucket(1023), 0);
	assert_int_equal(rdmablk_bucket(1024), 1);
	assert_int_equal(rdmablk_bucket(UINT64_MAX), RDMABLK_BUCKETS - 1);
}

static void test_two_to_an_octave(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_bucket_begin(1), 1024);
	assert_int_equal(rdmablk_bucket_begin(2), 1536);
	assert_int_equal(rdmablk_bucket_begin(3), 2048);
	/* Two minutes: longer than most recoveries. */
	assert_true(rdmablk_bucket_begin(RDMABLK_BUCKETS - 1) > 120000000000ULL);
}

static void test_begin_is_the_shortest(void **state)
{
	uint32_t bucket;

	(void)state;
	for (bucket = 1; bucket < RDMABLK_BUCKETS; bucket++) {
		uint64_t begin = rdmablk_bucket_begin(bucket);

		assert_int_equal(rdmablk_bucket(begin), bucket);
		assert_int_equal(rdmablk_bucket(begin - 1), bucket - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_shortest_and_longest),
		TEST(test_two_to_an_octave),
		TEST(test_begin_is_the_shortest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
