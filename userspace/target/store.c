// SPDX-License-Identifier: GPL-2.0
/*
 * What all stores have in common. See store.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backing.h"
#include "cleanup.h"
#include "directory.h"
#include "log.h"
#include "staging.h"
#include "store.h"

#define MEMORY_DIR	"/dev/shm/rdmablk"

static const struct store_ops *const stores[] = {
	&store_mem, &store_shm, &store_file, &store_blk,
};

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
 * store_choose_memory() - where the memory that outlives the daemon is
 * @store: gets its path
 * @path: that the operator chose; empty: none
 * @spec: the export
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int store_choose_memory(struct store *store, const char *path,
			const struct spec *spec, struct reason *why)
{
	snprintf(store->path, sizeof(store->path), "%s%s%s",
		 path[0] ? path : MEMORY_DIR, path[0] ? "" : "/",
		 path[0] ? "" : spec->name);
	return path[0] ? 0 : directory_make(MEMORY_DIR, 0700, why);
}

/**
 * store_choose_record() - where the record of an export's contents is
 * @store: gets its record
 * @spec: the export
 * @state_dir: the daemon's state directory
 * @why: set on failure
 *
 * Return: 0 or -ENAMETOOLONG.
 */
int store_choose_record(struct store *store, const struct spec *spec,
			const char *state_dir, struct reason *why)
{
	int len = snprintf(store->record, sizeof(store->record),
			   "%s/exports/%s.json", state_dir, spec->name);

	if (len >= (int)sizeof(store->record) - 4)	/* ".new" */
		return reason_set(why, -ENAMETOOLONG,
				  "the state directory's name is too long");
	return 0;
}

/**
 * store_close() - let go of the bytes; a file with a name keeps them
 * @store: the store
 */
void store_close(struct store *store)
{
	if (store->ops->close)
		store->ops->close(store);
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
	const char *path = store->backing ? store->backing->path : store->path;

	store_remove(store);
	if (store->created && path[0] && unlink(path) && errno != ENOENT)
		log_warning("cannot remove %s: %m", path);
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
int store_save(struct store *store, struct reason *why)
{
	return store->ops->save ? store->ops->save(store, why) : 0;
}

/**
 * store_must_load() - are there contents that must be read from the backing?
 * @store: an open store
 *
 * Return: true: its load() has to be called for all parts, then its loaded().
 */
bool store_must_load(const struct store *store)
{
	return store->staging && !store->staging->loaded;
}

/**
 * store_clean() - note that the backing has everything
 * @store: all that was written is durable in its backing, and nobody may write
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int store_clean(struct store *store, struct reason *why)
{
	return store->ops->clean ? store->ops->clean(store, why) : 0;
}

/**
 * store_remove() - give back named memory that is not needed any more
 * @store: its export is removed; closed afterwards
 *
 * What the backing lacks is not given up: such memory stays.
 */
void store_remove(struct store *store)
{
	if (store->ops->remove)
		store->ops->remove(store);
}

/**
 * store_retracted() - a resize is over: note it
 * @store: as large as it will be
 *
 * It is not fatal if that fails: the next start finds out.
 */
void store_retracted(struct store *store)
{
	struct reason why;

	store->resize = 0;
	if (store->ops->note && store->ops->note(store, &why))
		log_warning("%s", why.message);
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
