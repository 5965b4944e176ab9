/* SPDX-License-Identifier: GPL-2.0 */
/* Which contents an export has, and which life of the memory. */
#ifndef RDMABLKD_IDENTITY_H
#define RDMABLKD_IDENTITY_H

#include <stdint.h>
#include <systemd/sd-id128.h>

#include "reason.h"
#include "uapi/rdmablk_proto.h"

/**
 * struct holder - a host that has an export open to write
 * @host_id: of the client
 * @host_name: of the client, for people
 * @client: name of the key that it has proved to have; empty: of none
 * @keep_alive_ms: its keep-alive time; zero: there is no such host
 */
struct holder {
	sd_id128_t	host_id;
	char		host_name[RDMABLK_HOST_MAX];
	char		client[RDMABLK_HOST_MAX];
	uint32_t	keep_alive_ms;
};

/**
 * struct identity - which contents, and which life of the memory
 * @generation: UUID of the contents
 * @instance: number of the memory's life
 * @era: how often a writer was admitted to these contents
 * @writer: session id of the latest writer; zero: none yet
 * @writer_origin: the session id that the latest writer was a recovery of
 * @holder: the latest writer, as long as it is one
 *
 * @era to @writer_origin let an export tell a client that comes back after a long
 * absence whether another one wrote in the meantime. @holder lets the next daemon keep
 * its place for it.
 */
struct identity {
	sd_id128_t	generation;
	uint64_t	instance;
	uint32_t	era;
	uint64_t	writer;
	uint64_t	writer_origin;
	struct holder	holder;
};

int identity_new(struct identity *identity, struct reason *why);
int identity_new_instance(struct identity *identity, struct reason *why);

#endif /* RDMABLKD_IDENTITY_H */
