/* SPDX-License-Identifier: GPL-2.0 */
/* A host that clients connect from, and what it has used up of its share. */
#ifndef RDMABLKD_PEER_H
#define RDMABLKD_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "daemon.h"
#include "log.h"

/**
 * struct peer - one address, whatever the port
 * @entry: in the daemon's list, the one heard of last in front
 * @daemon: the daemon
 * @addr: the address
 * @text: @addr in words
 * @nr_sessions: sessions from there, live and dying ones
 * @nr_half_open: those of them that have not opened an export
 * @messages_us: up to when its messages have used up their time
 * @log: what is logged of it
 */
struct peer {
	TAILQ_ENTRY(peer)	entry;
	struct daemon		*daemon;
	union addr		addr;
	char			text[ADDR_TEXT_MAX];
	unsigned int		nr_sessions;
	unsigned int		nr_half_open;
	uint64_t		messages_us;
	struct log_limit	log;
};

struct peer *peer_find(struct daemon *daemon, const union addr *addr);
const char *peer_no_room(const struct peer *peer);
bool peer_is_full(const struct daemon *daemon);
struct peer *peer_greediest(const struct daemon *daemon);
void peer_add_session(struct peer *peer);
void peer_session_opened(struct peer *peer);
void peer_session_gone(struct peer *peer);
uint64_t peer_turn(struct peer *peer, uint64_t now_us);
void peer_log(struct peer *peer, int priority, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void peer_free_all(struct daemon *daemon);

#endif /* RDMABLKD_PEER_H */
