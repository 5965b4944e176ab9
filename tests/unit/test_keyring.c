// SPDX-License-Identifier: GPL-2.0
/*
 * The file of keys: who may read it, every malformed line, and several keys of a
 * client (lib/keyfile.c, target/keyring.c).
 */
#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture_file.h"
#include "keyring.h"
#include "macros.h"

#define KEY_A	"YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE="	/* 32 of 'a' */
#define KEY_B	"YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI="

static struct keyring *keyring;
static struct keyring_keys keys;
static struct reason why;

static int remove_file(void **state)
{
	(void)state;
	keyring_free(keyring);
	return unlink(path);
}

static int load_bytes(const char *text, size_t len)
{
	write_file(text, len);
	keyring_free(keyring);
	keyring = NULL;
	memset(&why, 0, sizeof(why));
	return keyring_load(&keyring, path, &why);
}

static int load(const char *text)
{
	return load_bytes(text, strlen(text));
}

static void several_clients(void **state)
{
	(void)state;
	assert_int_equal(load("# keys\n\ndb1:" KEY_A "\ndb2:" KEY_A "\r\n"
			      "db1:" KEY_B), 0);
	assert_int_equal(keyring_size(keyring), 3);
	keyring_find(keyring, "db1", &keys);
	assert_int_equal(keys.nr, 2);
	assert_memory_equal(keys.secret[0]->bytes,
			    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 32);
	assert_memory_equal(keys.secret[1]->bytes,
			    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 32);
	keyring_find(keyring, "db2", &keys);
	assert_int_equal(keys.nr, 1);
	keyring_find(keyring, "db", &keys);
	assert_int_equal(keys.nr, 0);
	keyring_find(keyring, "", &keys);
	assert_int_equal(keys.nr, 0);
	keyring_find(NULL, "db1", &keys);
	assert_int_equal(keys.nr, 0);
}

static void an_empty_file(void **state)
{
	(void)state;
	assert_int_equal(load(""), 0);
	assert_int_equal(keyring_size(keyring), 0);
}

static void malformed_lines(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{ "db1\n", ":1: neither NAME:KEY" },
		{ "db1=" KEY_A "\n", ":1: neither NAME:KEY" },
		{ KEY_A "\n", ":1: neither NAME:KEY" },
		{ "\n\ndb1:" KEY_A "\n:" KEY_A "\n", ":4: what stands before" },
		{ " db1:" KEY_A "\n", ":1: what stands before" },
		{ "db1 :" KEY_A "\n", ":1: what stands before" },
		{ "db@1:" KEY_A "\n", ":1: what stands before" },
		{ "any:" KEY_A "\n", ":1: what stands before" },
		{ "db1:\n", ":1: the key is not base64" },
		{ "db1: " KEY_A "\n", ":1: the key is not base64" },
		{ "db1:" KEY_A " \n", ":1: the key is not base64" },
		{ "db1:" KEY_A ":\n", ":1: the key is not base64" },
		{ "db1:" KEY_A "# x\n", ":1: the key is not base64" },
		{ "db1:YWFh\n", ":1: a key of 3 bytes" },
	};
	static const char nul[] = "db1:" KEY_A "\n\0\n";
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(load(bad[i].text), -EINVAL);
		assert_null(keyring);
		assert_contains(why.message, path);
		assert_contains(why.message, bad[i].words);
		/* A line may be a key: no word of it. */
		assert_null(strstr(why.message, "YWFh"));
		assert_null(strstr(why.message, "db1"));
	}
	assert_int_equal(load_bytes(nul, sizeof(nul) - 1), -EINVAL);
	assert_contains(why.message, ":2: a NUL byte");
}

static void too_many(void **state)
{
	static char text[2000 * 64];
	size_t len = 0;
	unsigned int i;

	(void)state;
	for (i = 0; i < KEYRING_PER_CLIENT; i++)
		len += (size_t)sprintf(text + len, "db1:" KEY_A "\n");
	assert_int_equal(load(text), 0);
	sprintf(text + len, "db1:" KEY_B "\n");
	assert_int_equal(load(text), -E2BIG);
	assert_contains(why.message, "more than 4 keys of client 'db1'");

	for (len = 0, i = 0; i < KEYRING_MAX; i++)
		len += (size_t)sprintf(text + len, "c%u:" KEY_A "\n", i);
	assert_int_equal(load(text), 0);
	sprintf(text + len, "c%u:" KEY_A "\n", i);
	assert_int_equal(load(text), -E2BIG);
	assert_contains(why.message, "more than 1024 keys");
}

static void files_that_others_reach(void **state)
{
	mode_t mode;

	(void)state;
	for (mode = 0; mode <= 0777; mode++) {
		if (!(mode & 0400))	/* root may read them all */
			continue;
		assert_int_equal(load("db1:" KEY_A "\n"), 0);
		keyring_free(keyring);
		keyring = NULL;
		assert_int_equal(chmod(path, mode), 0);
		assert_int_equal(keyring_load(&keyring, path, &why),
				 mode & 077 ? -EPERM : 0);
		if (mode & 077)
			assert_contains(why.hint, "chmod 600");
		chmod(path, 0600);
	}
}

static void somebody_elses_file(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(load("db1:" KEY_A "\n"), 0);
	keyring_free(keyring);
	keyring = NULL;
	assert_int_equal(chown(path, 12345, 0), 0);
	assert_int_equal(keyring_load(&keyring, path, &why), -EPERM);
	assert_contains(why.message, "belongs to user 12345");
	assert_int_equal(chown(path, 0, 0), 0);
}

static void no_files(void **state)
{
	char fifo[sizeof(path) + 5];

	(void)state;
	assert_int_equal(keyring_load(&keyring, "/nonexistent/keys", &why),
			 -ENOENT);
	assert_contains(why.message, "/nonexistent/keys");
	assert_int_equal(keyring_load(&keyring, "/tmp", &why), -EINVAL);
	assert_contains(why.message, "not a regular file");

	snprintf(fifo, sizeof(fifo), "%s.fifo", path);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(keyring_load(&keyring, fifo, &why), -EINVAL);
	assert_contains(why.message, "not a regular file");
	unlink(fifo);
}

static void a_huge_file(void **state)
{
	(void)state;
	assert_int_equal(load("db1:" KEY_A "\n"), 0);
	keyring_free(keyring);
	keyring = NULL;
	assert_int_equal(truncate(path, 1 << 20), 0);
	assert_int_equal(keyring_load(&keyring, path, &why), -E2BIG);
	assert_contains(why.message, "larger than 1 MiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(several_clients),
		TEST(an_empty_file),
		TEST(malformed_lines),
		TEST(too_many),
		TEST(files_that_others_reach),
		TEST(somebody_elses_file),
		TEST(no_files),
		TEST(a_huge_file),
	};

	return cmocka_run_group_tests_name("keyring", tests, make_file,
					   remove_file);
}
