// SPDX-License-Identifier: GPL-2.0
/*
 * The metrics over HTTP. libmicrohttpd does what has to do with HTTP, in the event
 * loop like all else here: it has an epoll descriptor of its own, and says when it
 * wants to be called to end what takes too long.
 *
 * Who connects and says little by little what it wants never takes too long for the
 * library. So there is a limit to how many others come before a connection ends.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "addr.h"
#include "clock.h"
#include "config.h"
#include "http.h"
#include "log.h"
#include "metrics.h"
#include "timer.h"

#define TYPE		"application/openmetrics-text; version=1.0.0; charset=utf-8"
#define CLIENTS		16U	/* at one time; the oldest makes room */
#define CLIENTS_MAX	(2 * CLIENTS)	/* with those that end */
#define PATIENCE_S	10U	/* with a client that says nothing */

/**
 * struct http - the server
 * @server: the library's
 * @source: its descriptor in the event loop
 * @timer: runs out when it wants to be called
 * @fds: sockets of the latest clients; -1: that one is gone
 * @next: whose place in @fds the next client takes
 */
struct http {
	struct MHD_Daemon	*server;
	sd_event_source		*source;
	sd_event_source		*timer;
	int			fds[CLIENTS];
	unsigned int		next;
};

static void make_room(struct http *http, int fd)
{
	int *oldest = &http->fds[http->next];

	/* The library sees the end, and closes it. */
	if (*oldest >= 0)
		shutdown(*oldest, SHUT_RDWR);
	*oldest = fd;
	http->next = (http->next + 1) % CLIENTS;
}

static void forget(struct http *http, int fd)
{
	unsigned int i;

	for (i = 0; i < CLIENTS; i++)
		if (http->fds[i] == fd)
			http->fds[i] = -1;
}

static void on_connection(void *data, struct MHD_Connection *connection,
			  void **context __attribute__((unused)),
			  enum MHD_ConnectionNotificationCode code)
{
	int fd = MHD_get_connection_info(connection,
			MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		make_room(data, fd);
	else
		forget(data, fd);
}

static enum MHD_Result answer(struct MHD_Connection *connection,
			      unsigned int status, const char *type, char *text)
{
	struct MHD_Response *response;
	enum MHD_Result result;

	/* It frees the text. */
	response = MHD_create_response_from_buffer(strlen(text), text,
						   MHD_RESPMEM_MUST_FREE);
	if (!response) {
		free(text);
		return MHD_NO;
	}
	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection,
			      unsigned int status, const char *text)
{
	char *copy = strdup(text);

	return copy ? answer(connection, status, "text/plain", copy) : MHD_NO;
}

static enum MHD_Result on_request(void *data, struct MHD_Connection *connection,
				  const char *url, const char *method,
				  const char *version __attribute__((unused)),
				  const char *body __attribute__((unused)),
				  size_t *body_len, void **seen)
{
	static int began;
	char *text;

	/* Called first with the headers, then with what follows. */
	if (!*seen) {
		*seen = &began;
		return MHD_YES;
	}
	*body_len = 0;
	if (strcmp(method, MHD_HTTP_METHOD_GET) &&
	    strcmp(method, MHD_HTTP_METHOD_HEAD))
		return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
			      "this can only be read\n");
	if (strcmp(url, "/metrics"))
		return refuse(connection, MHD_HTTP_NOT_FOUND,
			      "there is /metrics, and nothing else\n");
	text = metrics_text(data);
	return text ? answer(connection, MHD_HTTP_OK, TYPE, text) : MHD_NO;
}

/* Lets the library do what there is to do. */
static void turn(struct http *http)
{
	MHD_UNSIGNED_LONG_LONG left_ms;

	MHD_run(http->server);
	if (MHD_get_timeout(http->server, &left_ms) == MHD_YES)
		timer_set(http->timer, clock_now_us() + left_ms * USEC_PER_MSEC);
	else
		timer_stop(http->timer);
}

static int on_io(sd_event_source *source __attribute__((unused)),
		 int fd __attribute__((unused)),
		 uint32_t revents __attribute__((unused)), void *data)
{
	turn(data);
	return 0;
}

static int on_timer(sd_event_source *source __attribute__((unused)),
		    uint64_t at_us __attribute__((unused)), void *data)
{
	turn(data);
	return 0;
}

static bool is_loopback(const union addr *addr)
{
	return addr->sa.sa_family == AF_INET ?
	       ntohl(addr->in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET :
	       IN6_IS_ADDR_LOOPBACK(&addr->in6.sin6_addr);
}

static int serve(struct daemon *daemon, const union addr *addr,
		 struct reason *why)
{
	unsigned int flags = MHD_USE_EPOLL |
			     (addr->sa.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0);
	struct http *http = daemon->http;
	char text[ADDR_TEXT_MAX];

	addr_text(addr, text);
	errno = 0;
	http->server = MHD_start_daemon(flags, 0, NULL, NULL, on_request, daemon,
		MHD_OPTION_SOCK_ADDR, &addr->sa,
		MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
		MHD_OPTION_CONNECTION_LIMIT, CLIENTS_MAX,
		MHD_OPTION_CONNECTION_TIMEOUT, PATIENCE_S, MHD_OPTION_END);
	if (!http->server) {
		int err = errno ? -errno : -EIO;

		reason_set(why, err, "metrics: cannot listen on %s: %s", text,
			   strerror(-err));
		reason_hint(why, "choose another address and port: metrics = ADDRESS:PORT");
		return err;
	}
	log_info("metrics: http://%s/metrics", text);
	if (!is_loopback(addr))
		log_notice("metrics: whoever reaches %s can read the names of exports, and how much they are used",
			   text);
	return 0;
}

static int join_loop(struct daemon *daemon, struct reason *why)
{
	struct http *http = daemon->http;
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(http->server, MHD_DAEMON_INFO_EPOLL_FD);
	int err = info ? timer_new(daemon->event, &http->timer, on_timer, http) :
		  -ENOTSUP;

	if (!err)
		err = sd_event_add_io(daemon->event, &http->source,
				      info->epoll_fd, EPOLLIN, on_io, http);
	return err < 0 ? reason_set(why, err, "metrics: event loop: %s",
				    strerror(-err)) : 0;
}

/**
 * http_open() - begin to serve the metrics, if that is configured
 * @daemon: the daemon
 * @why: set on failure; http_close() is due then
 *
 * Return: 0 or a negative errno.
 */
int http_open(struct daemon *daemon, struct reason *why)
{
	const struct config_listen *listen = &daemon->config->metrics;
	const char *text;
	union addr addr;
	int err;

	if (!listen->port)
		return 0;
	if (addr_resolve(listen->host, listen->port, true, &addr, &text))
		return reason_set(why, -EHOSTUNREACH, "metrics: %s: %s",
				  listen->host, text);
	daemon->http = calloc(1, sizeof(*daemon->http));
	if (!daemon->http)
		return reason_set(why, -ENOMEM, "out of memory");
	memset(daemon->http->fds, -1, sizeof(daemon->http->fds));
	err = serve(daemon, &addr, why);
	return err ? err : join_loop(daemon, why);
}

/**
 * http_close() - undo http_open(), also when it failed
 * @daemon: the daemon
 */
void http_close(struct daemon *daemon)
{
	struct http *http = daemon->http;

	if (!http)
		return;
	sd_event_source_disable_unref(http->source);
	sd_event_source_disable_unref(http->timer);
	if (http->server)
		MHD_stop_daemon(http->server);
	free(http);
	daemon->http = NULL;
}
