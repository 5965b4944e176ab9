// SPDX-License-Identifier: GPL-2.0
/*
 * Who may have an export open beside whom. Pure rules over lists of claims.
 *
 * One writer, or any number of readers; readers beside a writer only where the
 * export says so. A session may replace the session that it recovers, which
 * its client names by the last session id that it learned. When a grant got
 * lost on its way, the client names an older one: the newer session, which it
 * never heard of, remembers that id as its origin.
 *
 * A host that crashed has left sessions behind, whose ids it does not know. It says
 * in which life it is: those of another one are nobody's any more.
 *
 * A client that returns after its session has ended here must not go on if
 * somebody else wrote meanwhile: its caches hold other contents. A writer may
 * go on if it was the latest one. A reader may go on if no writer was admitted
 * since: the number of writers admitted, the era, is a part of the session id.
 */
#include <string.h>

#include "claim.h"

#define ERA_BITS	24
#define ERA_MASK	(((uint64_t)1 << ERA_BITS) - 1)

/* A host id is no secret: another client may name it, but has no such key. */
static bool same_host(const struct claim *a, const struct claim *b)
{
	return !memcmp(a->host_id, b->host_id, sizeof(a->host_id)) &&
	       !strcmp(a->client, b->client);
}

/**
 * claim_predecessor() - which session does a new one recover?
 * @list: the export's claims
 * @new: the new claim, with @origin as the client named it
 *
 * Return: the claim to replace, or NULL when there is none (any more).
 */
struct claim *claim_predecessor(const struct claim_list *list,
				const struct claim *new)
{
	struct claim *claim;

	if (!new->origin)
		return NULL;
	TAILQ_FOREACH(claim, list, entry)
		if (same_host(claim, new) &&
		    (claim->session_id == new->origin ||
		     claim->origin == new->origin))
			return claim;
	return NULL;
}

/**
 * claim_left_behind() - which session has the host of a new one forgotten?
 * @list: the export's claims
 * @new: the new claim
 *
 * Return: a claim from another life of the host, or NULL.
 */
struct claim *claim_left_behind(const struct claim_list *list,
				const struct claim *new)
{
	struct claim *claim;

	TAILQ_FOREACH(claim, list, entry)
		if (same_host(claim, new) && claim->life && new->life &&
		    claim->life != new->life)
			return claim;
	return NULL;
}

/**
 * claim_conflict() - who stands in the way of a new session?
 * @list: the export's claims
 * @new: the new claim
 * @rules: what the export allows
 *
 * The session that @new recovers does not stand in its own way.
 *
 * Return: the first claim that does, or NULL.
 */
struct claim *claim_conflict(const struct claim_list *list,
			     const struct claim *new,
			     const struct claim_rules *rules)
{
	const struct claim *replaced = claim_predecessor(list, new);
	struct claim *claim;

	TAILQ_FOREACH(claim, list, entry) {
		if (claim == replaced)
			continue;
		if (claim->write && new->write)
			return claim;
		if (claim->write != new->write && !rules->shared_read)
			return claim;
	}
	return NULL;
}

/**
 * claim_outdated() - did somebody else write since this client was here?
 * @new: the new claim of a client that returns: @origin is not zero, and
 *	 claim_predecessor() found nothing
 * @rules: what the export allows
 *
 * Return: true if the client must not go on with what it has cached.
 */
bool claim_outdated(const struct claim *new, const struct claim_rules *rules)
{
	const struct identity *identity = rules->identity;

	/* Nobody wrote to these contents at all. */
	if (!identity->writer)
		return false;
	if (new->write)
		return new->origin != identity->writer &&
		       new->origin != identity->writer_origin;
	if (rules->read_only || rules->shared_read)
		return false;
	return (new->origin & ERA_MASK) != (identity->era & ERA_MASK);
}

/**
 * claim_new_id() - make a session id
 * @era: of the export's identity
 * @random: 64 random bits
 *
 * Return: the id, which is not zero.
 */
uint64_t claim_new_id(uint32_t era, uint64_t random)
{
	uint64_t id = (random & ~ERA_MASK) | (era & ERA_MASK);

	return id ? id : (uint64_t)1 << ERA_BITS;
}

/**
 * claim_note_writer() - remember who writes
 * @identity: of the export; to be saved afterwards
 * @writer: the claim; its session id is made with the new era
 * @keep_alive_ms: of its session
 */
void claim_note_writer(struct identity *identity, const struct claim *writer,
		       uint32_t keep_alive_ms)
{
	struct holder *holder = &identity->holder;

	identity->writer = writer->session_id;
	identity->writer_origin = writer->origin;
	*holder = (struct holder){ .keep_alive_ms = keep_alive_ms };
	memcpy(holder->host_id.bytes, writer->host_id, sizeof(writer->host_id));
	memcpy(holder->host_name, writer->host_name, sizeof(holder->host_name));
	memcpy(holder->client, writer->client, sizeof(holder->client));
}

/**
 * claim_forget_holder() - a session has ended
 * @identity: of the export
 * @claim: of the session
 *
 * Return: true if it was the writer's: @identity has changed, and is to be saved.
 */
bool claim_forget_holder(struct identity *identity, const struct claim *claim)
{
	if (!identity->holder.keep_alive_ms ||
	    identity->writer != claim->session_id)
		return false;
	identity->holder = (struct holder){ .keep_alive_ms = 0 };
	return true;
}
