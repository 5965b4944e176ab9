// SPDX-License-Identifier: GPL-2.0
/*
 * What all stores have in common. See store.h.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "log.h"
#include "store.h"

static const struct store_ops *const stores[] = { &store_mem, &store_shm };

/**
 * store_find() - look up a kind of store
 * @name: as people write it
 *
 * Return: the kind, or NULL.
 */
const struct store_ops *store_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(stores); i++)
		if (!strcmp(name, stores[i]->name))
			return stores[i];
	return NULL;
}

/**
 * store_open() - get hold of an export's bytes
 * @store: filled in
 * @spec: passed spec_check()
 * @state_dir: where the daemon keeps what must survive its restart
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int store_open(struct store *store, const struct spec *spec,
	       const char *state_dir, struct reason *why)
{
	*store = (struct store){ .ops = spec->store, .fd = -1 };
	return spec->store->open(store, spec, state_dir, why);
}

/**
 * store_close() - let go of the bytes; a file with a name keeps them
 * @store: the store
 */
void store_close(struct store *store)
{
	if (store->fd >= 0)
		close(store->fd);
	store->fd = -1;
}

/**
 * store_discard() - undo store_open(), because nothing came of the export
 * @store: the store
 *
 * A file that store_open() made is removed; one that was there stays.
 */
void store_discard(struct store *store)
{
	if (store->created && store->path[0] && unlink(store->path) &&
	    errno != ENOENT)
		log_warning("cannot remove %s: %m", store->path);
	if (store->created && store->record[0] && unlink(store->record) &&
	    errno != ENOENT)
		log_warning("cannot remove %s: %m", store->record);
	store_close(store);
}

/**
 * store_save() - keep the identity beyond the daemon's life, if the bytes are
 * @store: the store, its identity changed
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int store_save(const struct store *store, struct reason *why)
{
	return store->ops->save ? store->ops->save(store, why) : 0;
}

/**
 * store_map_size() - how much has to be mapped
 * @store: an open store
 *
 * Return: the export's size, rounded up to whole pages, bytes.
 */
uint64_t store_map_size(const struct store *store)
{
	return (store->size + store->page_size - 1) & ~(store->page_size - 1);
}
