/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an export's bytes live. A store hands out a file that can be mapped
 * shared and writable and registered for RDMA, and knows which contents it
 * holds. It neither maps nor fills it: prepare.c does.
 */
#ifndef RDMABLKD_STORE_H
#define RDMABLKD_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-id128.h>

#include "reason.h"
#include "spec.h"

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

/**
 * struct store - an open store
 * @ops: its kind
 * @fd: file whose first @size bytes are the export
 * @size: of the export, bytes
 * @page_size: of the pages behind the file, bytes
 * @allocated: bytes that the file occupies already
 * @created: the file was made by this open, and is removed if nothing comes
 *	     of it
 * @identity: which contents
 * @path: of the file; empty for memory without a name
 * @record: file that keeps @identity; empty: nothing does
 */
struct store {
	const struct store_ops	*ops;
	int			fd;
	uint64_t		size;
	uint64_t		page_size;
	uint64_t		allocated;
	bool			created;
	struct identity		identity;
	char			path[PATH_MAX];
	char			record[PATH_MAX];
};

/**
 * struct store_ops - a kind of store
 * @name: as people write it
 * @durability: enum rdmablk_durability
 * @check: refuses properties that make no sense for this kind
 * @open: fills in all of the struct store but @ops; allocates no pages
 * @save: keeps the identity after it changed; NULL: there is nothing to keep
 */
struct store_ops {
	const char	*name;
	unsigned int	durability;
	int (*check)(const struct spec *spec, struct reason *why);
	int (*open)(struct store *store, const struct spec *spec,
		    const char *state_dir, struct reason *why);
	int (*save)(const struct store *store, struct reason *why);
};

extern const struct store_ops store_mem, store_shm;

const struct store_ops *store_find(const char *name);
int store_open(struct store *store, const struct spec *spec,
	       const char *state_dir, struct reason *why);
void store_close(struct store *store);
void store_discard(struct store *store);
int store_save(const struct store *store, struct reason *why);
uint64_t store_map_size(const struct store *store);

#endif /* RDMABLKD_STORE_H */
