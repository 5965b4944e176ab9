// SPDX-License-Identifier: GPL-2.0
/*
 * OPEN: who gets an export, what is granted, and what happens to those who had
 * it before. The rules themselves are in claim.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "config.h"
#include "handshake.h"
#include "host.h"
#include "log.h"
#include "macros.h"
#include "place.h"
#include "session.h"
#include "staging.h"
#include "window.h"

#define DEPTH_LIMIT		1024U	/* requests in flight on a data queue */
#define KEEP_ALIVE_UNASKED_MS	(10U * 60 * 1000)
#define PHYSICAL_BLOCK		4096U	/* a page: what the memory consists of */
#define TIME_TEXT_MAX		32

/* ---- Whether ----------------------------------------------------------- */

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

	time_text(holder->since, since);
	addr_host_text(&holder->peer, addr);
	memcpy(id.bytes, holder->host_id, sizeof(id.bytes));
	if (!memcmp(holder->host_id, session->claim.host_id,
		    sizeof(holder->host_id)))
		handshake_refuse(session, &open->hdr, RDMABLK_E_BUSY,
				 "already attached by this host (%s, %s) since %s",
				 holder->host_name, addr, since);
	else
		handshake_refuse(session, &open->hdr, RDMABLK_E_BUSY,
				 "in use by %s (%s, host id %s) since %s",
				 holder->host_name, addr,
				 sd_id128_to_uuid_string(id, id_text), since);
}

/* Do the export's rules admit the client? False: the refusal is sent. */
static bool check_access(struct session *session, const struct export *export,
			 const struct rdmablk_msg_open *open)
{
	const struct claim *claim = &session->claim;
	unsigned int granted = access_granted(&export->spec.access,
					      claim->client, &claim->peer);

	if (!granted)
		handshake_deny(session, &open->hdr, "client '%s': export %s has no rule for it and its address",
			       claim->client, export->spec.name);
	else if (granted == RDMABLK_ACCESS_RO &&
		 open->access == RDMABLK_ACCESS_RW)
		handshake_refuse(session, &open->hdr, RDMABLK_E_READ_ONLY,
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
		handshake_refuse(session, &open->hdr, RDMABLK_E_NO_EXPORT,
				 "there is no export '%.127s'", open->export);
		return NULL;
	}
	if (!check_access(session, export, open))
		return NULL;
	if (export->state == EXPORT_RESIZING) {
		handshake_refuse(session, &open->hdr, RDMABLK_E_NOT_READY,
				 "export %s is being resized", open->export);
		return NULL;
	}
	if (export->state == EXPORT_PREPARING) {
		export_progress(export, &progress);
		handshake_refuse(session, &open->hdr, RDMABLK_E_NOT_READY,
				 "export %s is being prepared, %u %% are done",
				 open->export, (unsigned int)(progress.done /
						(progress.total / 100 + 1)));
		return NULL;
	}
	if (open->access == RDMABLK_ACCESS_RW && export->spec.read_only) {
		handshake_refuse(session, &open->hdr, RDMABLK_E_READ_ONLY,
				 "export %s is read-only", open->export);
		return NULL;
	}
	return export;
}

static struct session *session_of(struct claim *claim)
{
	return container_of(claim, struct session, claim);
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
		handshake_refuse(session, &open->hdr, RDMABLK_E_FENCED,
				 "fenced by %s while the path was lost",
				 session_text(container_of(holder,
							   struct session, claim),
					      who));
	else
		handshake_refuse(session, &open->hdr, RDMABLK_E_FENCED,
				 "another session wrote to the export since this one was lost");
}

/* What the host has forgotten needs no event: nobody would hear it. */
static void end_left_behind(struct session *session, struct export *export)
{
	char who[SESSION_TEXT_MAX];
	struct claim *claim;

	while ((claim = claim_left_behind(&export->claims, &session->claim))) {
		log_info("export %s: %s is back: its session from before ends",
			 export->spec.name, session_text(session, who));
		session_end(session_of(claim));
	}
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
	other = place_admit(&export->places, claim, &rules, force,
			    clock_now_us());
	if (other) {
		refuse_busy(session, open, other);
		return false;
	}
	other = claim_predecessor(&export->claims, claim);
	if (other)
		session_end(session_of(other));
	return true;
}

/* ---- What -------------------------------------------------------------- */

static uint32_t round_down_power(uint32_t n)
{
	return 1U << (31 - __builtin_clz(n));
}

static uint32_t grant_max_io(const struct config *config,
			     const struct layout *layout, uint32_t wanted)
{
	uint64_t most = MIN((uint64_t)wanted, config->max_io_size);

	/* All extents but the last must be as long as the largest I/O. */
	if (layout->nr > 1)
		most = MIN(most, layout->extent);
	return round_down_power((uint32_t)MIN(most,
					      (uint64_t)RDMABLK_MAX_IO_MAX));
}

/* How many data queues; zero: the device has none left. */
static unsigned int grant_queues(const struct session *session,
				 unsigned int wanted)
{
	const struct device *device = session->ctrl.conn.device;
	/* Every session has a control connection's queue pair as well. */
	unsigned int used = device->nr_queues + session->daemon->nr_sessions;
	unsigned int all = (unsigned int)device->attr.max_qp;
	unsigned int left = all > used ? all - used : 0;

	wanted = MIN(wanted, session->daemon->config->max_queues);
	wanted = MIN(wanted, windows_queues(session->region, session->face));
	return MIN(wanted, left);
}

/*
 * A client that wants no deadline gets a long one: were there none, an export
 * would stay with a host that crashed until somebody fences it.
 */
static uint32_t grant_keep_alive(uint32_t wanted)
{
	if (!wanted)
		return KEEP_ALIVE_UNASKED_MS;
	if (wanted < RDMABLK_KEEP_ALIVE_MIN)
		return RDMABLK_KEEP_ALIVE_MIN;
	return MIN(wanted, RDMABLK_KEEP_ALIVE_MAX);
}

/* What the store has beyond memory, and what a writer may do with it. */
static void grant_store(const struct session *session,
			struct rdmablk_msg_grant *grant)
{
	const struct staging *staging = session->export->store.staging;
	unsigned int epoch;

	grant->flags = session->claim.write ? RDMABLK_GRANT_ZERO :
					      RDMABLK_GRANT_READ_ONLY;
	if (!staging)
		return;
	grant->flags |= RDMABLK_GRANT_WRITE_CACHE;
	if (!session->claim.write)
		return;
	grant->chunk_shift = (uint8_t)staging->chunk_shift;
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		region_coarse(session->region, epoch, &grant->coarse[epoch]);
}

static void fill_grant(const struct session *session,
		       const struct rdmablk_msg_open *open,
		       struct rdmablk_msg_grant *grant)
{
	const struct export *export = session->export;
	const struct store *store = &export->store;

	*grant = (struct rdmablk_msg_grant){
		.session_id	= htole64(session->claim.session_id),
		.instance	= htole64(store->identity.instance),
		.size		= htole64(store->size),
		.logical_block	= htole32(export->spec.block_size),
		.physical_block	= htole32(PHYSICAL_BLOCK),
		.durability	= (uint8_t)store->ops->durability,
		.nr_queues	= htole16((uint16_t)session->nr_queues),
		.queue_depth	= htole32(MIN(le32toh(open->queue_depth),
					      DEPTH_LIMIT)),
		.max_io_size	= htole32(grant_max_io(session->daemon->config,
						       &export->layout,
						       le32toh(open->max_io_size))),
		.keep_alive_ms	= htole32(session->keep_alive_ms),
		.nr_extents	= htole32(export->layout.nr),
		.key_scope	= session->region->windows ?
				  RDMABLK_SCOPE_QUEUE : RDMABLK_SCOPE_EXPORT,
	};
	grant_store(session, grant);
	memcpy(grant->generation, store->identity.generation.bytes,
	       sizeof(grant->generation));
}

/* Gives the session its id and, for a writer, notes it with the contents. */
static int name_session(struct session *session, struct export *export,
			struct reason *why)
{
	struct identity *identity = &export->store.identity;
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return reason_set(why, -EIO, "no random numbers");
	if (session->claim.write)
		identity->era++;
	session->claim.session_id = claim_new_id(identity->era, random);
	session->claim.since = time(NULL);
	if (!session->claim.write)
		return 0;
	claim_note_writer(identity, &session->claim);
	return store_save(&export->store, why);
}

static void log_granted(const struct session *session,
			const struct rdmablk_msg_open *open)
{
	const struct login *login = &session->login;
	char who[SESSION_TEXT_MAX], key[RDMABLK_HOST_MAX + 32] = "no key";

	if (login->state == LOGIN_DONE)
		snprintf(key, sizeof(key), "key %s 0x%016" PRIx64,
			 session->claim.client, login->key_id);
	peer_log(session->peer, LOG_INFO,
		 "export %s: opened by %s, %s, %s, %u data queues%s",
		 session->export->spec.name, session_text(session, who), key,
		 session->claim.write ? "read-write" : "read-only",
		 session->nr_queues, open->session_id ? ", recovery" : "");
}

static void grant_session(struct session *session, struct export *export,
			  const struct rdmablk_msg_open *open)
{
	struct rdmablk_msg_grant grant;
	struct reason why;

	session->nr_queues = grant_queues(session, le16toh(open->nr_queues));
	if (!session->nr_queues) {
		handshake_refuse(session, &open->hdr, RDMABLK_E_LIMIT,
				 "RDMA device %s has no queue pairs or no memory windows left",
				 device_name(session->ctrl.conn.device));
		return;
	}
	if (session->region->windows)
		session->nr_windows = session->nr_queues *
			region_nr_keys(session->region, session->face);
	session->queues = calloc(session->nr_queues, sizeof(*session->queues));
	if (!session->queues || name_session(session, export, &why)) {
		log_error("export %s: %s", export->spec.name,
			  session->queues ? why.message : "out of memory");
		free(session->queues);
		session->queues = NULL;
		handshake_refuse(session, &open->hdr, RDMABLK_E_INTERNAL,
				 "the target could not note the session: see its log");
		return;
	}
	session->keep_alive_ms = grant_keep_alive(le32toh(open->keep_alive_ms));
	session_hold(session, export);
	log_granted(session, open);
	fill_grant(session, open, &grant);
	handshake_reply(session, &grant, sizeof(grant), &open->hdr);
}

/**
 * handshake_open() - handle OPEN
 * @session: greeted
 * @open: validated
 */
void handshake_open(struct session *session,
		    const struct rdmablk_msg_open *open)
{
	struct export *export;

	if (!login_covers(&session->login, open)) {
		handshake_deny(session, &open->hdr, "client '%s' has proved itself for another export or access",
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
		handshake_refuse(session, &open->hdr, RDMABLK_E_DEVICE,
				 "the export is not registered on RDMA device %s",
				 device_name(session->ctrl.conn.device));
		return;
	}
	if (admit(session, export, open))
		grant_session(session, export, open);
}
