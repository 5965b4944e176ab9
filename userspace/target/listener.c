// SPDX-License-Identifier: GPL-2.0
/*
 * Where connection requests and other events of librdmacm arrive, and the
 * addresses that are listened on. Requests are handed to request.c, other
 * events to the connection that they are about.
 *
 * An event is copied and acknowledged before it is handled, because handling
 * may destroy a connection id, and that waits for acknowledgements.
 */
#include <errno.h>
#include <fcntl.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "addr.h"
#include "cleanup.h"
#include "clock.h"
#include "config.h"
#include "conn.h"
#include "device.h"
#include "export.h"
#include "goodbye.h"
#include "listener.h"
#include "log.h"
#include "request.h"
#include "timer.h"

#define BACKLOG		1024	/* requests not looked at yet */
/*
 * Events, until others have their turn: fewer than device.c takes, so that whoever asks
 * for connections without end does not keep those waiting who have one.
 */
#define AT_ONCE		4
#define REGAIN_US	USEC_PER_SEC	/* between attempts to listen again */

/**
 * struct listener - the sockets of the connection manager, so to speak
 * @channel: where events arrive
 * @source: @channel in the event loop
 * @ids: one for each address that is listened on, in the order of the configuration,
 *	 which may have none; NULL: its RDMA device went away
 * @nr_ids: how many
 * @regain: listens on those again
 */
struct listener {
	struct rdma_event_channel	*channel;
	sd_event_source			*source;
	struct rdma_cm_id		*ids[CONFIG_LISTEN_MAX];
	unsigned int			nr_ids;
	sd_event_source			*regain;
};

/* ---- Events ------------------------------------------------------------ */

/* The RDMA device of an address that is listened on went away. */
static void lose_address(struct daemon *daemon, struct rdma_cm_id *id)
{
	struct listener *listener = daemon->listener;
	unsigned int i;

	for (i = 0; i < listener->nr_ids; i++) {
		if (listener->ids[i] != id)
			continue;
		listener->ids[i] = NULL;
		rdma_destroy_id(id);
		log_error("an address is not listened on any more: its RDMA device went away");
		timer_set(listener->regain, clock_now_us() + REGAIN_US);
		return;
	}
}

static void handle_event(struct daemon *daemon, struct rdma_cm_event *event)
{
	enum rdma_cm_event_type type = event->event;
	struct rdma_cm_id *id = event->id;
	int status = event->status;
	struct request request;

	if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
		request_copy(&request, event);
	rdma_ack_cm_event(event);

	if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
		request_handle(daemon, &request);
	else if (!id->context)
		goodbye_event(daemon, id, type);
	else if (id->context != daemon)
		conn_cm_event(id->context, type, status);
	else if (type == RDMA_CM_EVENT_DEVICE_REMOVAL)
		lose_address(daemon, id);
	else
		log_notice("unexpected event of a listener: %s, status %d",
			   rdma_event_str(type), status);
}

static int on_channel(sd_event_source *source __attribute__((unused)),
		      int fd __attribute__((unused)),
		      uint32_t revents __attribute__((unused)), void *data)
{
	struct daemon *daemon = data;
	struct rdma_cm_event *event;
	unsigned int n;

	for (n = 0; n < AT_ONCE; n++) {
		if (rdma_get_cm_event(daemon->listener->channel, &event))
			break;
		handle_event(daemon, event);
	}
	if (n < AT_ONCE && errno != EAGAIN && errno != EINTR)
		log_error("rdma_get_cm_event: %m");
	return 0;
}

/* ---- Addresses --------------------------------------------------------- */

/* The connection manager has one error for two things: ask the sockets. */
static bool address_exists(const union addr *addr)
{
	union addr any_port = *addr;
	CLEANUP_CLOSE int fd = socket(addr->sa.sa_family,
				      SOCK_DGRAM | SOCK_CLOEXEC, 0);

	/* The port is in the same place in both families. */
	any_port.in.sin_port = 0;
	return fd >= 0 && !bind(fd, &any_port.sa, sizeof(any_port));
}

static int bind_failed(const union addr *addr, int err, struct reason *why)
{
	char text[ADDR_TEXT_MAX];

	addr_text(addr, text);
	if (err == -EADDRNOTAVAIL && address_exists(addr))
		err = -EADDRINUSE;
	if (err == -EADDRINUSE) {
		reason_set(why, err, "the RDMA port %s is in use by another program",
			   text);
		reason_hint(why, "choose another --port, or end the other program");
	} else if (err == -ENODEV || err == -EADDRNOTAVAIL) {
		reason_set(why, err, "no RDMA device has the address %s", text);
		reason_hint(why, "'rdma link' and 'ip address' show what there is");
	} else {
		reason_set(why, err, "cannot listen on %s: %s", text,
			   strerror(-err));
	}
	return err;
}

static int bind_addr(struct daemon *daemon, union addr *addr,
		     struct rdma_cm_id **out, struct reason *why)
{
	struct listener *listener = daemon->listener;
	struct rdma_cm_id *id;
	int one = 1, err;

	if (rdma_create_id(listener->channel, &id, daemon, RDMA_PS_TCP))
		return reason_set(why, -errno, "cannot make a listener: %m");
	/* IPv4 has a listener of its own. */
	if (addr->sa.sa_family == AF_INET6 &&
	    rdma_set_option(id, RDMA_OPTION_ID, RDMA_OPTION_ID_AFONLY, &one,
			    sizeof(one))) {
		err = reason_set(why, -errno, "cannot make a listener for IPv6 alone: %m");
		goto destroy_id;
	}
	if (rdma_bind_addr(id, &addr->sa)) {
		err = bind_failed(addr, -errno, why);
		goto destroy_id;
	}
	*out = id;
	return 0;

destroy_id:
	rdma_destroy_id(id);
	return err;
}

/* All addresses: IPv4, and IPv6 where the kernel has it. */
static int bind_any(struct daemon *daemon, uint16_t port, struct reason *why)
{
	struct listener *listener = daemon->listener;
	union addr v4 = { .in = {
		.sin_family = AF_INET, .sin_port = htons(port),
	} };
	union addr v6 = { .in6 = {
		.sin6_family = AF_INET6, .sin6_port = htons(port),
		.sin6_addr = IN6ADDR_ANY_INIT,
	} };
	int err;

	err = bind_addr(daemon, &v4, &listener->ids[0], why);
	if (err)
		return err;
	listener->nr_ids = 1;
	err = bind_addr(daemon, &v6, &listener->ids[1], why);
	listener->nr_ids += !err;
	if (err != -EAFNOSUPPORT && err != -EADDRNOTAVAIL && err != -ENODEV)
		return err;
	log_notice("%s: only IPv4 is listened on", why->message);
	return 0;
}

static int open_device(struct daemon *daemon, const struct rdma_cm_id *id,
		       struct reason *why)
{
	struct device *device;
	int err;

	/* A wildcard address has no device: then all of them are meant. */
	if (!id->verbs)
		return device_open_all(daemon, why);
	if (device_find(daemon, id->verbs))
		return 0;
	err = device_check(id->verbs, why);
	/* It is meant, whatever its port is now. */
	if (err == -ENETDOWN)
		log_warning("%s", why->message);
	else if (err)
		return err;
	return device_open(daemon, id->verbs, &device, why);
}

static int bind_one(struct daemon *daemon, const struct config_listen *listen,
		    struct rdma_cm_id **out, struct reason *why)
{
	uint16_t port = listen->port ? listen->port : daemon->config->port;
	struct rdma_cm_id *id;
	const char *text;
	union addr addr;
	int err;

	if (addr_resolve(listen->host, port, true, &addr, &text))
		return reason_set(why, -EHOSTUNREACH, "%s: %s", listen->host,
				  text);
	err = bind_addr(daemon, &addr, &id, why);
	if (err)
		return err;
	err = open_device(daemon, id, why);
	if (err)
		rdma_destroy_id(id);
	else
		*out = id;
	return err;
}

static int listen_on(struct rdma_cm_id *id, struct reason *why)
{
	char text[ADDR_TEXT_MAX];
	union addr addr;

	addr_set_sockaddr(&addr, rdma_get_local_addr(id));
	if (rdma_listen(id, BACKLOG))
		return bind_failed(&addr, -errno, why);
	log_info("listening on %s", addr_text(&addr, text));
	return 0;
}

/* Addresses whose RDMA device went away, and perhaps came back. */
static int on_regain(sd_event_source *timer, uint64_t now_us, void *data)
{
	struct daemon *daemon = data;
	struct listener *listener = daemon->listener;
	bool lack = false;
	struct reason why;
	unsigned int i;

	for (i = 0; i < listener->nr_ids; i++) {
		if (listener->ids[i])
			continue;
		if (bind_one(daemon, &daemon->config->listen[i],
			     &listener->ids[i], &why))
			lack = true;
		else if (listen_on(listener->ids[i], &why))
			log_error("%s", why.message);
	}
	export_cover_devices(daemon);
	if (lack)
		timer_set(timer, now_us + REGAIN_US);
	return 0;
}

static int open_channel(struct daemon *daemon, struct reason *why)
{
	struct listener *listener = daemon->listener;
	int err, flags;

	listener->channel = rdma_create_event_channel();
	if (!listener->channel) {
		err = reason_set(why, -errno, "the RDMA connection manager cannot be used: %m");
		reason_hint(why, "'modprobe rdma_ucm', then 'rdma link' must show a device; 'rdma link add rxe0 type rxe netdev IFACE' makes an Ethernet interface one");
		return err;
	}
	flags = fcntl(listener->channel->fd, F_GETFL);
	if (flags < 0 || fcntl(listener->channel->fd, F_SETFL,
			       flags | O_NONBLOCK))
		return reason_set(why, -errno, "cannot wait for the RDMA connection manager: %m");
	err = sd_event_add_io(daemon->event, &listener->source,
			      listener->channel->fd, EPOLLIN, on_channel,
			      daemon);
	if (err >= 0)
		err = timer_new(daemon->event, &listener->regain, on_regain,
				daemon);
	return err < 0 ? reason_set(why, err, "event loop: %s",
				    strerror(-err)) : 0;
}

/**
 * listener_open() - take the addresses, and open the RDMA devices behind them
 * @daemon: the daemon
 * @why: set on failure; listener_close() is due then
 *
 * Return: 0 or a negative errno.
 */
int listener_open(struct daemon *daemon, struct reason *why)
{
	const struct config *config = daemon->config;
	unsigned int i;
	int err;

	daemon->listener = calloc(1, sizeof(*daemon->listener));
	if (!daemon->listener)
		return reason_set(why, -ENOMEM, "out of memory");
	err = open_channel(daemon, why);
	if (err)
		return err;
	if (config->nr_listen) {
		for (i = 0; !err && i < config->nr_listen; i++) {
			err = bind_one(daemon, &config->listen[i],
				       &daemon->listener->ids[i], why);
			daemon->listener->nr_ids += !err;
		}
		return err;
	}
	err = device_open_all(daemon, why);
	return err ? err : bind_any(daemon, config->port, why);
}

/**
 * listener_start() - let clients connect
 * @daemon: the daemon
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int listener_start(struct daemon *daemon, struct reason *why)
{
	struct listener *listener = daemon->listener;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < listener->nr_ids; i++)
		err = listen_on(listener->ids[i], why);
	return err;
}

/**
 * listener_stop() - let no more clients connect
 * @daemon: the daemon
 */
void listener_stop(struct daemon *daemon)
{
	struct listener *listener = daemon->listener;

	timer_stop(listener->regain);
	while (listener->nr_ids)
		if (listener->ids[--listener->nr_ids])
			rdma_destroy_id(listener->ids[listener->nr_ids]);
}

/**
 * listener_close() - undo listener_open(), also when it failed
 * @daemon: the daemon, without connections
 */
void listener_close(struct daemon *daemon)
{
	struct listener *listener = daemon->listener;
	struct device *device;

	if (!listener)
		return;
	listener_stop(daemon);
	/* While there is the channel that they need. */
	TAILQ_FOREACH(device, &daemon->devices, entry)
		goodbye_all(device);
	sd_event_source_disable_unref(listener->source);
	sd_event_source_disable_unref(listener->regain);
	if (listener->channel)
		rdma_destroy_event_channel(listener->channel);
	free(listener);
	daemon->listener = NULL;
}
