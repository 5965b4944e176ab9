// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's configuration file and command line (target/config.c, ini.c,
 * options.c).
 */
#include "test.h"

#include <errno.h>

#include "config.h"
#include "fixture_file.h"
#include "macros.h"
#include "options.h"

static struct config config;
static struct reason why;

static int remove_file(void **state)
{
	(void)state;
	config_free(&config);
	return unlink(path);
}

static int load(const char *text)
{
	write_file(text, strlen(text));
	config_free(&config);
	config_init(&config);
	memset(&why, 0, sizeof(why));
	return config_load(&config, path, &why);
}

static void a_whole_file(void **state)
{
	(void)state;
	assert_int_equal(load(
		"# a comment\n"
		"; another\n"
		"\n"
		"  port = 4000\t\n"
		"listen=192.0.2.1\n"
		"listen = [2001:db8::1]:99\n"
		"allow-unauthenticated = yes\nkey-file = /etc/k\n"
		"max-sessions = 7\nmax-sessions-per-client = 5\n"
		"max-messages = 9\nmax-queues = 3\nmax-io-size = 1M\n"
		"memory-windows = no\n"
		"socket = /run/x/sock\nstate-dir = /run/x\n"
		"metrics = [::1]:9464\n"
		"[export one]\n"
		"size = 16M\nallow = db1 db2:ro\nallow = db3@192.0.2.0/24\n"
		"[export  two ]\r\n"
		"store = shm\r\n"
		"path = /dev/shm/with = and # in it\n"), 0);
	assert_int_equal(config.port, 4000);
	assert_string_equal(config.metrics.host, "::1");
	assert_int_equal(config.metrics.port, 9464);
	assert_int_equal(config.nr_listen, 2);
	assert_string_equal(config.listen[0].host, "192.0.2.1");
	assert_int_equal(config.listen[0].port, 0);
	assert_string_equal(config.listen[1].host, "2001:db8::1");
	assert_int_equal(config.listen[1].port, 99);
	assert_true(config.allow_unauthenticated);
	assert_string_equal(config.key_file, "/etc/k");
	assert_true(config.key_file_named);
	assert_int_equal(config.exports[0].access.nr, 3);
	assert_false(config.exports[1].access.restricted);
	assert_int_equal(config.max_sessions, 7);
	assert_int_equal(config.max_sessions_per_client, 5);
	assert_int_equal(config.max_messages, 9);
	assert_int_equal(config.max_queues, 3);
	assert_int_equal(config.max_io_size, 1 << 20);
	assert_int_equal(config.memory_windows, WINDOWS_NO);
	assert_string_equal(config.socket, "/run/x/sock");
	assert_string_equal(config.state_dir, "/run/x");
	assert_int_equal(config.nr_exports, 2);
	assert_string_equal(config.exports[0].name, "one");
	assert_string_equal(config.exports[1].name, "two");
	assert_string_equal(config.exports[1].path,
			    "/dev/shm/with = and # in it");
}

static void an_empty_file(void **state)
{
	(void)state;
	assert_int_equal(load(""), 0);
	assert_int_equal(config.port, RDMABLK_PORT);
	assert_int_equal(config.metrics.port, 0);
	assert_string_equal(config.state_dir, "/var/lib/rdmablkd");
	assert_string_equal(config.key_file, "/etc/rdmablk/keys");
	assert_false(config.key_file_named);
	assert_false(config.allow_unauthenticated);
}

static void metrics_of_this_host(void **state)
{
	(void)state;
	assert_int_equal(load("metrics = 9464\n"), 0);
	assert_string_equal(config.metrics.host, "127.0.0.1");
	assert_int_equal(config.metrics.port, 9464);
}

static void errors_name_the_line(void **state)
{
	static const struct {
		const char *text, *message, *hint;
	} cases[] = {
		{ "prot = 1\n", ":1: unknown key 'prot'", "'port'" },
		{ "\n\nlisten\n", ":3: neither", "" },
		{ "#\n[export a]\nsize=1M\nblocksize = 512\n",
		  ":4: unknown key 'blocksize'", "'block-size'" },
		{ "size = 1M\n", ":1: unknown key 'size'", "[export NAME]" },
		{ "[exprot a]\n", ":1: unknown section [exprot a]", "[export" },
		{ "[export]\n", ":1: unknown section [export]", "[export" },
		{ "[export ]\n", ":1: unknown section", "[export" },
		{ "[export a/b]\n", ":1: 'a/b' is not a name", "letters" },
		{ "[export a\n", ":1: a section must end", "" },
		{ "[export a] x\n", ":1: a section must end", "" },
		{ "[export a]\nsize=1M\n[export a]\n", ":3: there are two", "" },
		{ "port = 0\n", ":1: port must be", "" },
		{ "metrics = 0\n", ":1: metrics must be", "" },
		{ "metrics = 192.0.2.1\n", ":1: metrics: '192.0.2.1' is not",
		  "ADDRESS:PORT" },
		{ "port = 65536\n", ":1: port must be", "" },
		{ "port = 12x\n", ":1: port must be", "" },
		{ "port =\n", ":1: port must be", "" },
		{ "= 1\n", ":1: neither", "" },
		{ "max-queues = 257\n", ":1: max-queues", "" },
		{ "max-io-size = 100K\n", ":1: max-io-size", "" },
		{ "max-io-size = 32K\n", ":1: max-io-size", "" },
		{ "max-io-size = 32M\n", ":1: max-io-size", "" },
		{ "socket = x\n", ":1: socket must be an absolute path", "" },
		{ "listen = a:b\n", ":1: listen:", "ADDRESS" },
		{ "[export a]\nallow = db1:wr\n", ":2: rule 'db1:wr': access", "" },
		{ "key-file = keys\n", ":1: key-file", "" },
		{ "allow-unauthenticated = perhaps\n", ":1: allow-una", "" },
		/* What only the whole section shows names the export. */
		{ "[export a]\n[export b]\nsize=1M\n", "export a: store mem needs a size", "size=256M" },
		{ "[export a]\nsize=4097\n", "4096 and 4608", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(load(cases[i].text) < 0);
		assert_contains(why.message, path);
		assert_contains(why.message, cases[i].message);
		assert_contains(why.hint, cases[i].hint);
	}
}

static void odd_files(void **state)
{
	char *text;

	(void)state;
	write_file("port = 1\0\n", 10);
	config_free(&config);
	config_init(&config);
	assert_int_equal(config_load(&config, path, &why), -EINVAL);
	assert_contains(why.message, ":1: a NUL byte");
	assert_int_equal(config_load(&config, "/no/such/file", &why), -ENOENT);
	assert_int_equal(config_load(&config, "/tmp", &why), -EISDIR);

	/* Long lines are read as they are, and refused for what they are. */
	text = malloc(100000);
	memset(text, 'x', 100000);
	memcpy(text, "socket = /", 10);
	text[99999] = '\0';
	assert_int_equal(load(text), -ENAMETOOLONG);
	free(text);
}

/* ---- The command line --------------------------------------------------------- */

static enum options_result parse(char *const *words)
{
	char *argv[16] = { (char *)"rdmablkd" };
	int argc = 1;

	while (*words)
		argv[argc++] = *words++;
	config_free(&config);
	memset(&why, 0, sizeof(why));
	return options_parse(&config, argc, argv, &why);
}

#define WORDS(...)	((char *const []){ __VA_ARGS__, NULL })

static void options_over_file(void **state)
{
	(void)state;
	load("port = 1\nlisten = 192.0.2.1\nlisten = 192.0.2.2\n[export a]\nsize=1M\n");
	assert_int_equal(parse(WORDS("--port", "2", "--listen=[::1]:5",
				     "--export", "b:size=2M", "--config", path,
				     "--allow-unauthenticated")), OPTIONS_RUN);
	assert_int_equal(config.port, 2);
	assert_int_equal(config.nr_listen, 1);
	assert_string_equal(config.listen[0].host, "::1");
	assert_int_equal(config.nr_exports, 2);
	assert_string_equal(config.exports[1].name, "b");
	assert_true(config.allow_unauthenticated);

	assert_int_equal(parse(WORDS("--config", path)), OPTIONS_RUN);
	assert_int_equal(config.port, 1);
	assert_int_equal(config.nr_listen, 2);
}

static void bad_options(void **state)
{
	static const struct {
		const char *word, *message, *hint;
	} cases[] = {
		{ "--exprot", "unknown option '--exprot'", "'--export'" },
		{ "--exprot=a", "unknown option '--exprot'", "'--export'" },
		{ "-x", "unknown option '-x'", "" },
		{ "--port", "--port needs a value", "" },
		{ "--port=0", "port must be", "" },
		{ "--config=/no/such/file", "/no/such/file", "" },
		{ "--export=a:sise=1", "unknown key 'sise'", "'size'" },
		{ "word", "unexpected argument 'word'", "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(parse(WORDS((char *)cases[i].word)),
				 OPTIONS_BAD);
		assert_contains(why.message, cases[i].message);
		assert_contains(why.hint, cases[i].hint);
	}
	load("[export a]\nsize=1M\n");
	assert_int_equal(parse(WORDS("--config", path, "--export",
				     "a:size=1M")), OPTIONS_BAD);
	assert_contains(why.message, "two exports 'a'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_whole_file),
		TEST(an_empty_file),
		TEST(metrics_of_this_host),
		TEST(errors_name_the_line),
		TEST(odd_files),
		TEST(options_over_file),
		TEST(bad_options),
	};

	return cmocka_run_group_tests_name("config", tests, make_file,
					   remove_file);
}
