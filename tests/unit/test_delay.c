// SPDX-License-Identifier: GPL-2.0
/*
 * How long a recovery waits: grows with the outage, ends at its limit, is blurred by
 * a quarter. How long an attempt does: less each time, all of its time in the end.
 */
#include "test.h"

#include "delay.h"

#define LEAST	0U
#define MIDDLE	0x80000000U
#define MOST	0xffffffffU

static void test_short_outage(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_delay_ms(2, 0, MIDDLE), 2000);
	assert_int_equal(rdmablk_delay_ms(2, 16000, MIDDLE), 2000);
}

static void test_grows_with_the_outage(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_delay_ms(2, 20000, MIDDLE), 2500);
	assert_int_equal(rdmablk_delay_ms(2, 80000, MIDDLE), 10000);
}

static void test_ends_at_eight_times(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_delay_ms(2, 200000, MIDDLE), 16000);
	assert_int_equal(rdmablk_delay_ms(1, 4000000000U, MIDDLE), 8000);
}

static void test_ends_at_a_minute(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_delay_ms(20, 320000, MIDDLE), 40000);
	assert_int_equal(rdmablk_delay_ms(20, 4000000000U, MIDDLE), 60000);
}

static void test_longer_than_a_minute(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_delay_ms(90, 1, MIDDLE), 90000);
	assert_int_equal(rdmablk_delay_ms(90, 4000000000U, MIDDLE), 90000);
	assert_int_equal(rdmablk_delay_ms(86400, 9, MIDDLE), 86400000);
}

static void test_blurred(void **state)
{
	(void)state;
	assert_int_equal(rdmablk_delay_ms(2, 1, LEAST), 1500);
	assert_in_range(rdmablk_delay_ms(2, 1, MOST), 2499, 2500);
	assert_int_equal(rdmablk_delay_ms(86400, 1, LEAST), 64800000);
	assert_in_range(rdmablk_delay_ms(86400, 1, MOST), 107999999, 108000000);
}

static void test_patience(void **state)
{
	u32 left = 5000, times;

	(void)state;
	assert_int_equal(rdmablk_patience_ms(5000), 2500);
	for (times = 0; left; times++)
		left -= rdmablk_patience_ms(left);
	assert_int_equal(times, 4);
	/* The last ones: neither too short for an answer, nor long before a pause. */
	assert_int_equal(rdmablk_patience_ms(1000), 500);
	assert_int_equal(rdmablk_patience_ms(999), 999);
	assert_int_equal(rdmablk_patience_ms(1), 1);
	assert_int_equal(rdmablk_patience_ms(60000), 30000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_short_outage),
		TEST(test_grows_with_the_outage),
		TEST(test_ends_at_eight_times),
		TEST(test_ends_at_a_minute),
		TEST(test_longer_than_a_minute),
		TEST(test_blurred),
		TEST(test_patience),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
