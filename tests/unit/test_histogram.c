// SPDX-License-Identifier: GPL-2.0
/*
 * Percentiles of a histogram, and how they are written.
 */
#include "test.h"

#include "brief.h"
#include "bucket.h"
#include "histogram.h"

static void add(struct histogram *histogram, uint64_t ns, uint64_t count)
{
	histogram->buckets[rdmablk_bucket(ns)] += count;
}

static void test_nothing(void **state)
{
	struct histogram histogram = { 0 };

	(void)state;
	assert_int_equal(histogram_count(&histogram), 0);
	assert_int_equal(histogram_percentile(&histogram, 99), 0);
}

static void test_percentiles(void **state)
{
	struct histogram histogram = { 0 };
	uint64_t p50, p99, p999;

	(void)state;
	add(&histogram, 100000, 900);
	add(&histogram, 1000000, 95);
	add(&histogram, 50000000, 5);
	assert_int_equal(histogram_count(&histogram), 1000);
	p50 = histogram_percentile(&histogram, 50);
	p99 = histogram_percentile(&histogram, 99);
	p999 = histogram_percentile(&histogram, 99.9);
	assert_int_equal(rdmablk_bucket(p50), rdmablk_bucket(100000));
	assert_int_equal(rdmablk_bucket(p99), rdmablk_bucket(1000000));
	assert_int_equal(rdmablk_bucket(p999), rdmablk_bucket(50000000));
}

static void test_ends_of_the_scale(void **state)
{
	struct histogram histogram = { 0 };

	(void)state;
	add(&histogram, 0, 1);
	assert_int_equal(histogram_percentile(&histogram, 100), 1024);
	add(&histogram, UINT64_MAX, 1);
	assert_int_equal(histogram_percentile(&histogram, 100),
			 rdmablk_bucket_begin(RDMABLK_BUCKETS));
}

static void test_since(void **state)
{
	struct histogram then = { 0 }, now = { 0 };

	(void)state;
	add(&then, 100000, 7);
	add(&now, 100000, 7);
	add(&now, 900000, 3);
	histogram_since(&now, &then);
	assert_int_equal(histogram_count(&now), 3);
	assert_int_equal(rdmablk_bucket(histogram_percentile(&now, 1)),
			 rdmablk_bucket(900000));
}

static void test_times(void **state)
{
	char text[BRIEF_MAX];

	(void)state;
	assert_string_equal(brief_time(0, text), "0us");
	assert_string_equal(brief_time(412000, text), "412us");
	assert_string_equal(brief_time(999600, text), "1.0ms");
	assert_string_equal(brief_time(9940000, text), "9.9ms");
	assert_string_equal(brief_time(9960000, text), "10ms");
	assert_string_equal(brief_time(999600000, text), "1.0s");
	assert_string_equal(brief_time(123000000000, text), "123s");
}

static void test_counts_and_sizes(void **state)
{
	char text[BRIEF_MAX];

	(void)state;
	assert_string_equal(brief_count(0, text), "0");
	assert_string_equal(brief_count(99999, text), "99999");
	assert_string_equal(brief_count(123456, text), "123k");
	assert_string_equal(brief_count(1234567, text), "1.2M");
	assert_string_equal(brief_size(0, text), "0");
	assert_string_equal(brief_size(1023, text), "1023");
	assert_string_equal(brief_size(1024, text), "1.0K");
	assert_string_equal(brief_size(48.25 * 1048576, text), "48.2M");
	assert_string_equal(brief_size(1023.7 * 1048576, text), "1.0G");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_nothing),
		TEST(test_percentiles),
		TEST(test_ends_of_the_scale),
		TEST(test_since),
		TEST(test_times),
		TEST(test_counts_and_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
