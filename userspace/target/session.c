// SPDX-License-Identifier: GPL-2.0
/*
 * A session's life, from an accepted control connection to the end, and its
 * deadlines. What a client may ask for, and when, is in handshake.c.
 *
 * However a session ends, its data connections go first: when session_release()
 * returns no write of it can reach the export any more, and the export is free
 * for others. The control connection may live on for a moment, so that the
 * last messages arrive. Memory is freed from a source of its own in the event
 * loop, because whoever ended the session may still be looking at it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "handshake.h"
#include "log.h"
#include "macros.h"
#include "place.h"
#include "request.h"
#include "session.h"
#include "timer.h"

#define HANDSHAKE_US	(10 * USEC_PER_SEC)
#define FAREWELL_US	(1 * USEC_PER_SEC)
#define LATE_US		(USEC_PER_SEC / 2)	/* of the event loop: normal */

/**
 * session_find() - look a session up
 * @daemon: the daemon
 * @session_id: its id
 *
 * Return: the session, or NULL.
 */
struct session *session_find(struct daemon *daemon, uint64_t session_id)
{
	struct session *session;

	TAILQ_FOREACH(session, &daemon->sessions, entry)
		if (session->export && session->claim.session_id == session_id)
			return session;
	return NULL;
}

static bool half_open(const struct session *session)
{
	return session->state == SESSION_CONNECTED ||
	       session->state == SESSION_GREETED;
}

/**
 * session_hold() - a session gets its export
 * @session: greeted, with claim, region and queues filled in
 * @export: ready
 */
void session_hold(struct session *session, struct export *export)
{
	session->export = export;
	session->daemon->counters.sessions++;
	session->ctrl.conn.device->nr_queues += session->nr_queues;
	session->ctrl.conn.device->nr_windows += session->nr_windows;
	TAILQ_INSERT_TAIL(&export->claims, &session->claim, entry);
	peer_session_opened(session->peer);
	session->state = SESSION_OPEN;
	session->heard_us = clock_now_us();
	timer_set(session->timer, session->heard_us +
		  session->keep_alive_ms * USEC_PER_MSEC);
}

/*
 * Who is to come back is not forgotten: when the export is being resized, or the daemon
 * ends.
 */
static void forget_holder(struct session *session)
{
	struct export *export = session->export;
	struct reason why;

	if (export->state == EXPORT_READY && !session->daemon->stopping &&
	    claim_forget_holder(&export->store.identity, &session->claim) &&
	    store_save(&export->store, &why))
		peer_log(session->peer, LOG_WARNING, "export %s: %s",
			 export->spec.name, why.message);
}

/**
 * session_release() - take the data connections and the export away
 * @session: in any state
 */
void session_release(struct session *session)
{
	unsigned int i;

	if (!session->export)
		return;
	for (i = 0; i < session->nr_queues; i++)
		if (session->queues[i])
			data_close(session->queues[i]);
	free(session->queues);
	session->queues = NULL;
	session->ctrl.conn.device->nr_queues -= session->nr_queues;
	session->ctrl.conn.device->nr_windows -= session->nr_windows;
	flush_release(session);
	forget_holder(session);
	TAILQ_REMOVE(&session->export->claims, &session->claim, entry);
	session->export = NULL;
	session->region = NULL;
}

static int on_burial(sd_event_source *source __attribute__((unused)),
		     void *data)
{
	struct session *session = data;

	TAILQ_REMOVE(&session->daemon->sessions, session, entry);
	session->daemon->nr_sessions--;
	peer_session_gone(session->peer);
	sd_event_source_disable_unref(session->timer);
	sd_event_source_disable_unref(session->burial);
	login_forget(&session->login);
	free(session);
	return 0;
}

/* From one of the states that come before to one of the last two. */
static void leave(struct session *session, enum session_state state)
{
	if (half_open(session))
		peer_session_opened(session->peer);
	session->state = state;
}

/**
 * session_end() - end a session at once
 * @session: in any state; freed later
 */
void session_end(struct session *session)
{
	if (session->state == SESSION_DEAD)
		return;
	session_release(session);
	leave(session, SESSION_DEAD);
	ctrl_close(&session->ctrl);
	timer_stop(session->timer);
	if (sd_event_source_set_enabled(session->burial, SD_EVENT_ONESHOT) < 0)
		abort();
}

/**
 * session_drop() - end a session because of something that went wrong
 * @session: in any state; freed later
 * @why: what, in words, for the log
 */
void session_drop(struct session *session, const char *why)
{
	char who[SESSION_TEXT_MAX];

	if (session->state == SESSION_DEAD)
		return;
	if (session->state != SESSION_ENDING)
		peer_log(session->peer, LOG_NOTICE, "%s: %s%s%s",
			 session_text(session, who),
			 session->export ? session->export->spec.name : "",
			 session->export ? ": " : "", why);
	session_end(session);
}

/**
 * session_suspend_all() - end all sessions that have an export open, for a while
 * @export: the export; nobody holds a claim on it when this returns
 * @why: in words, for the log
 *
 * Their clients come back by themselves, and find their places kept.
 */
void session_suspend_all(struct export *export, const char *why)
{
	struct claim *claim, *next;
	struct session *session;

	TAILQ_FOREACH_SAFE(claim, &export->claims, entry, next) {
		session = session_of(claim);
		place_keep(&export->places, claim, PLACE_RETURN_US +
			   session->keep_alive_ms * USEC_PER_MSEC);
		session_drop(session, why);
	}
}

/**
 * session_farewell() - end a session when the client has what was sent
 * @session: live; freed later
 * @code: enum rdmablk_status: an event is sent; zero: none
 * @text: for people, goes with the event
 *
 * Data connections and export are gone when this returns.
 */
void session_farewell(struct session *session, unsigned int code,
		      const char *text)
{
	struct rdmablk_msg_event event = {
		.hdr.type = htole16(RDMABLK_MSG_EVENT),
		.hdr.length = htole32(sizeof(event)),
		.code = htole32(code),
	};

	if (session->state == SESSION_ENDING || session->state == SESSION_DEAD)
		return;
	/*
	 * As far as possible: the client may be gone. First, as a client that hears
	 * that its data connections are gone before it hears why takes the path down,
	 * and may not hear it then.
	 */
	if (code) {
		snprintf(event.text, sizeof(event.text), "%s", text);
		ctrl_send(&session->ctrl, &event, sizeof(event));
	}
	session_release(session);
	leave(session, SESSION_ENDING);
	if (ctrl_drained(&session->ctrl))
		session_end(session);
	else
		timer_set(session->timer, clock_now_us() + FAREWELL_US);
}

/*
 * When this process was stopped, or had no time, for a while, deadlines have passed
 * though messages may have come: those are looked at first.
 */
static void look_at_silence(struct session *session, uint64_t due_us)
{
	uint64_t deadline = session->heard_us +
			    session->keep_alive_ms * USEC_PER_MSEC;
	uint64_t now = clock_now_us();

	if (due_us < deadline)
		timer_set(session->timer, deadline);
	else if (now > due_us + LATE_US)
		timer_set(session->timer, now + LATE_US);
	else
		session_drop(session, "no message within the keep-alive time");
}

/* Likewise. */
static void look_at_handshake(struct session *session, uint64_t due_us)
{
	uint64_t now = clock_now_us();

	if (now > due_us + LATE_US)
		timer_set(session->timer, now + LATE_US);
	else
		session_drop(session, "did not open an export in time");
}

static int on_timer(sd_event_source *timer __attribute__((unused)),
		    uint64_t due_us, void *data)
{
	struct session *session = data;

	if (session->state == SESSION_OPEN)
		look_at_silence(session, due_us);
	else
		look_at_handshake(session, due_us);
	return 0;
}

static void on_message(struct ctrl *ctrl, const void *msg, size_t len)
{
	struct session *session = container_of(ctrl, struct session, ctrl);

	if (session->state == SESSION_ENDING)
		return;
	session->heard_us = clock_now_us();
	handshake_message(session, msg, len);
}

static void on_lost(struct ctrl *ctrl, const char *why)
{
	struct session *session = container_of(ctrl, struct session, ctrl);

	/* A client that was refused goes: no news. */
	if (half_open(session))
		session_end(session);
	else
		session_drop(session, why);
}

static void on_drained(struct ctrl *ctrl)
{
	struct session *session = container_of(ctrl, struct session, ctrl);

	if (session->state == SESSION_ENDING)
		session_end(session);
}

static uint64_t on_turn(struct ctrl *ctrl)
{
	struct session *session = container_of(ctrl, struct session, ctrl);

	return peer_turn(session->peer, clock_now_us());
}

static const struct ctrl_ops ctrl_ops = {
	.turn		= on_turn,
	.message	= on_message,
	.lost		= on_lost,
	.drained	= on_drained,
};

static int add_sources(struct session *session, struct reason *why)
{
	sd_event *event = session->daemon->event;
	int err;

	err = timer_new(event, &session->timer, on_timer, session);
	if (err >= 0)
		err = sd_event_add_defer(event, &session->burial, on_burial,
					 session);
	if (err >= 0)
		err = sd_event_source_set_enabled(session->burial,
						  SD_EVENT_OFF);
	return err < 0 ? reason_set(why, err, "event loop: %s",
				    strerror(-err)) : 0;
}

/**
 * session_accept() - accept a control connection
 * @daemon: the daemon
 * @request: for the connection, validated
 * @device: where it arrived
 * @version: of the protocol, agreed upon
 * @why: set on failure
 *
 * Return: 0; or a negative errno: then the request is still the caller's.
 */
int session_accept(struct daemon *daemon, const struct request *request,
		   struct device *device, unsigned int version,
		   struct reason *why)
{
	struct session *session = calloc(1, sizeof(*session));
	int err;

	if (!session)
		return reason_set(why, -ENOMEM, "out of memory");
	session->daemon = daemon;
	session->peer = request->peer;
	err = add_sources(session, why);
	if (!err)
		err = ctrl_open(&session->ctrl, &ctrl_ops, request->id, device,
				version, why);
	if (err) {
		sd_event_source_disable_unref(session->timer);
		sd_event_source_disable_unref(session->burial);
		free(session);
		return err;
	}
	session->claim.peer = request->peer->addr;
	rdmablk_auth_versions(&session->login.input, request->req.version_min,
			      request->req.version_max, (uint8_t)version);
	rdmablk_auth_addrs(&session->login.input,
			   &request->peer->addr.sa,
			   rdma_get_local_addr(request->id));
	timer_set(session->timer, clock_now_us() + HANDSHAKE_US);
	TAILQ_INSERT_TAIL(&daemon->sessions, session, entry);
	daemon->nr_sessions++;
	peer_add_session(request->peer);
	return 0;
}

/**
 * session_make_room() - end the oldest session that has not opened an export
 * @daemon: the daemon
 *
 * Of the host that has the most of them, so that a host with many does no harm to
 * others.
 */
void session_make_room(struct daemon *daemon)
{
	struct peer *peer = peer_greediest(daemon);
	struct session *session;

	TAILQ_FOREACH(session, &daemon->sessions, entry) {
		if (session->peer != peer || !half_open(session))
			continue;
		session_drop(session, "had not opened an export when others came");
		return;
	}
}
