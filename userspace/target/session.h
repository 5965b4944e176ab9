/* SPDX-License-Identifier: GPL-2.0 */
/* A session: one client's use of one export. */
#ifndef RDMABLKD_SESSION_H
#define RDMABLKD_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "claim.h"
#include "ctrl.h"
#include "daemon.h"
#include "data.h"
#include "export.h"
#include "flush.h"
#include "login.h"
#include "macros.h"
#include "peer.h"

struct request;

#define SESSION_TEXT_MAX	(RDMABLK_HOST_MAX + ADDR_TEXT_MAX + 4)
#define SESSION_HOLDERS_MAX	256

enum session_state {
	SESSION_CONNECTED,	/* HELLO must come */
	SESSION_GREETED,	/* AUTH must come, or OPEN, as the login says */
	SESSION_OPEN,		/* holds an export */
	SESSION_ENDING,		/* last messages are under way */
	SESSION_DEAD,		/* about to be freed */
};

/**
 * struct session - a client
 * @entry: in the daemon's list
 * @daemon: the daemon
 * @state: what may come next
 * @ctrl: its control connection
 * @peer: where it comes from
 * @login: whether it is who it says it is
 * @claim: who it is, and what it holds; in the export's list while open
 * @export: what it has open, or NULL
 * @region: the export on this session's device
 * @face: what it may do there
 * @nr_queues: data queues granted
 * @nr_windows: memory windows that go with them
 * @queues: data connections by hctx; NULL where there is none
 * @flush: the flush that it waits for
 * @keep_alive_ms: silence that ends it
 * @heard_us: when the last message arrived, CLOCK_MONOTONIC
 * @timer: handshake deadline, then keep-alive, then end of the last messages
 * @burial: frees it when the event loop has nothing on its stack
 */
struct session {
	TAILQ_ENTRY(session)	entry;
	struct daemon		*daemon;
	enum session_state	state;
	struct ctrl		ctrl;
	struct peer		*peer;
	struct login		login;
	struct claim		claim;
	struct export		*export;
	struct region		*region;
	enum face		face;
	unsigned int		nr_queues;
	unsigned int		nr_windows;
	struct data		**queues;
	struct flush		flush;
	uint32_t		keep_alive_ms;
	uint64_t		heard_us;
	sd_event_source		*timer;
	sd_event_source		*burial;
};

/**
 * session_of() - whose claim is this?
 * @claim: of a session: in the list of an export, not among the places kept
 *
 * Return: the session.
 */
static inline struct session *session_of(const struct claim *claim)
{
	return container_of(claim, struct session, claim);
}

int session_accept(struct daemon *daemon, const struct request *request,
		   struct device *device, unsigned int version,
		   struct reason *why);
void session_make_room(struct daemon *daemon);
struct session *session_find(struct daemon *daemon, uint64_t session_id);
void session_hold(struct session *session, struct export *export);
void session_release(struct session *session);
void session_end(struct session *session);
void session_drop(struct session *session, const char *why);
void session_suspend_all(struct export *export, const char *why);
void session_farewell(struct session *session, unsigned int code,
		      const char *text);

/* session_text.c */
const char *session_holders(const struct export *export,
			    char buf[static SESSION_HOLDERS_MAX]);
const char *session_text(const struct session *session,
			 char buf[static SESSION_TEXT_MAX]);

#endif /* RDMABLKD_SESSION_H */
