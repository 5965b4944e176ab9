// SPDX-License-Identifier: GPL-2.0
/*
 * The control socket (target/control.c, control_command.c), in a daemon that
 * has no RDMA device and so no exports: what it makes of requests of all kinds.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "config.h"
#include "control.h"
#include "export.h"
#include "macros.h"
#include "version.h"

#define CLIENTS	64	/* as many as the daemon serves at one time */

static struct config config;
static struct daemon daemon_;
static struct reason why;
static char answer[65536];

static int setup(void **state)
{
	(void)state;
	config_init(&config);
	snprintf(config.socket, sizeof(config.socket),
		 "/tmp/rdmablk-test-%d.sock", getpid());
	strcpy(config.state_dir, "/nonexistent");
	daemon_init(&daemon_, &config);
	if (sd_event_new(&daemon_.event) < 0)
		return -1;
	return control_open(&daemon_, &why);
}

static int teardown(void **state)
{
	(void)state;
	control_close(&daemon_);
	sd_event_unref(daemon_.event);
	return access(config.socket, F_OK) ? 0 : -1;	/* is it gone? */
}

/* Lets the daemon do all that there is to do. */
static void run(void)
{
	while (sd_event_run(daemon_.event, 10000) > 0)
		;
}

static int dial(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	assert_true(fd >= 0);
	strcpy(addr.sun_path, config.socket);
	assert_int_equal(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	run();
	return fd;
}

/* What has arrived; empty for nothing, NULL for the end of the stream. */
static const char *receive(int fd)
{
	ssize_t got = recv(fd, answer, sizeof(answer) - 1, 0);

	if (!got || (got < 0 && errno != EAGAIN))
		return NULL;
	answer[got < 0 ? 0 : got] = '\0';
	return answer;
}

static const char *ask(int fd, const char *request, size_t len)
{
	assert_int_equal(send(fd, request, len, MSG_NOSIGNAL), len);
	run();
	return receive(fd);
}

static const char *ask_once(const char *request)
{
	int fd = dial();
	const char *text = ask(fd, request, strlen(request));

	close(fd);
	run();
	assert_non_null(text);
	return text;
}

static void version(void **state)
{
	(void)state;
	assert_string_equal(ask_once("{\"command\":\"version\"}\n"),
			    "{\"result\":{\"version\":\"" RDMABLK_VERSION
			    "\",\"protocol_min\":1,\"protocol_max\":1}}\n");
	assert_string_equal(ask_once("{\"command\":\"export-list\"}\n"),
			    "{\"result\":{\"exports\":[]}}\n");
}

static void bad_requests(void **state)
{
	static const struct {
		const char *request, *code, *text;
	} cases[] = {
		{ "\n", "invalid", "not a JSON object" },
		{ "[]\n", "invalid", "not a JSON object" },
		{ "{}\n", "invalid", "unknown command ''" },
		{ "{\"command\":1}\n", "invalid", "unknown command" },
		{ "{\"command\":\"verzion\"}\n", "invalid", "'version'" },
		{ "{\"command\":\"export-show\"}\n", "invalid", "names no export" },
		{ "{\"command\":\"export-show\",\"name\":7}\n", "invalid",
		  "names no export" },
		{ "{\"command\":\"export-show\",\"name\":\"a\\u0000b\"}\n",
		  "invalid", "names no export" },
		{ "{\"command\":\"export-show\",\"name\":\"a\"}\n", "not-found",
		  "no export 'a'" },
		{ "{\"command\":\"export-resize\",\"name\":\"a\",\"size\":512}\n",
		  "not-found", "no export 'a'" },
		{ "{\"command\":\"export-remove\",\"name\":\"%n\"}\n",
		  "not-found", "no export '%n'" },
		{ "{\"command\":\"export-add\",\"name\":\"../x\",\"size\":512}\n",
		  "invalid", "not a name" },
		{ "{\"command\":\"export-add\",\"name\":\"\",\"size\":512}\n",
		  "invalid", "empty" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"size\":{}}\n",
		  "invalid", "size must be text" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"size\":-5}\n",
		  "invalid", "not a size" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"size\":1.5}\n",
		  "invalid", "must be text" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"size\":4097}\n",
		  "invalid", "4096 and 4608" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"sise\":1}\n",
		  "invalid", "'size'" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"block_size\":768,\"size\":512}\n",
		  "invalid", "block-size must be" },
		/* All is well but for the RDMA device. */
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"size\":\"1M\",\"read_only\":true}\n",
		  "failed", "no RDMA device" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"size\":\"2E\",\"extent_size\":\"1T\"}\n",
		  "limit", "65536 are allowed" },
		{ "{\"command\":\"export-add\",\"name\":\"x\",\"size\":\"1P\",\"extent_size\":\"1T\"}\n",
		  "limit", "too much" },
	};
	const char *text;
	char code[32];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		snprintf(code, sizeof(code), "{\"code\":\"%s\"", cases[i].code);
		text = ask_once(cases[i].request);
		assert_contains(text, "{\"error\":");
		assert_contains(text, code);
		assert_contains(text, cases[i].text);
		assert_true(TAILQ_EMPTY(&daemon_.exports));
	}
}

static void a_mistyped_export(void **state)
{
	static struct export exports[3];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(exports); i++) {
		snprintf(exports[i].spec.name, sizeof(exports[i].spec.name),
			 "backup%zu", i);
		TAILQ_INSERT_TAIL(&daemon_.exports, &exports[i], entry);
	}
	assert_contains(ask_once("{\"command\":\"export-show\",\"name\":\"bakcup1\"}\n"),
			"did you mean 'backup1'?");
	assert_contains(ask_once("{\"command\":\"export-show\",\"name\":\"disk\"}\n"),
			"'rbdctl export list'");
	for (i = 0; i < ARRAY_SIZE(exports); i++)
		TAILQ_REMOVE(&daemon_.exports, &exports[i], entry);
}

static void a_stopping_daemon_adds_nothing(void **state)
{
	(void)state;
	daemon_.stopping = true;
	assert_contains(ask_once("{\"command\":\"export-add\",\"name\":\"x\",\"size\":\"1M\"}\n"),
			"stopping");
	daemon_.stopping = false;
}

static void many_requests_at_once(void **state)
{
	static const char three[] =
		"{\"command\":\"version\"}\n{}\n{\"command\":\"version\"}\n";
	int fd = dial();
	const char *text = ask(fd, three, sizeof(three) - 1);

	(void)state;
	assert_contains(text, "}\n{\"error\"");
	assert_contains(strstr(text, "error"), "\"result\"");
	/* Half of one, and the rest. */
	assert_string_equal(ask(fd, three, 10), "");
	assert_contains(ask(fd, three + 10, 12), "result");
	close(fd);
	run();
}

/* Who closes one direction still gets the answers, and then the end. */
static void half_closed(void **state)
{
	int fd = dial();

	(void)state;
	assert_int_equal(send(fd, "{}\n{}\n", 6, 0), 6);
	assert_int_equal(shutdown(fd, SHUT_WR), 0);
	run();
	assert_contains(receive(fd), "}\n{\"error\"");
	assert_null(receive(fd));
	close(fd);
	fd = dial();
	assert_int_equal(shutdown(fd, SHUT_WR), 0);
	run();
	assert_null(receive(fd));
	close(fd);
}

static void a_line_without_end(void **state)
{
	static char line[JSONL_REQUEST_MAX + 1];
	int fd = dial();

	(void)state;
	memset(line, 'x', sizeof(line));
	assert_null(ask(fd, line, sizeof(line)));
	close(fd);
}

static void one_that_does_not_read(void **state)
{
	int slow = dial(), quick = dial(), i;
	size_t read = 0;
	ssize_t sent = 1;

	(void)state;
	for (i = 0; i < 100000 && sent > 0; i++) {
		sent = send(slow, "{\"command\":\"export-list\"}\n", 26,
			    MSG_NOSIGNAL);
		if (i % 100 == 0)
			run();
	}
	assert_int_equal(errno, EAGAIN);	/* it waits, nobody else does */
	assert_contains(ask(quick, "{\"command\":\"version\"}\n", 22), "result");

	/* When it reads, all answers come. */
	while (receive(slow) && answer[0]) {
		read += strlen(answer);
		run();
	}
	assert_int_equal(read, (i - 1) * strlen("{\"result\":{\"exports\":[]}}\n"));
	close(slow);
	close(quick);
	run();
}

static void too_many_clients(void **state)
{
	int fds[CLIENTS], i, late;

	(void)state;
	for (i = 0; i < CLIENTS; i++)
		fds[i] = dial();
	late = dial();
	assert_null(receive(late));
	close(late);
	close(fds[0]);
	run();
	late = dial();
	assert_string_equal(receive(late), "");
	close(late);
	for (i = 1; i < CLIENTS; i++)
		close(fds[i]);
	run();
}

/* ---- The socket ------------------------------------------------------------ */

static void only_for_its_owner(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(config.socket, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void a_socket_in_use(void **state)
{
	struct daemon second = daemon_;

	(void)state;
	second.control = NULL;
	assert_int_equal(control_open(&second, &why), -EADDRINUSE);
	assert_contains(why.message, "is in use");
	assert_int_equal(access(config.socket, F_OK), 0);
}

static void a_socket_left_over(void **state)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)state;
	control_close(&daemon_);
	strcpy(addr.sun_path, config.socket);
	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	close(fd);	/* as if killed: the name stays */
	assert_int_equal(control_open(&daemon_, &why), 0);
	assert_contains(ask_once("{\"command\":\"version\"}\n"), "result");
}

static void no_socket_is_removed(void **state)
{
	int fd;

	(void)state;
	control_close(&daemon_);
	fd = open(config.socket, O_CREAT | O_EXCL | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(control_open(&daemon_, &why), -EEXIST);
	assert_contains(why.message, "no socket");
	assert_int_equal(access(config.socket, F_OK), 0);
	assert_int_equal(unlink(config.socket), 0);
}

#define CONTROL_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CONTROL_TEST(version),
		CONTROL_TEST(bad_requests),
		CONTROL_TEST(a_mistyped_export),
		CONTROL_TEST(a_stopping_daemon_adds_nothing),
		CONTROL_TEST(many_requests_at_once),
		CONTROL_TEST(half_closed),
		CONTROL_TEST(a_line_without_end),
		CONTROL_TEST(one_that_does_not_read),
		CONTROL_TEST(too_many_clients),
		CONTROL_TEST(only_for_its_owner),
		CONTROL_TEST(a_socket_in_use),
		CONTROL_TEST(a_socket_left_over),
		CONTROL_TEST(no_socket_is_removed),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
