// SPDX-License-Identifier: GPL-2.0
/*
 * What rbdctl stats and top make of figures (ctl/figures*.c, sample.c): differences
 * of two looks, and tables that fit.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "bucket.h"
#include "figures_text.h"

static struct figures device(uint64_t id, uint64_t reads)
{
	struct figures figures = {
		.name = "rdmablk0", .id = id, .queue = FIGURES_DEVICE,
		.state = RDMABLK_STATE_LIVE, .queues = 2, .depth = 128,
		.has_ops = true, .in_flight = 3, .reconnects = 1,
	};
	struct op_figures *read = &figures.ops[RDMABLK_OP_READ];

	read->count = reads;
	read->bytes = reads * 4096;
	read->ns = reads * 200000;
	read->latency.buckets[rdmablk_bucket(200000)] = reads;
	return figures;
}

static void assert_fits(char *text)
{
	char *line, *rest = NULL;

	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (strlen(line) > 80)
			fail_msg("wider than 80 columns: %s", line);
}

static char *written(void (*write)(const struct sample *sample, FILE *to),
		     const struct sample *sample)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	write(sample, to);
	fclose(to);
	return text;
}

static void two_seconds(const struct sample *sample, FILE *to)
{
	figures_table(sample, 2, to);
}

static void differences(void **state)
{
	struct figures then_list[] = { device(1, 10), device(2, 20) };
	struct figures now_list[] = { device(2, 25), device(3, 7) };
	struct sample then = { 1000, then_list, 2 };
	struct sample now = { 2000001000, now_list, 2 };

	(void)state;
	assert_true(sample_since(&now, &then) == 2);
	assert_int_equal(now_list[0].ops[RDMABLK_OP_READ].count, 5);
	assert_int_equal(histogram_count(&now_list[0].ops[RDMABLK_OP_READ].latency),
			 5);
	/* New: all that it has done was in between. */
	assert_int_equal(now_list[1].ops[RDMABLK_OP_READ].count, 7);
	/* These are always of the device's life. */
	assert_int_equal(now_list[0].reconnects, 1);
}

/* The block layer's figures may be read while one is being counted. */
static void never_negative(void **state)
{
	struct figures then = device(1, 10), now = device(1, 10);

	(void)state;
	now.ops[RDMABLK_OP_READ].count = 9;
	figures_since(&now, &then);
	assert_int_equal(now.ops[RDMABLK_OP_READ].count, 0);
}

static void rows_of_a_table(void **state)
{
	struct figures list[] = { device(1, 2000), device(2, 0) };
	struct sample sample = { 0, list, 2 };
	char *text;

	(void)state;
	strcpy(list[1].name, "rdmablk1");
	list[1].state = RDMABLK_STATE_RECOVERING;
	text = written(two_seconds, &sample);
	assert_contains(text, "rdmablk0   read      1000   3.9M 200us");
	assert_contains(text, "rdmablk1 is recovering\n");
	assert_contains(text, "rdmablk1   idle         0      0     -");
	assert_null(strstr(text, "write"));
	free(text);
}

static void all_that_there_can_be(void **state)
{
	struct figures figures = device(1, UINT64_MAX / 4096);
	struct sample sample = { 0, &figures, 1 };
	uint32_t op;
	char *text;

	(void)state;
	strcpy(figures.name, "rdmablk255");
	figures.in_flight = 9999;
	figures.replays = figures.waits = figures.reconnects = UINT64_MAX;
	for (op = 0; op < RDMABLK_OPS; op++) {
		figures.ops[op] = figures.ops[RDMABLK_OP_READ];
		figures.ops[op].errors = 99999;
		figures.ops[op].latency.buckets[RDMABLK_BUCKETS - 1] = 1 << 30;
	}
	text = written(two_seconds, &sample);
	assert_fits(text);
	free(text);
	figures.waits = figures.replays = 99999999;
	text = written(figures_totals, &sample);
	assert_contains(text, "rdmablk255: live, 2 queues of 128 requests");
	assert_fits(text);
	free(text);
}

static void programs_get_all_keys(void **state)
{
	struct figures figures = device(1, 10);
	struct json_object *json = figures_json(&figures, 2), *read, *value;

	(void)state;
	assert_true(json_object_object_get_ex(json, "operations", &value));
	read = json_object_object_get(value, "read");
	assert_string_equal(json_object_get_string(
		json_object_object_get(read, "requests_per_second")), "5.000");
	assert_int_equal(json_object_get_uint64(
		json_object_object_get(read, "latency_mean_ns")), 200000);
	assert_true(json_object_object_get_ex(json_object_object_get(value,
			"flush"), "latency_p99_ns", &value));
	assert_null(value);
	json_object_put(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(differences),
		TEST(never_negative),
		TEST(rows_of_a_table),
		TEST(all_that_there_can_be),
		TEST(programs_get_all_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
