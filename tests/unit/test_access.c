// SPDX-License-Identifier: GPL-2.0
/*
 * Access rules of an export (target/access.c), and as a key of its specification.
 */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>

#include "access.h"
#include "macros.h"
#include "spec.h"

static struct access access;
static struct reason why;

static int setup(void **state)
{
	(void)state;
	access = (struct access){ .nr = 0 };
	return 0;
}

static unsigned int granted(const char *client, const char *from)
{
	union addr peer = { .sa.sa_family = AF_INET };

	if (inet_pton(AF_INET, from, &peer.in.sin_addr) == 1)
		return access_granted(&access, client, &peer);
	peer.sa.sa_family = AF_INET6;
	assert_int_equal(inet_pton(AF_INET6, from, &peer.in6.sin6_addr), 1);
	return access_granted(&access, client, &peer);
}

static void add(const char *text)
{
	assert_int_equal(access_add(&access, text, &why), 0);
}

static void no_rules(void **state)
{
	(void)state;
	assert_int_equal(granted("db1", "192.0.2.1"), RDMABLK_ACCESS_RW);
	assert_int_equal(granted("", "192.0.2.1"), RDMABLK_ACCESS_RW);
}

static void none(void **state)
{
	(void)state;
	add("none");
	assert_int_equal(granted("db1", "192.0.2.1"), 0);
	assert_int_equal(granted("none", "192.0.2.1"), 0);
	assert_int_equal(granted("", "192.0.2.1"), 0);
}

static void names(void **state)
{
	(void)state;
	add("db1 db2:ro  db3:rw");
	assert_int_equal(access.nr, 3);
	assert_int_equal(granted("db1", "192.0.2.1"), RDMABLK_ACCESS_RW);
	assert_int_equal(granted("db2", "192.0.2.1"), RDMABLK_ACCESS_RO);
	assert_int_equal(granted("db3", "2001:db8::1"), RDMABLK_ACCESS_RW);
	assert_int_equal(granted("db", "192.0.2.1"), 0);
	assert_int_equal(granted("db11", "192.0.2.1"), 0);
	/* Without a key. */
	assert_int_equal(granted("", "192.0.2.1"), 0);
}

static void any(void **state)
{
	(void)state;
	add("any:ro db1");
	assert_int_equal(granted("db1", "192.0.2.1"), RDMABLK_ACCESS_RW);
	assert_int_equal(granted("db2", "192.0.2.1"), RDMABLK_ACCESS_RO);
	assert_int_equal(granted("", "192.0.2.1"), RDMABLK_ACCESS_RO);
}

static void the_best_rule_counts(void **state)
{
	(void)state;
	add("db1:ro db1:rw@192.0.2.1 db1:ro@192.0.2.0/24");
	assert_int_equal(granted("db1", "192.0.2.1"), RDMABLK_ACCESS_RW);
	assert_int_equal(granted("db1", "192.0.2.2"), RDMABLK_ACCESS_RO);
	assert_int_equal(granted("db1", "198.51.100.1"), RDMABLK_ACCESS_RO);
}

static void networks(void **state)
{
	static const struct {
		const char *rule, *from;
		bool in;
	} cases[] = {
		{ "any@192.0.2.1", "192.0.2.1", true },
		{ "any@192.0.2.1", "192.0.2.0", false },
		{ "any@192.0.2.1", "::ffff:192.0.2.1", true },
		{ "any@192.0.2.0/24", "192.0.2.255", true },
		{ "any@192.0.2.0/24", "192.0.3.0", false },
		{ "any@192.0.2.128/25", "192.0.2.127", false },
		{ "any@192.0.2.128/25", "192.0.2.128", true },
		{ "any@0.0.0.0/0", "203.0.113.9", true },
		{ "any@0.0.0.0/0", "2001:db8::1", false },
		{ "any@::/0", "2001:db8::1", true },
		{ "any@::/0", "203.0.113.9", true },
		{ "any@2001:db8::/33", "2001:db8:7fff::1", true },
		{ "any@2001:db8::/33", "2001:db8:8000::1", false },
		{ "any@2001:db8::1", "2001:db8::2", false },
		{ "db1:ro@192.0.2.1/32", "192.0.2.1", false },	/* no key */
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		access = (struct access){ .nr = 0 };
		add(cases[i].rule);
		assert_int_equal(granted("", cases[i].from),
				 cases[i].in ? RDMABLK_ACCESS_RW : 0);
	}
}

static void malformed(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{ "", "no access rule" },
		{ " \t ", "no access rule" },
		{ ":rw", "not the name" },
		{ "@192.0.2.1", "not the name" },
		{ "*", "not the name" },
		{ "db/1", "not the name" },
		{ "db1:", "ro or rw, not ''" },
		{ "db1:wr", "ro or rw, not 'wr'" },
		{ "db1:ro:rw", "ro or rw, not 'ro:rw'" },
		{ "db1@", "'' is not an address" },
		{ "db1@host", "'host' is not an address" },
		{ "db1@192.0.2", "not an address" },
		{ "db1@192.0.2.1:ro", "not an address" },
		{ "db1@192.0.2.1@192.0.2.2", "not an address" },
		{ "db1@192.0.2.0/", "'' is not a number of bits from 0 to 32" },
		{ "db1@192.0.2.0/33", "'33' is not a number of bits" },
		{ "db1@192.0.2.0/-1", "'-1' is not a number of bits" },
		{ "db1@192.0.2.0/ 8", "'' is not a number of bits" },
		{ "db1@192.0.2.0/8x", "'8x' is not a number of bits" },
		{ "db1@192.0.2.0/99999999999999999999", "number of bits" },
		{ "db1@192.0.2.1/24", "more bits than /24 keeps" },
		{ "db1@2001:db8::/129", "from 0 to 128" },
		{ "db1@2001:db8::1/64", "more bits than /64 keeps" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		access = (struct access){ .nr = 0 };
		assert_int_equal(access_add(&access, bad[i].text, &why),
				 -EINVAL);
		assert_contains(why.message, bad[i].words);
	}
}

static void too_many(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ACCESS_RULES_MAX; i++)
		add("db1");
	assert_int_equal(access_add(&access, "db1", &why), -E2BIG);
	assert_contains(why.message, "more than 64");
}

static void written_as_they_are_read(void **state)
{
	static const struct {
		const char *rule, *text;
	} cases[] = {
		{ "db1", "db1:rw" },
		{ "any:ro", "any:ro" },
		{ "db1@192.0.2.7", "db1:rw@192.0.2.7/32" },
		{ "any:ro@0.0.0.0/0", "any:ro@0.0.0.0/0" },
		{ "any@::/0", "any:rw@::/0" },
		{ "any@2001:db8::/32", "any:rw@2001:db8::/32" },
	};
	char text[ACCESS_TEXT_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		access = (struct access){ .nr = 0 };
		add(cases[i].rule);
		assert_string_equal(access_text(&access.rule[0], text),
				    cases[i].text);
		access.nr = 0;
		add(text);
	}
}

static void in_a_specification(void **state)
{
	struct spec spec;

	(void)state;
	assert_int_equal(spec_parse(&spec, "disk:size=1M", &why), 0);
	assert_false(spec.access.restricted);
	assert_int_equal(spec_parse(&spec,
		"disk:size=1M,allow=db1:ro@2001:db8::/32,allow=db2", &why), 0);
	assert_true(spec.access.restricted);
	assert_int_equal(spec.access.nr, 2);
	assert_string_equal(spec.access.rule[1].client, "db2");
	assert_int_equal(spec_parse(&spec, "disk:size=1M,allow=db1:x", &why),
			 -EINVAL);
	assert_contains(why.message, "rule 'db1:x'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(no_rules, setup),
		cmocka_unit_test_setup(none, setup),
		cmocka_unit_test_setup(names, setup),
		cmocka_unit_test_setup(any, setup),
		cmocka_unit_test_setup(the_best_rule_counts, setup),
		cmocka_unit_test_setup(networks, setup),
		cmocka_unit_test_setup(malformed, setup),
		cmocka_unit_test_setup(too_many, setup),
		cmocka_unit_test_setup(written_as_they_are_read, setup),
		cmocka_unit_test_setup(in_a_specification, setup),
	};

	return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
