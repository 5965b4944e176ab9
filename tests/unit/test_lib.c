// SPDX-License-Identifier: GPL-2.0
/*
 * What daemon and tool share (userspace/lib): sizes, addresses, suggestions.
 */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>

#include "addr.h"
#include "macros.h"
#include "reason.h"
#include "size.h"
#include "suggest.h"

static void sizes_read(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t bytes;
	} cases[] = {
		{ "0", 0, 0 },
		{ "1", 0, 1 },
		{ "512B", 0, 512 },
		{ "4K", 0, 4096 },
		{ "4k", 0, 4096 },
		{ "4KB", 0, 4096 },
		{ "4KiB", 0, 4096 },
		{ "4kib", 0, 4096 },
		{ "2T", 0, (uint64_t)2 << 40 },
		{ "8P", 0, (uint64_t)8 << 50 },
		{ "15E", 0, (uint64_t)15 << 60 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "16E", -ERANGE, 0 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "17179869184G", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "G", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "1 K", -EINVAL, 0 },
		{ "1.5G", -EINVAL, 0 },
		{ "1Z", -EINVAL, 0 },
		{ "1KK", -EINVAL, 0 },
		{ "1iB", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t bytes = 0;

		assert_int_equal(size_parse(cases[i].text, &bytes),
				 cases[i].err);
		assert_int_equal(bytes, cases[i].bytes);
	}
}

static void sizes_written(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{ 0, "0 B" },
		{ 1, "1 B" },
		{ 1023, "1023 B" },
		{ 1024, "1 KiB" },
		{ 1536, "1.5 KiB" },
		{ (uint64_t)256 << 20, "256 MiB" },
		{ ((uint64_t)1 << 30) - 1, "1023.9 MiB" },
		{ ((uint64_t)1 << 30) + 1, "1.0 GiB" },
		{ (uint64_t)2 << 40, "2 TiB" },
		{ UINT64_MAX, "15.9 EiB" },
	};
	char text[SIZE_TEXT_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(size_text(cases[i].bytes, text),
				    cases[i].text);
}

static void addresses_split(void **state)
{
	static const struct {
		const char *text, *host;
		int err;
		uint16_t port;
	} cases[] = {
		{ "host", "host", 0, 7 },
		{ "host:1", "host", 0, 1 },
		{ "192.0.2.1:65535", "192.0.2.1", 0, 65535 },
		{ "2001:db8::1", "2001:db8::1", 0, 7 },
		{ "fe80::1%eth0", "fe80::1%eth0", 0, 7 },
		{ "[2001:db8::1]", "2001:db8::1", 0, 7 },
		{ "[2001:db8::1]:99", "2001:db8::1", 0, 99 },
		{ "::", "::", 0, 7 },
		{ "", "", -EINVAL, 7 },
		{ ":1", "", -EINVAL, 7 },
		{ "host:", "", -EINVAL, 7 },
		{ "host:0", "", -EINVAL, 7 },
		{ "host:65536", "", -EINVAL, 7 },
		{ "host:-1", "", -EINVAL, 7 },
		{ "host:1x", "", -EINVAL, 7 },
		{ "[::1", "", -EINVAL, 7 },
		{ "[]", "", -EINVAL, 7 },
		{ "[::1]x", "", -EINVAL, 7 },
		{ "[::1]:", "", -EINVAL, 7 },
	};
	char host[ADDR_HOST_MAX], longest[ADDR_HOST_MAX + 1];
	uint16_t port;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		port = 7;
		assert_int_equal(addr_split(cases[i].text, host, &port),
				 cases[i].err);
		if (cases[i].err)
			continue;
		assert_string_equal(host, cases[i].host);
		assert_int_equal(port, cases[i].port);
	}
	memset(longest, 'a', sizeof(longest));
	longest[ADDR_HOST_MAX] = '\0';
	assert_int_equal(addr_split(longest, host, &port), -EINVAL);
	longest[ADDR_HOST_MAX - 1] = '\0';
	assert_int_equal(addr_split(longest, host, &port), 0);
}

static void addresses_written(void **state)
{
	union addr v4, v6, mapped;
	char text[ADDR_TEXT_MAX];
	const char *why;

	(void)state;
	assert_int_equal(addr_resolve("192.0.2.1", 5, false, &v4, &why), 0);
	assert_string_equal(addr_text(&v4, text), "192.0.2.1:5");
	assert_string_equal(addr_host_text(&v4, text), "192.0.2.1");
	assert_int_equal(addr_resolve("2001:db8::1", 6, true, &v6, &why), 0);
	assert_string_equal(addr_text(&v6, text), "[2001:db8::1]:6");
	assert_int_equal(addr_resolve("::ffff:192.0.2.1", 9, false, &mapped,
				      &why), 0);
	assert_string_equal(addr_text(&mapped, text), "192.0.2.1:9");

	assert_true(addr_same_host(&v4, &mapped));
	assert_true(addr_same_host(&mapped, &v4));
	assert_false(addr_same_host(&v4, &v6));
	v6.in6.sin6_port = 0;
	assert_true(addr_same_host(&v6, &v6));
	v4.in.sin_addr.s_addr ^= htonl(1);
	assert_false(addr_same_host(&v4, &mapped));
}

static void addresses_of_gids(void **state)
{
	const uint8_t v4_gid[ADDR_GID_SIZE] = {
		[10] = 0xff, 0xff, 192, 0, 2, 7,
	};
	const uint8_t v6_gid[ADDR_GID_SIZE] = { 0xfe, 0x80, [15] = 9 };
	char text[ADDR_TEXT_MAX];
	union addr addr;
	const char *why;

	(void)state;
	assert_int_equal(addr_resolve("192.0.2.1", 5, false, &addr, &why), 0);
	addr_set_gid(&addr, v4_gid);
	assert_int_equal(addr.sa.sa_family, AF_INET);
	assert_string_equal(addr_text(&addr, text), "192.0.2.7:5");
	addr_set_gid(&addr, v6_gid);
	assert_string_equal(addr_text(&addr, text), "[fe80::9]:5");
	assert_int_equal(addr.in6.sin6_scope_id, 0);
	/* Whatever interface that is: it has no name. */
	addr.in6.sin6_scope_id = 12345;
	addr_set_gid(&addr, v6_gid);
	assert_int_equal(addr.in6.sin6_scope_id, 12345);
	addr_set_gid(&addr, v4_gid);
	assert_string_equal(addr_text(&addr, text), "192.0.2.7:5");
}

static void no_such_host(void **state)
{
	const char *why = NULL;
	union addr addr;

	(void)state;
	assert_int_equal(addr_resolve("no such host", 1, false, &addr, &why),
			 -EHOSTUNREACH);
	assert_non_null(why);
}

static void distances(void **state)
{
	char long_word[200];

	(void)state;
	assert_int_equal(suggest_distance("", ""), 0);
	assert_int_equal(suggest_distance("", "abc"), 3);
	assert_int_equal(suggest_distance("abc", "abc"), 0);
	assert_int_equal(suggest_distance("abc", "abd"), 1);
	assert_int_equal(suggest_distance("abc", "acb"), 1);
	assert_int_equal(suggest_distance("abc", "ab"), 1);
	assert_int_equal(suggest_distance("abc", "xabc"), 1);
	assert_int_equal(suggest_distance("kitten", "sitting"), 3);
	memset(long_word, 'a', sizeof(long_word));
	long_word[sizeof(long_word) - 1] = '\0';
	assert_int_equal(suggest_distance(long_word, "a"), UINT32_MAX);
	assert_int_equal(suggest_distance("a", long_word), UINT32_MAX);
}

static void suggestions(void **state)
{
	static const char * const known[] = {
		"block-size", "read-only", "size", "store",
	};
	char long_word[200];

	(void)state;
#define meant(word) suggest(word, known, ARRAY_SIZE(known))
	assert_string_equal(meant("blocksize"), "block-size");
	assert_string_equal(meant("block_size"), "block-size");
	assert_string_equal(meant("readonly"), "read-only");
	assert_string_equal(meant("sise"), "size");
	assert_string_equal(meant("stroe"), "store");
	assert_null(meant("elephant"));
	assert_null(meant("zzz"));
	assert_null(suggest("size", known, 0));
	memset(long_word, 'a', sizeof(long_word));
	long_word[sizeof(long_word) - 1] = '\0';
	assert_null(meant(long_word));
}

static void reasons(void **state)
{
	struct reason why;

	(void)state;
	assert_int_equal(reason_set(&why, -EIO, "%s %d", "x", 1), -EIO);
	assert_string_equal(why.message, "x 1");
	reason_hint(&why, "do %s", "y");
	assert_string_equal(why.hint, "do y");
	reason_set(&why, 0, "%600d", 1);	/* longer than there is room */
	assert_int_equal(strlen(why.message), sizeof(why.message) - 1);
	assert_string_equal(why.hint, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sizes_read),
		TEST(sizes_written),
		TEST(addresses_split),
		TEST(addresses_written),
		TEST(addresses_of_gids),
		TEST(no_such_host),
		TEST(distances),
		TEST(suggestions),
		TEST(reasons),
	};

	return cmocka_run_group_tests_name("lib", tests, NULL, NULL);
}
