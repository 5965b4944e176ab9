// SPDX-License-Identifier: GPL-2.0
/*
 * What all messages have in common (kmod/proto.c, proto_field.c).
 */
#include "test.h"

#include "proto.h"

static void every_status_has_words(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < __RDMABLK_STATUS_END; i++) {
		assert_non_null(rdmablk_status_text(i));
		assert_string_not_equal(rdmablk_status_text(i),
					"unknown status");
	}
	assert_string_equal(rdmablk_status_text(__RDMABLK_STATUS_END),
			    "unknown status");
	assert_string_equal(rdmablk_status_text(~0U), "unknown status");
}

static void names(void **state)
{
	static const char * const good[] = {
		"a", "Z", "0", "disk.1", "a_b:c@d+e-f", "0-", "x....",
	};
	static const char * const bad[] = {
		"", ".", "-a", "_a", "a b", "a/b", "a\n", "%n", "a%n", "\x80",
		"a\x7f", ":a", "a$", "a\"",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(rdmablk_name_valid(good[i], strlen(good[i])));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(rdmablk_name_valid(bad[i], strlen(bad[i])));
	assert_false(rdmablk_name_valid("a\0b", 3));
	assert_false(rdmablk_name_valid("\0", 1));
}

static void texts(void **state)
{
	char text[8] = "abc";

	(void)state;
	assert_true(rdmablk_text_valid(text, sizeof(text)));
	assert_false(rdmablk_text_valid(text, 3));	/* not terminated */
	text[7] = 'x';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	text[7] = '\0';
	text[1] = '\n';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	text[1] = '\x1b';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	text[1] = '~';
	assert_true(rdmablk_text_valid(text, sizeof(text)));
	text[1] = '\x7f';
	assert_false(rdmablk_text_valid(text, sizeof(text)));
	memset(text, 0, sizeof(text));
	assert_true(rdmablk_text_valid(text, sizeof(text)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_status_has_words),
		TEST(names),
		TEST(texts),
	};

	return cmocka_run_group_tests_name("proto", tests, NULL, NULL);
}
