/* SPDX-License-Identifier: GPL-2.0 */
/* Who may have an export open beside whom. */
#ifndef RDMABLKD_CLAIM_H
#define RDMABLKD_CLAIM_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "addr.h"
#include "queue.h"
#include "store.h"
#include "uapi/rdmablk_proto.h"

/**
 * struct claim - a session's hold on an export
 * @entry: in the export's list
 * @session_id: of the session
 * @origin: the session that it is a recovery of; zero: of none
 * @host_id: of the client
 * @life: of that host; zero: it does not say
 * @host_name: of the client, for people
 * @client: name of the key that it has proved to have; empty: of none
 * @peer: address of the client
 * @write: enum rdmablk_access is RDMABLK_ACCESS_RW
 * @since: when it was granted
 */
struct claim {
	TAILQ_ENTRY(claim)	entry;
	uint64_t		session_id;
	uint64_t		origin;
	uint8_t			host_id[RDMABLK_UUID_SIZE];
	uint64_t		life;
	char			host_name[RDMABLK_HOST_MAX];
	char			client[RDMABLK_HOST_MAX];
	union addr		peer;
	bool			write;
	time_t			since;
};

TAILQ_HEAD(claim_list, claim);

/**
 * struct claim_rules - what an export allows
 * @read_only: no writers at all
 * @shared_read: readers beside a writer
 * @identity: who wrote last
 */
struct claim_rules {
	bool			read_only;
	bool			shared_read;
	const struct identity	*identity;
};

struct claim *claim_predecessor(const struct claim_list *list,
				const struct claim *new);
struct claim *claim_left_behind(const struct claim_list *list,
				const struct claim *new);
struct claim *claim_conflict(const struct claim_list *list,
			     const struct claim *new,
			     const struct claim_rules *rules);
bool claim_outdated(const struct claim *new, const struct claim_rules *rules);
uint64_t claim_new_id(uint32_t era, uint64_t random);
void claim_note_writer(struct identity *identity, const struct claim *writer,
		       uint32_t keep_alive_ms);
bool claim_forget_holder(struct identity *identity, const struct claim *claim);

#endif /* RDMABLKD_CLAIM_H */
