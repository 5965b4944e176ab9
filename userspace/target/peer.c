// SPDX-License-Identifier: GPL-2.0
/*
 * What one host may use up: connections that have not opened an export, sessions,
 * messages in a second, lines of the log. A host is an address here, because the
 * worst of them never say who they are.
 *
 * Hosts are remembered a while after their last session, for the sake of what
 * was logged of them; how many is bounded, as addresses can be made up.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "clock.h"
#include "config.h"
#include "peer.h"

#define HALF_OPEN_MAX	256U	/* of one host: it may attach that many at once */
#define HALF_OPEN_ALL	1024U	/* of all hosts */
#define IDLE_MAX	256U	/* hosts without a session that are remembered */
#define LOG_LINES_MAX	100U	/* of all hosts, where one has ten */

static void forget(struct peer *peer)
{
	struct daemon *daemon = peer->daemon;

	TAILQ_REMOVE(&daemon->peers, peer, entry);
	daemon->nr_idle_peers--;
	free(peer);
}

/* Of those without a session, the one not heard of for longest. */
static void forget_one(struct daemon *daemon)
{
	struct peer *peer;

	TAILQ_FOREACH_REVERSE(peer, &daemon->peers, peer_list, entry) {
		if (peer->nr_sessions)
			continue;
		forget(peer);
		return;
	}
}

static struct peer *meet(struct daemon *daemon, const union addr *addr)
{
	struct peer *peer;

	if (daemon->nr_idle_peers >= IDLE_MAX)
		forget_one(daemon);
	peer = calloc(1, sizeof(*peer));
	if (!peer)
		return NULL;
	peer->daemon = daemon;
	peer->addr = *addr;
	addr_host_text(addr, peer->text);
	peer->log.about = peer->text;
	TAILQ_INSERT_HEAD(&daemon->peers, peer, entry);
	daemon->nr_idle_peers++;
	return peer;
}

/**
 * peer_find() - the host of an address
 * @daemon: the daemon
 * @addr: the address; its port does not matter
 *
 * Return: the host, good until the next call or as long as it has sessions; NULL
 * when there is no memory.
 */
struct peer *peer_find(struct daemon *daemon, const union addr *addr)
{
	struct peer *peer;

	TAILQ_FOREACH(peer, &daemon->peers, entry) {
		if (!addr_same_host(&peer->addr, addr))
			continue;
		TAILQ_REMOVE(&daemon->peers, peer, entry);
		TAILQ_INSERT_HEAD(&daemon->peers, peer, entry);
		return peer;
	}
	return meet(daemon, addr);
}

/**
 * peer_no_room() - may a host have one more session?
 * @peer: the host
 *
 * Return: NULL if so, else why not.
 */
const char *peer_no_room(const struct peer *peer)
{
	const struct config *config = peer->daemon->config;
	const struct daemon *daemon = peer->daemon;

	if (peer->nr_half_open >= HALF_OPEN_MAX)
		return "too many connections from there have not opened an export";
	if (peer->nr_sessions >= config->max_sessions_per_client)
		return "too many sessions from there";
	/* Those that have not opened an export make room. */
	if (daemon->nr_sessions >= config->max_sessions + daemon->nr_half_open)
		return "too many sessions";
	return NULL;
}

/**
 * peer_is_full() - must a session that has not opened an export end before another?
 * @daemon: the daemon
 *
 * Return: true if so; then there is one.
 */
bool peer_is_full(const struct daemon *daemon)
{
	return daemon->nr_half_open >= HALF_OPEN_ALL ||
	       (daemon->nr_half_open &&
		daemon->nr_sessions >= daemon->config->max_sessions);
}

/**
 * peer_greediest() - whose connections should make room for others?
 * @daemon: the daemon
 *
 * Return: the host with the most that have not opened an export; NULL: there are
 * none.
 */
struct peer *peer_greediest(const struct daemon *daemon)
{
	struct peer *peer, *most = NULL;

	TAILQ_FOREACH(peer, &daemon->peers, entry)
		if (peer->nr_half_open > (most ? most->nr_half_open : 0))
			most = peer;
	return most;
}

/**
 * peer_add_session() - a host has one more session, without an export as yet
 * @peer: the host
 */
void peer_add_session(struct peer *peer)
{
	if (!peer->nr_sessions++)
		peer->daemon->nr_idle_peers--;
	peer->nr_half_open++;
	peer->daemon->nr_half_open++;
}

/**
 * peer_session_opened() - a session opened an export, or ended without
 * @peer: whose
 */
void peer_session_opened(struct peer *peer)
{
	peer->nr_half_open--;
	peer->daemon->nr_half_open--;
}

/**
 * peer_session_gone() - a session is about to be freed
 * @peer: whose; it may be gone after this
 */
void peer_session_gone(struct peer *peer)
{
	if (--peer->nr_sessions)
		return;
	peer->daemon->nr_idle_peers++;
	if (peer->daemon->nr_idle_peers > IDLE_MAX)
		forget_one(peer->daemon);
}

/**
 * peer_turn() - may another message of a host be looked at?
 * @peer: the host
 * @now_us: CLOCK_MONOTONIC
 *
 * Every message uses up its part of a second; a host may be a second ahead.
 *
 * Return: 0 if so, and it counts; else when the next one may.
 */
uint64_t peer_turn(struct peer *peer, uint64_t now_us)
{
	uint64_t each = USEC_PER_SEC / peer->daemon->config->max_messages;

	if (peer->messages_us < now_us)
		peer->messages_us = now_us;
	if (peer->messages_us + each > now_us + USEC_PER_SEC)
		return peer->messages_us + each - USEC_PER_SEC;
	peer->messages_us += each;
	return 0;
}

/**
 * peer_log() - log something that a host did, unless it did too much
 * @peer: the host
 * @priority: LOG_ERR to LOG_INFO
 * @format: printf format, without a newline
 */
void peer_log(struct peer *peer, int priority, const char *format, ...)
{
	static struct log_limit all = {
		.lines = LOG_LINES_MAX, .about = "hosts that connect",
	};
	va_list args;

	if (!log_allowed(&peer->log, priority) || !log_allowed(&all, priority))
		return;
	va_start(args, format);
	log_line(priority, format, args);
	va_end(args);
}

/**
 * peer_free_all() - forget all hosts
 * @daemon: the daemon, which has no sessions any more
 */
void peer_free_all(struct daemon *daemon)
{
	struct peer *peer, *next;

	TAILQ_FOREACH_SAFE(peer, &daemon->peers, entry, next)
		forget(peer);
}
