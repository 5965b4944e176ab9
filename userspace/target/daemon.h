/* SPDX-License-Identifier: GPL-2.0 */
/* The daemon: what its parts share. Everything runs in one event loop. */
#ifndef RDMABLKD_DAEMON_H
#define RDMABLKD_DAEMON_H

#include <stdbool.h>
#include <systemd/sd-event.h>

#include "counters.h"
#include "queue.h"

struct config;
struct control;
struct device;
struct export;
struct http;
struct ibv_context;
struct keyring;
struct listener;
struct peer;
struct session;

TAILQ_HEAD(device_list, device);
TAILQ_HEAD(export_list, export);
TAILQ_HEAD(peer_list, peer);
TAILQ_HEAD(session_list, session);

/**
 * struct daemon - everything there is one of
 * @event: the event loop
 * @config: as it was given
 * @devices: RDMA devices in use
 * @listed: all that there were, in use or not, as librdmacm has them open; NULL: nobody
 *	    has asked for them
 * @exports: in order of their addition
 * @sessions: live and dying ones
 * @nr_sessions: how many are in @sessions
 * @nr_half_open: those that have not opened an export
 * @peers: hosts that clients connect from
 * @nr_idle_peers: those in @peers that have no session
 * @keyring: the clients' keys; NULL: no client can authenticate
 * @hotplug: hears that RDMA devices go away
 * @listener: takes connection requests
 * @control: the UNIX socket
 * @http: serves the metrics; NULL: that is not configured
 * @counters: what has happened since it started
 * @starting: exports of the configuration are being prepared
 * @stopping: asked to end
 */
struct daemon {
	sd_event		*event;
	const struct config	*config;
	struct device_list	devices;
	struct ibv_context	**listed;
	struct export_list	exports;
	struct session_list	sessions;
	unsigned int		nr_sessions;
	unsigned int		nr_half_open;
	struct peer_list	peers;
	unsigned int		nr_idle_peers;
	struct keyring		*keyring;
	struct hotplug		*hotplug;
	struct listener		*listener;
	struct control		*control;
	struct http		*http;
	struct counters		counters;
	bool			starting;
	bool			stopping;
};

/**
 * daemon_init() - begin with nothing
 * @daemon: set, without an event loop as yet
 * @config: must outlive it
 */
static inline void daemon_init(struct daemon *daemon,
			       const struct config *config)
{
	*daemon = (struct daemon){ .config = config };
	TAILQ_INIT(&daemon->devices);
	TAILQ_INIT(&daemon->exports);
	TAILQ_INIT(&daemon->sessions);
	TAILQ_INIT(&daemon->peers);
}

#endif /* RDMABLKD_DAEMON_H */
