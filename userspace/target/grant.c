// SPDX-License-Identifier: GPL-2.0
/*
 * What a session is granted: how much of what it asked for, its id, and the answer
 * to OPEN. Who is admitted is up to open.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "config.h"
#include "grant.h"
#include "log.h"
#include "macros.h"
#include "reply.h"
#include "session.h"
#include "staging.h"
#include "window.h"

#define DEPTH_LIMIT		1024U	/* requests in flight on a data queue */
#define KEEP_ALIVE_UNASKED_MS	(10U * 60 * 1000)
#define PHYSICAL_BLOCK		4096U	/* a page: what the memory consists of */

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

/*
 * Gives the session its id and, for a writer, notes it with the contents. One that
 * cannot be noted has not written: who did so before may come back.
 */
static int name_session(struct session *session, struct export *export,
			struct reason *why)
{
	struct identity *identity = &export->store.identity;
	const struct identity before = *identity;
	uint64_t random;
	int err;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return reason_set(why, -EIO, "no random numbers");
	if (session->claim.write)
		identity->era++;
	session->claim.session_id = claim_new_id(identity->era, random);
	session->claim.since = time(NULL);
	if (!session->claim.write)
		return 0;
	claim_note_writer(identity, &session->claim, session->keep_alive_ms);
	err = store_save(&export->store, why);
	if (err)
		*identity = before;
	return err;
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

/**
 * grant_session() - give a session its export, and tell it what it got
 * @session: of a client that was admitted, with its region
 * @export: the export
 * @open: what was asked for
 *
 * Refuses when the device has nothing left to serve it with, or when it cannot be
 * noted.
 */
void grant_session(struct session *session, struct export *export,
		   const struct rdmablk_msg_open *open)
{
	struct rdmablk_msg_grant grant;
	struct reason why;

	session->nr_queues = grant_queues(session, le16toh(open->nr_queues));
	if (!session->nr_queues) {
		reply_refuse(session, &open->hdr, RDMABLK_E_LIMIT,
			     "RDMA device %s has no queue pairs or no memory windows left",
			     device_name(session->ctrl.conn.device));
		return;
	}
	if (session->region->windows)
		session->nr_windows = session->nr_queues *
			region_nr_keys(session->region, session->face);
	session->keep_alive_ms = grant_keep_alive(le32toh(open->keep_alive_ms));
	session->queues = calloc(session->nr_queues, sizeof(*session->queues));
	if (!session->queues || name_session(session, export, &why)) {
		peer_log(session->peer, LOG_ERR, "export %s: %s",
			 export->spec.name,
			 session->queues ? why.message : "out of memory");
		free(session->queues);
		session->queues = NULL;
		reply_refuse(session, &open->hdr, RDMABLK_E_INTERNAL,
			     "the target could not note the session: see its log");
		return;
	}
	session_hold(session, export);
	log_granted(session, open);
	fill_grant(session, open, &grant);
	reply_send(session, &grant, sizeof(grant), &open->hdr);
}
