// SPDX-License-Identifier: GPL-2.0
/*
 * Pre-shared keys and the MACs made with them (lib/secret.c). The vectors are those
 * of RFC 4231.
 */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "macros.h"
#include "secret.h"

static struct secret secret;
static struct reason why;

/* Lower-case hexadecimal, for comparing with what documents print. */
static const char *hex(const uint8_t *bytes, size_t len)
{
	static char text[2 * 64 + 1];
	size_t i;

	for (i = 0; i < len; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

static void rfc_4231(void **state)
{
	static const struct {
		const char *key;
		size_t key_len;
		int key_fill;		/* instead of @key */
		const char *data;
		int data_fill;		/* 50 of them, instead of @data */
		const char *mac;
	} cases[] = {
		{ NULL, 20, 0x0b, "Hi There", 0,
		  "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7" },
		{ "Jefe", 4, 0, "what do ya want for nothing?", 0,
		  "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
		{ NULL, 20, 0xaa, NULL, 0xdd,
		  "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe" },
		{ "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\25\26\27\30\31",
		  25, 0, NULL, 0xcd,
		  "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b" },
		{ NULL, 131, 0xaa,
		  "Test Using Larger Than Block-Size Key - Hash Key First", 0,
		  "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54" },
		{ NULL, 131, 0xaa,
		  "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.", 0,
		  "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2" },
	};
	uint8_t mac[RDMABLK_MAC_SIZE], key[131], data[256];
	size_t i, len;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		memset(key, cases[i].key_fill, sizeof(key));
		if (cases[i].key)
			memcpy(key, cases[i].key, cases[i].key_len);
		memset(data, cases[i].data_fill, sizeof(data));
		len = cases[i].data ? strlen(cases[i].data) : 50;
		if (cases[i].data)
			memcpy(data, cases[i].data, len);
		assert_int_equal(secret_mac(key, cases[i].key_len, data, len,
					    mac), 0);
		assert_string_equal(hex(mac, sizeof(mac)), cases[i].mac);
	}
}

static void every_byte_is_compared(void **state)
{
	uint8_t a[RDMABLK_MAC_SIZE] = { 0 }, b[RDMABLK_MAC_SIZE] = { 0 };
	size_t i;

	(void)state;
	assert_true(secret_same(a, b));
	for (i = 0; i < sizeof(b); i++) {
		b[i] = 0x80;
		assert_false(secret_same(a, b));
		b[i] = 0;
	}
}

static void text_and_back(void **state)
{
	char text[SECRET_TEXT_MAX];
	struct secret other;
	size_t len, i;

	(void)state;
	for (len = RDMABLK_SECRET_MIN; len <= RDMABLK_SECRET_MAX; len++) {
		other = (struct secret){ .len = len };
		for (i = 0; i < len; i++)
			other.bytes[i] = (uint8_t)(0xff - i * 3);
		secret_text(&other, text);
		assert_int_equal(secret_parse(&secret, text, &why), 0);
		assert_memory_equal(&secret, &other, sizeof(secret));
	}
}

#define A40	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void no_keys(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{ "", "base64" },
		{ "AAAA", "3 bytes" },
		{ A40 "A=", "base64" },			/* not in fours */
		{ A40 "A", "base64" },
		{ A40 "AA==", "31 bytes" },
		{ A40 "A===", "base64" },
		{ A40 "=AAA", "base64" },
		{ A40 "A=A=", "base64" },
		{ A40 "AAA!", "base64" },
		{ " " A40 "AA=", "base64" },
		{ A40 "AA= ", "base64" },
		{ A40 "AA\n=", "base64" },
		{ A40 A40 "AAAAAAAA", "66 bytes" },
		{ A40 A40 A40 A40, "120 bytes" },
	};
	size_t i;

	(void)state;
	assert_int_equal(secret_parse(&secret, A40 "AAA=", &why), 0);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(secret_parse(&secret, bad[i].text, &why),
				 -EINVAL);
		assert_contains(why.message, bad[i].words);
		assert_null(strstr(why.message, "AAAA"));
	}
}

static void generated_keys_differ(void **state)
{
	struct secret other;

	(void)state;
	assert_int_equal(secret_generate(&secret, &why), 0);
	assert_int_equal(secret_generate(&other, &why), 0);
	assert_int_equal(secret.len, 32);
	assert_memory_not_equal(secret.bytes, other.bytes, secret.len);
	assert_true(secret_id(&secret) && secret_id(&secret) != secret_id(&other));
	assert_true(secret_id(&secret) == secret_id(&secret));
}

static void wiped_keys_are_gone(void **state)
{
	static const struct secret none;

	(void)state;
	assert_int_equal(secret_generate(&secret, &why), 0);
	secret_wipe(&secret);
	assert_memory_equal(&secret, &none, sizeof(none));
}

static void names(void **state)
{
	char name[RDMABLK_HOST_MAX + 1];

	(void)state;
	assert_true(secret_name_valid("db1.example.org_2+x-y"));
	assert_false(secret_name_valid(""));
	assert_false(secret_name_valid("-db1"));
	assert_false(secret_name_valid("db1:ro"));
	assert_false(secret_name_valid("db1@host"));
	assert_false(secret_name_valid("db 1"));
	assert_false(secret_name_valid("any"));
	assert_false(secret_name_valid("none"));
	memset(name, 'x', sizeof(name));
	name[RDMABLK_HOST_MAX] = '\0';
	assert_false(secret_name_valid(name));
	name[RDMABLK_HOST_MAX - 1] = '\0';
	assert_true(secret_name_valid(name));
}

/* Does a line of /proc/self/smaps begin the mapping that has @address? */
static bool is_mapping_of(const char *line, uintptr_t address)
{
	unsigned long from, to;

	return sscanf(line, "%lx-%lx ", &from, &to) == 2 && from <= address &&
	       address < to;
}

/* "VmFlags: rd wr ... lo ... dd ...": what the kernel knows of a mapping. */
static bool has_flag(const void *memory, const char *flag)
{
	FILE *file = fopen("/proc/self/smaps", "r");
	bool found = false, there = false;
	char line[512];

	assert_non_null(file);
	while (!found && fgets(line, sizeof(line), file)) {
		there |= is_mapping_of(line, (uintptr_t)memory);
		found = there && !strncmp(line, "VmFlags:", 8);
	}
	fclose(file);
	if (!found)
		skip();
	return strstr(line, flag);
}

static void memory_stays_out_of_core_dumps(void **state)
{
	static const uint8_t zero[100];
	uint8_t *memory = secret_alloc(sizeof(zero));
	void *other = malloc(1);

	(void)state;
	assert_non_null(memory);
	assert_memory_equal(memory, zero, sizeof(zero));
	assert_true(has_flag(memory, " dd"));
	assert_false(has_flag(other, " dd"));
	free(other);

	memset(memory, 7, sizeof(zero));
	secret_free(memory, sizeof(zero));
	secret_free(NULL, 0);
}

static void no_core_dump_at_all(void **state)
{
	(void)state;
	assert_int_equal(prctl(PR_GET_DUMPABLE), 1);
	secret_no_core();
	assert_int_equal(prctl(PR_GET_DUMPABLE), 0);
	/* The leak sanitizer looks into its own process. */
	prctl(PR_SET_DUMPABLE, 1);
}

static void there_is_an_end_of_it(void **state)
{
	(void)state;
	assert_null(secret_alloc((size_t)1 << 30));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(rfc_4231),
		TEST(every_byte_is_compared),
		TEST(text_and_back),
		TEST(no_keys),
		TEST(generated_keys_differ),
		TEST(wiped_keys_are_gone),
		TEST(names),
		TEST(memory_stays_out_of_core_dumps),
		TEST(no_core_dump_at_all),
		TEST(there_is_an_end_of_it),
	};

	return cmocka_run_group_tests_name("secret", tests, NULL, NULL);
}
