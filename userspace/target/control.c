// SPDX-License-Identifier: GPL-2.0
/*
 * The control socket, a UNIX stream socket that only root can open.
 *
 * A client sends requests, one JSON object a line of at most 64 KiB:
 *
 *	{"command": COMMAND, ...}
 *
 * and gets for each, in order, any number of lines
 *
 *	{"progress": {"phase": TEXT, "done": BYTES, "total": BYTES,
 *		      "rate": BYTES}}
 *
 * and then one line, either of
 *
 *	{"result": {...}}
 *	{"error": {"code": CODE, "message": TEXT, "hint": TEXT}}
 *
 * CODE is invalid, not-found, exists, busy, limit or failed; the hint may be
 * missing. The commands are in control_command.c.
 *
 * Nothing here blocks: what a client does not read is kept up to a limit, and
 * while a command waits, or answers are unread, no more requests are read.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cleanup.h"
#include "config.h"
#include "control.h"
#include "control_command.h"
#include "export_json.h"
#include "log.h"
#include "macros.h"

#define CLIENTS_MAX	64U
#define BACKLOG		16

TAILQ_HEAD(client_list, client);

/**
 * struct control - the socket and who is connected to it
 * @fd: the socket
 * @source: @fd in the event loop
 * @clients: who is connected
 * @nr_clients: how many
 */
struct control {
	int			fd;
	sd_event_source		*source;
	struct client_list	clients;
	unsigned int		nr_clients;
};

/* ---- Clients ----------------------------------------------------------- */

static void client_close(struct client *client)
{
	struct control *control = client->daemon->control;

	if (client->export)
		export_unwatch(client->export, &client->watch);
	TAILQ_REMOVE(&control->clients, client, entry);
	control->nr_clients--;
	sd_event_source_disable_unref(client->source);
	close(client->jsonl.fd);
	jsonl_free(&client->jsonl);
	free(client);
}

/* Reads only when the last answer is decided and read. */
static int set_events(struct client *client)
{
	const struct jsonl *jsonl = &client->jsonl;
	uint32_t events;

	if (jsonl->out_len)
		events = EPOLLOUT;
	else if (client->export)
		events = 0;
	else if (client->eof || jsonl->in_len > jsonl->scanned)
		events = EPOLLOUT;	/* at once: the next request, or the end */
	else
		events = EPOLLIN;
	return sd_event_source_set_io_events(client->source, events);
}

/* Handles what has arrived, up to a command that waits. */
static int handle_lines(struct client *client)
{
	struct json_object *request;
	const struct reason why = { .message = "the request is not a JSON object" };
	int err;

	while (!client->export && !client->jsonl.out_len) {
		err = jsonl_next(&client->jsonl, &request);
		if (err == -EAGAIN)
			return 0;
		if (err == -EBADMSG) {
			control_error(client, "invalid", &why);
			continue;
		}
		if (err)
			return err;
		control_command(client, request);
		json_object_put(request);
	}
	return 0;
}

static int on_client(sd_event_source *source __attribute__((unused)),
		     int fd __attribute__((unused)), uint32_t revents,
		     void *data)
{
	struct client *client = data;
	int err = 0;

	if (revents & (EPOLLHUP | EPOLLERR))
		err = -ENOTCONN;
	if (!err && (revents & EPOLLOUT))
		err = jsonl_flush(&client->jsonl);
	if (!err && (revents & EPOLLIN))
		err = jsonl_fill(&client->jsonl);
	if (err == -ENODATA)
		client->eof = true;
	if (!err || err == -EAGAIN || err == -ENODATA)
		err = handle_lines(client);
	if (!err && client->eof && !client->export && !client->jsonl.out_len)
		err = -ENODATA;
	if (!err)
		err = set_events(client);
	if (err == -EMSGSIZE)
		log_warning("control socket: a request is longer than %zu bytes",
			    JSONL_REQUEST_MAX);
	if (err < 0)
		client_close(client);
	return 0;
}

/**
 * control_answer() - send one line to a client
 * @client: the client
 * @kind: progress, result or error
 * @value: put here
 *
 * Progress is left out when the client has not read what came before.
 */
void control_answer(struct client *client, const char *kind,
		    struct json_object *value)
{
	CLEANUP_JSON struct json_object *line = json_object_new_object();
	int err;

	json_object_object_add(line, kind, value);
	if (client->jsonl.out_len && !strcmp(kind, "progress"))
		return;
	err = jsonl_queue(&client->jsonl, line);
	if (!err)
		err = jsonl_flush(&client->jsonl);
	if (!err || err == -EAGAIN)
		err = set_events(client);
	/* The event loop sees the end of the connection, and closes it. */
	if (err < 0)
		shutdown(client->jsonl.fd, SHUT_RDWR);
}

/**
 * control_error() - tell a client that its command failed
 * @client: the client
 * @code: one of those at the top of this file
 * @why: in words
 */
void control_error(struct client *client, const char *code,
		   const struct reason *why)
{
	struct json_object *error = json_object_new_object();

	json_object_object_add(error, "code", json_object_new_string(code));
	json_object_object_add(error, "message",
			       json_object_new_string(why->message));
	if (why->hint[0])
		json_object_object_add(error, "hint",
				       json_object_new_string(why->hint));
	control_answer(client, "error", error);
}

static void on_event(struct export_watch *watch, struct export *export,
		     enum export_event event, const struct reason *why)
{
	struct client *client = container_of(watch, struct client, watch);

	if (event == EXPORT_EVENT_PROGRESS)
		control_answer(client, "progress",
			       export_json_progress(export));
	else
		client->decide(client, export, event, why);
}

/**
 * control_wait() - an export's fate decides the answer
 * @client: the client; told of the progress meanwhile
 * @export: the export
 * @decide: answers when it is known
 */
void control_wait(struct client *client, struct export *export,
		  control_decide_fn *decide)
{
	client->export = export;
	client->decide = decide;
	client->watch.event = on_event;
	export_watch(export, &client->watch);
}

/**
 * control_wait_done() - the fate is known, and the answer comes now
 * @client: a client that waits
 */
void control_wait_done(struct client *client)
{
	export_unwatch(client->export, &client->watch);
	client->export = NULL;
}

static int client_open(struct daemon *daemon, int fd)
{
	struct control *control = daemon->control;
	struct client *client = calloc(1, sizeof(*client));
	int err;

	if (!client)
		return -ENOMEM;
	client->daemon = daemon;
	err = sd_event_add_io(daemon->event, &client->source, fd, EPOLLIN,
			      on_client, client);
	if (err < 0) {
		free(client);
		return err;
	}
	jsonl_init(&client->jsonl, fd, JSONL_REQUEST_MAX);
	TAILQ_INSERT_TAIL(&control->clients, client, entry);
	control->nr_clients++;
	return 0;
}

static int on_connect(sd_event_source *source __attribute__((unused)), int fd,
		      uint32_t revents __attribute__((unused)), void *data)
{
	static struct log_limit limit;
	struct daemon *daemon = data;
	CLEANUP_CLOSE int client = accept4(fd, NULL, NULL,
					   SOCK_NONBLOCK | SOCK_CLOEXEC);
	int err = 0;

	if (client < 0)
		err = -errno;
	else if (daemon->control->nr_clients >= CLIENTS_MAX)
		err = -EMFILE;
	else
		err = client_open(daemon, client);
	if (!err)
		take_fd(client);
	else if (err != -EAGAIN && err != -ECONNABORTED)
		log_limited(&limit, LOG_WARNING, "control socket: %s",
			    strerror(-err));
	return 0;
}

/* ---- The socket -------------------------------------------------------- */

static int bind_socket(int fd, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	mode_t old = umask(0177);
	int err;

	memcpy(addr.sun_path, path, strlen(path) + 1);
	err = bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ? -errno : 0;
	umask(old);
	return err;
}

/* A socket that nobody serves is left over from a daemon that was killed. */
static int remove_stale(const char *path, struct reason *why)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	CLEANUP_CLOSE int fd = -1;
	struct stat st;

	/* Whatever else it is, connect() refuses it like a socket that nobody serves. */
	if (lstat(path, &st))
		return reason_set(why, -errno, "cannot examine %s: %m", path);
	if (!S_ISSOCK(st.st_mode)) {
		reason_set(why, -EEXIST, "%s is there, and no socket", path);
		reason_hint(why, "choose another --socket, or remove it");
		return -EEXIST;
	}
	memcpy(addr.sun_path, path, strlen(path) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return reason_set(why, -errno, "cannot make a socket: %m");
	if (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    errno != ECONNREFUSED) {
		reason_set(why, -EADDRINUSE, "%s is in use", path);
		reason_hint(why, "a second daemon needs its own --socket");
		return -EADDRINUSE;
	}
	if (unlink(path))
		return reason_set(why, -errno, "cannot remove %s: %m", path);
	return 0;
}

static int make_socket(const char *path, int *out, struct reason *why)
{
	CLEANUP_CLOSE int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC |
				      SOCK_NONBLOCK, 0);
	int err;

	if (fd < 0)
		return reason_set(why, -errno, "cannot make a socket: %m");
	err = bind_socket(fd, path);
	if (err == -EADDRINUSE) {
		err = remove_stale(path, why);
		if (err)
			return err;
		err = bind_socket(fd, path);
	}
	if (!err && listen(fd, BACKLOG))
		err = -errno;
	if (err)
		return reason_set(why, err, "cannot make the control socket %s: %s",
				  path, strerror(-err));
	*out = take_fd(fd);
	return 0;
}

/**
 * control_open() - make the control socket
 * @daemon: the daemon, which holds the lock of its state directory
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int control_open(struct daemon *daemon, struct reason *why)
{
	struct control *control = calloc(1, sizeof(*control));
	int err;

	if (!control)
		return reason_set(why, -ENOMEM, "out of memory");
	TAILQ_INIT(&control->clients);
	err = make_socket(daemon->config->socket, &control->fd, why);
	if (err)
		goto free_control;
	err = sd_event_add_io(daemon->event, &control->source, control->fd,
			      EPOLLIN, on_connect, daemon);
	if (err < 0) {
		reason_set(why, err, "event loop: %s", strerror(-err));
		goto close_socket;
	}
	daemon->control = control;
	return 0;

close_socket:
	close(control->fd);
	unlink(daemon->config->socket);
free_control:
	free(control);
	return err;
}

/**
 * control_close() - remove the control socket and drop its clients
 * @daemon: the daemon
 */
void control_close(struct daemon *daemon)
{
	struct control *control = daemon->control;
	struct client *client, *next;

	if (!control)
		return;
	TAILQ_FOREACH_SAFE(client, &control->clients, entry, next)
		client_close(client);
	sd_event_source_disable_unref(control->source);
	close(control->fd);
	if (unlink(daemon->config->socket))
		log_warning("cannot remove %s: %m", daemon->config->socket);
	free(control);
	daemon->control = NULL;
}
