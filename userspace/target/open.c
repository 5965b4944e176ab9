// SPDX-License-Identifier: GPL-2.0
/*
 * OPEN: who gets an export, and what happens to those who had it before. The rules
 * themselves are in claim.c; grant.c has what is granted.
 */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "config.h"
#include "grant.h"
#include "log.h"
#include "open.h"
#include "place.h"
#include "reply.h"
#include "session.h"

#define TIME_TEXT_MAX	32

static const char *time_text(time_t when, char buf[static TIME_TEXT_MAX])
{
	struct tm tm;

	if (!localtime_r(&when, &tm) ||
	    !strftime(buf, TIME_TEXT_MAX, "%Y-%m-%d %H:%M:%S", &tm))
		snprintf(buf, TIME_TEXT_MAX, "an unknown time");
	return buf;
}

static void refuse_busy(struct session *session,
			const struct rdmablk_msg_open *open,
			const struct claim *holder)
{
	char addr[ADDR_TEXT_MAX], since[TIME_TEXT_MAX];
	char id_text[SD_ID128_UUID_STRING_MAX];
	sd_id128_t id;

	memcpy(id.bytes, holder->host_id, sizeof(id.bytes));
	sd_id128_to_uuid_string(id, id_text);
	if (place_is_restored(holder)) {
		reply_refuse(session, &open->hdr, RDMABLK_E_BUSY,
			     "kept for %s (host id %s), which had it when the target was restarted, and may come back",
			     holder->host_name, id_text);
		return;
	}
	time_text(holder->since, since);
	addr_host_text(&holder->peer, addr);
	if (!memcmp(holder->host_id, session->claim.host_id,
		    sizeof(holder->host_id)))
		reply_refuse(session, &open->hdr, RDMABLK_E_BUSY,
			     "already attached by this host (%s, %s) since %s",
			     holder->host_name, addr, since);
	else
		reply_refuse(session, &open->hdr, RDMABLK_E_BUSY,
			     "in use by %s (%s, host id %s) since %s",
			     holder->host_name, addr, id_text, since);
}

/* Do the export's rules admit the client? False: the refusal is sent. */
static bool check_access(struct session *session, const struct export *export,
			 const struct rdmablk_msg_open *open)
{
	const struct claim *claim = &session->claim;
	unsigned int granted = access_granted(&export->spec.access,
					      claim->client, &claim->peer);

	if (!granted)
		reply_refuse(session, &open->hdr, RDMABLK_E_DENIED,
			     "client '%s': export %s has no rule for it and its address",
			     claim->client, export->spec.name);
	else if (granted == RDMABLK_ACCESS_RO &&
		 open->access == RDMABLK_ACCESS_RW)
		reply_refuse(session, &open->hdr, RDMABLK_E_READ_ONLY,
			     "export %s may only be read by this client",
			     export->spec.name);
	else
		return true;
	return false;
}

/* An export that can be opened, or NULL when the refusal is sent. */
static struct export *find_export(struct session *session,
				  const struct rdmablk_msg_open *open)
{
	struct export *export = export_find(session->daemon, open->export);
	struct export_progress progress;

	if (!export || export_leaving(export)) {
		reply_refuse(session, &open->hdr, RDMABLK_E_NO_EXPORT,
			     "there is no export '%.127s'", open->export);
		return NULL;
	}
	if (!check_access(session, export, open))
		return NULL;
	if (export->state == EXPORT_RESIZING) {
		reply_refuse(session, &open->hdr, RDMABLK_E_NOT_READY,
			     "export %s is being resized", open->export);
		return NULL;
	}
	if (export->state == EXPORT_PREPARING) {
		export_progress(export, &progress);
		reply_refuse(session, &open->hdr, RDMABLK_E_NOT_READY,
			     "export %s is being prepared, %u %% are done",
			     open->export,
			     (unsigned int)(progress.done /
					    (progress.total / 100 + 1)));
		return NULL;
	}
	if (open->access == RDMABLK_ACCESS_RW && export->spec.read_only) {
		reply_refuse(session, &open->hdr, RDMABLK_E_READ_ONLY,
			     "export %s is read-only", open->export);
		return NULL;
	}
	return export;
}

static void fence(struct session *victim, const struct session *by)
{
	char who[SESSION_TEXT_MAX], winner[SESSION_TEXT_MAX];
	char text[RDMABLK_TEXT_MAX];

	session_text(by, winner);
	peer_log(by->peer, LOG_WARNING, "export %s: %s fenced by %s",
		 victim->export->spec.name, session_text(victim, who), winner);
	snprintf(text, sizeof(text), "fenced by %s", winner);
	session_farewell(victim, RDMABLK_E_FENCED, text);
}

/* Somebody else wrote. Who did may be there, or gone. */
static void refuse_outdated(struct session *session,
			    const struct rdmablk_msg_open *open,
			    const struct claim *holder)
{
	char who[SESSION_TEXT_MAX];

	if (holder)
		reply_refuse(session, &open->hdr, RDMABLK_E_FENCED,
			     "fenced by %s while the path was lost",
			     session_text(session_of(holder), who));
	else
		reply_refuse(session, &open->hdr, RDMABLK_E_FENCED,
			     "another session wrote to the export since this one was lost");
}

/* What the host has forgotten needs no event: nobody would hear it. */
static void end_left_behind(struct session *session, struct export *export)
{
	char who[SESSION_TEXT_MAX];
	struct claim *claim;

	while ((claim = claim_left_behind(&export->claims, &session->claim))) {
		peer_log(session->peer, LOG_INFO,
			 "export %s: %s is back: its session from before ends",
			 export->spec.name, session_text(session, who));
		session_end(session_of(claim));
	}
}

/* Whose place is in the way? No client's whose access was withdrawn meanwhile. */
static struct claim *find_place(const struct session *session,
				struct export *export,
				const struct claim_rules *rules, bool force)
{
	const struct daemon *daemon = session->daemon;
	struct claim *other;

	while ((other = place_admit(&export->places, &session->claim, rules,
				    force, clock_now_us())) &&
	       place_is_void(other, &export->spec.access, daemon->keyring,
			     daemon->config->allow_unauthenticated))
		place_drop(&export->places, other);
	return other;
}

/* Makes room for the session. False: the refusal is sent. */
static bool admit(struct session *session, struct export *export,
		  const struct rdmablk_msg_open *open)
{
	const struct claim_rules rules = {
		.read_only = export->spec.read_only,
		.shared_read = export->spec.shared_read,
		.identity = &export->store.identity,
	};
	struct claim *claim = &session->claim, *other;
	const bool force = open->flags & RDMABLK_OPEN_FORCE;

	end_left_behind(session, export);
	other = claim_predecessor(&export->claims, claim);
	if (!other && claim->origin && claim_outdated(claim, &rules)) {
		refuse_outdated(session, open,
				claim_conflict(&export->claims, claim, &rules));
		return false;
	}
	while ((other = claim_conflict(&export->claims, claim, &rules))) {
		if (!force) {
			refuse_busy(session, open, other);
			return false;
		}
		fence(session_of(other), session);
	}
	other = find_place(session, export, &rules, force);
	if (other) {
		refuse_busy(session, open, other);
		return false;
	}
	other = claim_predecessor(&export->claims, claim);
	if (other)
		session_end(session_of(other));
	return true;
}

/**
 * open_message() - handle OPEN
 * @session: greeted
 * @open: validated
 */
void open_message(struct session *session, const struct rdmablk_msg_open *open)
{
	struct export *export;

	if (!login_covers(&session->login, open)) {
		reply_refuse(session, &open->hdr, RDMABLK_E_DENIED,
			     "client '%s' has proved itself for another export or access",
			     session->claim.client);
		return;
	}
	export = find_export(session, open);
	if (!export)
		return;
	session->claim.write = open->access == RDMABLK_ACCESS_RW;
	session->claim.origin = le64toh(open->session_id);
	session->claim.life = le64toh(open->life);
	session->face = session->claim.write ? FACE_RW : FACE_RO;
	session->region = export_region(export, session->ctrl.conn.device);
	if (!session->region) {
		reply_refuse(session, &open->hdr, RDMABLK_E_DEVICE,
			     "the export is not registered on RDMA device %s",
			     device_name(session->ctrl.conn.device));
		return;
	}
	if (admit(session, export, open))
		grant_session(session, export, open);
}
