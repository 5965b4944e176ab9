// SPDX-License-Identifier: GPL-2.0
/*
 * Places that an export keeps for sessions which the target has ended itself, as a
 * resize or the daemon's end does. Their clients come back, after the delay that each
 * has between its attempts; somebody who waits for the export to become free must not
 * be faster, or the client's device would fail for no fault of its own.
 *
 * A place is the claim of the session that it is kept for, in a list of its own: the
 * rules of claim.c apply to it like to any claim. It ends when the client has come
 * back, has not within its time, or may not any more; whoever takes an export by force
 * takes places, too. Until place_begin() it is kept without limit.
 *
 * Of a daemon before only the writer is known, and that by its host: the place is for
 * whatever session that host comes with.
 */
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "macros.h"
#include "place.h"

/* No session that comes is of this life of its host. */
#define LIFE_BEFORE	UINT64_MAX

/**
 * struct place - a place
 * @claim: of the session that was ended
 * @keep_us: how long it is kept
 * @until_us: and so until when, CLOCK_MONOTONIC
 */
struct place {
	struct claim	claim;
	uint64_t	keep_us;
	uint64_t	until_us;
};

static struct place *place_of(struct claim *claim)
{
	return container_of(claim, struct place, claim);
}

/**
 * place_drop() - keep a place no more
 * @places: the export's
 * @claim: of the place; freed
 */
void place_drop(struct claim_list *places, struct claim *claim)
{
	TAILQ_REMOVE(places, claim, entry);
	free(place_of(claim));
}

static void add(struct claim_list *places, const struct claim *claim,
		uint64_t keep_us, uint64_t until_us)
{
	struct place *place = malloc(sizeof(*place));

	if (!place) {
		log_warning("no place is kept for %s: out of memory",
			    claim->host_name);
		return;
	}
	*place = (struct place){
		.claim = *claim, .keep_us = keep_us, .until_us = until_us,
	};
	TAILQ_INSERT_TAIL(places, &place->claim, entry);
}

/**
 * place_keep() - keep a place
 * @places: the export's
 * @claim: of a session that is about to be ended; copied
 * @keep_us: how long, from place_begin() on
 */
void place_keep(struct claim_list *places, const struct claim *claim,
		uint64_t keep_us)
{
	add(places, claim, keep_us, UINT64_MAX);
}

/**
 * place_restore() - keep a place for who had the export when a daemon ended
 * @places: of the export, which can be opened now
 * @identity: of its contents, as that daemon has left it
 * @now_us: when this is
 */
void place_restore(struct claim_list *places, const struct identity *identity,
		   uint64_t now_us)
{
	const struct holder *holder = &identity->holder;
	uint64_t keep_us = PLACE_RETURN_US +
			   holder->keep_alive_ms * USEC_PER_MSEC;
	struct claim claim = { .write = true, .life = LIFE_BEFORE };

	if (!holder->keep_alive_ms)
		return;
	claim.session_id = identity->writer;
	claim.origin = identity->writer_origin;
	memcpy(claim.host_id, holder->host_id.bytes, sizeof(claim.host_id));
	memcpy(claim.host_name, holder->host_name, sizeof(claim.host_name));
	memcpy(claim.client, holder->client, sizeof(claim.client));
	add(places, &claim, keep_us, now_us + keep_us);
}

/**
 * place_is_restored() - is it a place that place_restore() keeps?
 * @claim: of a place, or of a session
 *
 * Return: true if it is.
 */
bool place_is_restored(const struct claim *claim)
{
	return claim->life == LIFE_BEFORE;
}

/**
 * place_is_void() - has the client of a place no access any more?
 * @claim: of the place
 * @access: the export's rules
 * @keyring: the keys that there are, or NULL
 * @unauthenticated: clients without one are admitted
 *
 * Where a client of a daemon before came from is not known: then its key decides.
 *
 * Return: true if it cannot come back.
 */
bool place_is_void(const struct claim *claim, const struct access *access,
		   const struct keyring *keyring, bool unauthenticated)
{
	struct keyring_keys keys;

	keyring_find(keyring, claim->client, &keys);
	if (claim->client[0] ? !keys.nr : !unauthenticated)
		return true;
	return !place_is_restored(claim) &&
	       !access_admits(access, claim->client, &claim->peer,
			      claim->write);
}

/**
 * place_begin() - the export can be opened again
 * @places: the export's
 * @now_us: when that is
 */
void place_begin(struct claim_list *places, uint64_t now_us)
{
	struct claim *claim;

	TAILQ_FOREACH(claim, places, entry)
		if (place_of(claim)->until_us == UINT64_MAX)
			place_of(claim)->until_us = now_us +
						    place_of(claim)->keep_us;
}

static void expire(struct claim_list *places, uint64_t now_us)
{
	struct claim *claim, *next;

	TAILQ_FOREACH_SAFE(claim, places, entry, next)
		if (now_us >= place_of(claim)->until_us)
			place_drop(places, claim);
}

/**
 * place_admit() - is there a place in the way of a new session?
 * @places: the export's; those that are not needed any more are dropped
 * @new: the new claim
 * @rules: what the export allows
 * @force: none is, they are lost
 * @now_us: when this is
 *
 * Return: whose place is in the way, or NULL.
 */
struct claim *place_admit(struct claim_list *places, const struct claim *new,
			  const struct claim_rules *rules, bool force,
			  uint64_t now_us)
{
	struct claim *claim;

	expire(places, now_us);
	while ((claim = claim_left_behind(places, new)))
		place_drop(places, claim);
	while ((claim = claim_conflict(places, new, rules))) {
		if (!force)
			return claim;
		place_drop(places, claim);
	}
	claim = claim_predecessor(places, new);
	if (claim)
		place_drop(places, claim);
	return NULL;
}

/**
 * place_drop_all() - keep no places any more
 * @places: the export's
 */
void place_drop_all(struct claim_list *places)
{
	struct claim *claim, *next;

	TAILQ_FOREACH_SAFE(claim, places, entry, next)
		place_drop(places, claim);
}
