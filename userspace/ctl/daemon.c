// SPDX-License-Identifier: GPL-2.0
/*
 * Asks the rdmablkd of this host to do something. One request a connection: a
 * JSON object a line; the answer is any number of progress reports and then a
 * result or an error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cleanup.h"
#include "daemon.h"
#include "json.h"
#include "jsonl.h"
#include "progress.h"
#include "report.h"

#define DEFAULT_SOCKET	"/run/rdmablkd/control.sock"
#define SILENCE_S	30	/* the daemon reports progress more often */

const char *daemon_socket = DEFAULT_SOCKET;

/**
 * daemon_request() - begin a request
 * @command: of the daemon
 *
 * Return: an object to add more to; daemon_call() puts it.
 */
struct json_object *daemon_request(const char *command)
{
	struct json_object *request = json_object_new_object();

	json_object_object_add(request, "command",
			       json_object_new_string(command));
	return request;
}

/**
 * daemon_request_for() - begin a request that concerns one export
 * @command: of the daemon
 * @name: the export's
 *
 * Return: as daemon_request().
 */
struct json_object *daemon_request_for(const char *command, const char *name)
{
	struct json_object *request = daemon_request(command);

	json_object_object_add(request, "name", json_object_new_string(name));
	return request;
}

static int daemon_connect(int *fd)
{
	const struct timeval silence = { .tv_sec = SILENCE_S };
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	if (strlen(daemon_socket) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	strcpy(addr.sun_path, daemon_socket);
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd < 0)
		return -errno;
	setsockopt(*fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof(silence));
	setsockopt(*fd, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof(silence));
	return connect(*fd, (struct sockaddr *)&addr, sizeof(addr)) ?
	       -errno : 0;
}

static enum rbdctl_exit connect_failed(int err)
{
	switch (err) {
	case -ENOENT:
	case -ECONNREFUSED:
		fail(EXIT_UNAVAILABLE, "rdmablkd is not running on this host: nobody listens on %s",
		     daemon_socket);
		remedy("start it, see rdmablkd(8), or say --socket PATH if it listens elsewhere");
		return EXIT_UNAVAILABLE;
	case -EACCES:
	case -EPERM:
		fail(EXIT_REFUSED, "you may not talk to rdmablkd (%s): only root may",
		     daemon_socket);
		remedy("try 'sudo rbdctl ...'");
		return EXIT_REFUSED;
	default:
		return fail(EXIT_UNAVAILABLE, "cannot connect to %s: %s",
			    daemon_socket, strerror(-err));
	}
}

static enum rbdctl_exit answer_failed(int err)
{
	switch (err) {
	case -EAGAIN:
		return fail(EXIT_UNREACHABLE, "rdmablkd did not answer within %d s",
			    SILENCE_S);
	case -ENODATA:
	case -ECONNRESET:
	case -EPIPE:
		fail(EXIT_FAILED, "rdmablkd closed the connection without an answer");
		remedy("is it still running? its log may say more");
		return EXIT_FAILED;
	case -EBADMSG:
	case -EMSGSIZE:
		return fail(EXIT_FAILED, "what answers on %s is not rdmablkd",
			    daemon_socket);
	default:
		return fail(EXIT_FAILED, "cannot talk to rdmablkd: %s",
			    strerror(-err));
	}
}

static enum rbdctl_exit refused(struct json_object *error)
{
	static const struct {
		const char *code;
		enum rbdctl_exit exit;
	} codes[] = {
		{ "invalid",	EXIT_USAGE },
		{ "not-found",	EXIT_NOT_FOUND },
		{ "exists",	EXIT_BUSY },
		{ "busy",	EXIT_BUSY },
	};
	enum rbdctl_exit code = EXIT_FAILED;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(codes); i++)
		if (!strcmp(json_text(error, "code"), codes[i].code))
			code = codes[i].exit;
	fail(code, "%s", *json_text(error, "message") ?
	     json_text(error, "message") : "rdmablkd refuses, without a word");
	if (*json_text(error, "hint"))
		remedy("%s", json_text(error, "hint"));
	return code;
}

/* Reads up to the result or the error, which stays in @answer. */
static int read_answer(struct jsonl *jsonl, struct json_object **answer)
{
	struct progress progress = { 0 };
	struct json_object *report;
	int err;

	for (;;) {
		err = jsonl_recv(jsonl, answer);
		if (err || !json_object_object_get_ex(*answer, "progress",
						      &report))
			break;
		progress_show(&progress, json_text(report, "phase"),
			      json_number(report, "done"),
			      json_number(report, "total"),
			      json_number(report, "rate"));
		json_object_put(*answer);
		*answer = NULL;
	}
	progress_end(&progress);
	return err;
}

/* @connected tells a daemon that is not there from one that does not answer. */
static int exchange(struct json_object *request, struct json_object **answer,
		    bool *connected)
{
	CLEANUP_CLOSE int fd = -1;
	struct jsonl jsonl;
	int err;

	err = daemon_connect(&fd);
	*connected = !err;
	if (err)
		return err;
	jsonl_init(&jsonl, fd, JSONL_ANSWER_MAX);
	err = jsonl_send(&jsonl, request);
	if (!err)
		err = read_answer(&jsonl, answer);
	jsonl_free(&jsonl);
	return err;
}

/**
 * daemon_call() - have the daemon do something
 * @request: from daemon_request(); put here
 * @result: set on success; the caller puts it
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit daemon_call(struct json_object *request,
			     struct json_object **result)
{
	CLEANUP_JSON struct json_object *answer = NULL;
	struct json_object *part;
	bool connected;
	int err;

	err = exchange(request, &answer, &connected);
	json_object_put(request);
	if (err)
		return connected ? answer_failed(err) : connect_failed(err);
	if (json_object_object_get_ex(answer, "error", &part))
		return refused(part);
	if (!json_object_object_get_ex(answer, "result", &part))
		return answer_failed(-EBADMSG);
	*result = json_object_get(part);
	return EXIT_OK;
}

/**
 * daemon_run() - have the daemon do something of which programs see the result
 * @request: from daemon_request(); put here
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit daemon_run(struct json_object *request)
{
	CLEANUP_JSON struct json_object *result = NULL;
	enum rbdctl_exit code = daemon_call(request, &result);

	if (!code && report_json)
		print_json(result);
	return code;
}

/**
 * daemon_ask() - have the daemon tell something, if it runs
 * @request: from daemon_request(); put here
 * @result: set on success; the caller puts it
 *
 * Prints nothing: it is no failure when no daemon runs.
 *
 * Return: 0, or a negative errno: -ENOENT or -ECONNREFUSED when none does.
 */
int daemon_ask(struct json_object *request, struct json_object **result)
{
	CLEANUP_JSON struct json_object *answer = NULL;
	struct json_object *part;
	bool connected;
	int err;

	err = exchange(request, &answer, &connected);
	json_object_put(request);
	if (err)
		return err;
	if (!json_object_object_get_ex(answer, "result", &part))
		return -EBADMSG;
	*result = json_object_get(part);
	return 0;
}
