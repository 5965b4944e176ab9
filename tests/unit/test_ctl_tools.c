// SPDX-License-Identifier: GPL-2.0
/*
 * What rbdctl's doctor and report stand on: findings and how they are printed, pings,
 * reading speed, masks over keys (ctl/finding.c, finding_print.c, ping.c, read_speed.c,
 * mask.c).
 */
#include "test.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>

#include "addr.h"
#include "disk.h"
#include "finding.h"
#include "macros.h"
#include "mask.h"
#include "ping.h"
#include "read_speed.h"

static struct findings findings;
static char printed[4096];

static int begin(void **state)
{
	if (disk_setup(state))
		return -1;
	findings = (struct findings){ .group = "One" };
	return 0;
}

static int end(void **state)
{
	findings_free(&findings);
	return disk_teardown(state);
}

static void read_back(void)
{
	FILE *file = fopen(disk_path("out"), "r");
	size_t len;

	assert_non_null(file);
	len = fread(printed, 1, sizeof(printed) - 1, file);
	printed[len] = '\0';
	fclose(file);
}

/* Leaves in @printed what is for people. */
static void print_text(void)
{
	FILE *file = fopen(disk_path("out"), "w");

	assert_non_null(file);
	findings_print(&findings, file);
	assert_int_equal(fclose(file), 0);
	read_back();
}

/* Likewise what is for programs, which goes to standard output. */
static void print_json_text(void)
{
	int saved = dup(STDOUT_FILENO);

	fflush(stdout);
	assert_true(saved >= 0);
	assert_non_null(freopen(disk_path("out"), "w", stdout));
	findings_print_json(&findings);
	fflush(stdout);
	assert_true(dup2(saved, STDOUT_FILENO) >= 0);
	close(saved);
	read_back();
}

static void worst(void **state)
{
	(void)state;
	assert_int_equal(findings_worst(&findings), SEVERITY_OK);
	found(&findings, SEVERITY_WARNING, "a", "first");
	found(&findings, SEVERITY_NOTE, "b", "second");
	assert_int_equal(findings_worst(&findings), SEVERITY_WARNING);
}

static void text(void **state)
{
	(void)state;
	found(&findings, SEVERITY_OK, "a", "fine");
	found(&findings, SEVERITY_ERROR, "b", "a sentence of %d words that is long enough to reach beyond the end of a line of eighty columns", 19);
	found_remedy(&findings, "replaced");
	found_remedy(&findings, "something to do that is described with as many words as it takes to fill a line");
	findings.group = "Two";
	found(&findings, SEVERITY_NOTE, "c", "short");
	print_text();
	assert_string_equal(printed,
		"One\n"
		"  ok       fine\n"
		"  error    a sentence of 19 words that is long enough to reach beyond the end of\n"
		"           a line of eighty columns\n"
		"           -> something to do that is described with as many words as it takes\n"
		"              to fill a line\n"
		"\n"
		"Two\n"
		"  note     short\n"
		"\n"
		"Something does not work: 1 error, 1 note, 1 ok\n");
}

static void json(void **state)
{
	struct json_object *object, *list, *first;

	(void)state;
	found(&findings, SEVERITY_WARNING, "a", "what \"is\" so");
	found_remedy(&findings, "do it");
	print_json_text();
	object = json_tokener_parse(printed);
	assert_string_equal(json_object_get_string(
		json_object_object_get(object, "worst")), "warning");
	list = json_object_object_get(object, "findings");
	assert_int_equal(json_object_array_length(list), 1);
	first = json_object_array_get_idx(list, 0);
	assert_string_equal(json_object_get_string(
		json_object_object_get(first, "what")), "what \"is\" so");
	assert_string_equal(json_object_get_string(
		json_object_object_get(first, "group")), "One");
	assert_string_equal(json_object_get_string(
		json_object_object_get(first, "remedy")), "do it");
	json_object_put(object);
}

static const char *masked(const char *text)
{
	static char copy[256];

	snprintf(copy, sizeof(copy), "%s", text);
	mask_keys(copy);
	return copy;
}

static void keys_are_masked(void **state)
{
	(void)state;
	/* 32 bytes, and 33: without padding. */
	assert_string_equal(
		masked("db1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= x"),
		"db1:AAEC**************************************** x");
	assert_string_equal(
		masked("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"),
		"AAEC****************************************");
	assert_string_equal(
		masked("/AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
		"/AEC****************************************");
}

static void other_text_stays(void **state)
{
	static const char *const texts[] = {
		"", "=", "a = b",
		"/var/lib/rdmablkd/exports/and/a/path/that/is/very/long/indeed/disk",
		"0b6e3e8a-2f0c-4d8e-9a4f-0f3e5a7c9b1d",
		"session 0x0123456789abcdef",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(texts); i++)
		assert_string_equal(masked(texts[i]), texts[i]);
}

/* The loopback interface takes packets of up to 65536 bytes. */
static void pings(void **state)
{
	union addr v4 = { .in = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(12345),
	} };
	union addr v6 = { .in6 = {
		.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT,
	} };
	int err = ping(&v4, PING_SMALL);

	(void)state;
	if (err == -EACCES || err == -EPERM)
		skip();
	assert_int_equal(err, 0);
	assert_int_equal(ping(&v4, 4156), 0);
	assert_int_equal(ping(&v4, PING_SMALL - 1), -EINVAL);
	err = ping(&v6, 4176);
	/* Not every host has IPv6. */
	assert_true(!err || err == -EADDRNOTAVAIL || err == -ENETUNREACH ||
		    err == -EAFNOSUPPORT);
}

static void speeds(void **state)
{
	struct read_speed speed;
	int err;

	(void)state;
	assert_true(disk_run("truncate -s 3M '%s'", disk_path("file")));
	err = read_speed(disk_path("file"), &speed);
	if (err == -EINVAL)	/* no direct I/O here */
		skip();
	assert_int_equal(err, 0);
	assert_true(speed.reads > 0);
	assert_true(speed.median_us > 0);
	assert_true(speed.bytes_per_s > 0);
	assert_int_equal(read_speed(disk_path("none"), &speed), -ENOENT);
	assert_true(disk_run(":>'%s'", disk_path("empty")));
	assert_int_equal(read_speed(disk_path("empty"), &speed), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(worst, begin, end),
		cmocka_unit_test_setup_teardown(text, begin, end),
		cmocka_unit_test_setup_teardown(json, begin, end),
		TEST(keys_are_masked),
		TEST(other_text_stays),
		TEST(pings),
		cmocka_unit_test_setup_teardown(speeds, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
