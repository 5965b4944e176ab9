/* SPDX-License-Identifier: GPL-2.0 */
/* Which contents an export has, and which life of the memory. */
#ifndef RDMABLKD_IDENTITY_H
#define RDMABLKD_IDENTITY_H

#include <stdint.h>
#include <systemd/sd-id128.h>

#include "reason.h"

/**
 * struct identity - which contents, and which life of the memory
 * @generation: UUID of the contents
 * @instance: number of the memory's life
 * @era: how often a writer was admitted to these contents
 * @writer: session id of the latest writer; zero: none yet
 * @writer_origin: the session id that the latest writer was a recovery of
 *
 * The last three let an export tell a client that comes back after a long
 * absence whether another one wrote in the meantime.
 */
struct identity {
	sd_id128_t	generation;
	uint64_t	instance;
	uint32_t	era;
	uint64_t	writer;
	uint64_t	writer_origin;
};

int identity_new(struct identity *identity, struct reason *why);
int identity_new_instance(struct identity *identity, struct reason *why);

#endif /* RDMABLKD_IDENTITY_H */
