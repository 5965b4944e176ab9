// SPDX-License-Identifier: GPL-2.0
/*
 * What stores have in common that serve a backing from staging memory. The
 * heart of it is what an export starts with: the staging that is there, or the
 * backing; and whether clients may take that for what they wrote.
 *
 * The record in the state directory says which staging was used last, and
 * whether everything was in the backing when it was. It is clean from when the
 * contents are loaded until a writer is admitted, and again when the daemon
 * says so. Not clean, and without that staging, what was written since the last
 * flush is lost. A backing that was cut short or deleted while it was served has
 * lost what was in it: then the staging is dirty though the record says clean.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backing.h"
#include "load.h"
#include "log.h"
#include "record.h"
#include "staged.h"
#include "staging.h"

/**
 * struct found - what an export finds when it starts
 * @tie: of the backing
 * @mtime: of the backing, ns; zero: it has none
 * @record: what was noted the last time
 * @known: @record is about this backing
 * @staging: what is in the staging's place
 */
struct found {
	struct tie		tie;
	uint64_t		mtime;
	struct record		record;
	bool			known;
	enum staging_found	staging;
};

/**
 * staged_check() - refuse properties that make no sense
 * @spec: the export
 * @why: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int staged_check(const struct spec *spec, struct reason *why)
{
	if (!spec->path[0]) {
		reason_set(why, -EINVAL, "store %s needs a path",
			   spec->store->name);
		reason_hint(why, "path= names the %s that keeps the contents",
			    spec->store == &store_blk ? "block device" :
							"file");
		return -EINVAL;
	}
	if (spec->hugepage) {
		reason_set(why, -EINVAL, "hugepages is for store mem: staging memory has the page size of its file system");
		reason_hint(why, "put staging on a hugetlbfs: staging=PATH");
		return -EINVAL;
	}
	return 0;
}

/**
 * staged_alloc() - begin to open a store
 * @store: gets a backing and a staging that are not open, and its paths
 * @spec: the export
 * @state_dir: the daemon's state directory
 * @why: set on failure
 *
 * Return: 0 or a negative errno; staged_close() is good for both.
 */
int staged_alloc(struct store *store, const struct spec *spec,
		 const char *state_dir, struct reason *why)
{
	int err;

	store->backing = calloc(1, sizeof(*store->backing));
	store->staging = calloc(1, sizeof(*store->staging));
	if (!store->backing || !store->staging) {
		free(store->backing);
		free(store->staging);
		store->backing = NULL;
		store->staging = NULL;
		return reason_set(why, -ENOMEM, "out of memory");
	}
	store->backing->fd = -1;
	store->staging->fd = -1;
	err = store_choose_record(store, spec, state_dir, why);
	return err ? err : store_choose_memory(store, spec->staging, spec, why);
}

/* ---- The record ---------------------------------------------------------- */

static int save_record(const struct store *store, uint64_t mtime, bool is_clean,
		       struct reason *why)
{
	struct record record = {
		.identity = store->identity,
		.staging = store->staging->id,
		.clean = is_clean,
		.mtime = mtime,
		.resize = store->resize,
	};
	int err = backing_tie(store->backing, &record.tie, why);

	return err ? err : record_save(&record, store->record, why);
}

/**
 * staged_save() - keep the identity, because a writer is to be admitted
 * @store: the store, which is not clean any more
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int staged_save(struct store *store, struct reason *why)
{
	store->clean = false;
	return save_record(store, 0, false, why);
}

/**
 * staged_note() - keep what is known as it is
 * @store: the store
 * @why: set on failure
 *
 * Context: any thread, as long as nobody else uses the store.
 * Return: 0 or a negative errno.
 */
int staged_note(struct store *store, struct reason *why)
{
	uint64_t mtime = 0;
	int err = 0;

	if (store->clean)
		err = backing_mtime(store->backing, &mtime, why);
	return err ? err : save_record(store, mtime, store->clean, why);
}

/**
 * staged_clean() - note that the backing has everything
 * @store: all that was written is durable in its backing, its maps are clear,
 *	   and nobody may write
 * @why: set on failure
 *
 * Return: 0; -EBUSY when a map marks something; another negative errno.
 */
int staged_clean(struct store *store, struct reason *why)
{
	uint64_t mtime;
	int err;

	if (store->clean)
		return 0;
	if (!store->staging->loaded || staging_is_dirty(store->staging))
		return reason_set(why, -EBUSY, "%s lacks some of what was written",
				  store->backing->path);
	/* Not fdatasync: after a power loss the time has to be the same. */
	if (fsync(store->backing->fd))
		return reason_set(why, -errno, "cannot write %s back: %m",
				  store->backing->path);
	err = backing_mtime(store->backing, &mtime, why);
	if (!err)
		err = save_record(store, mtime, true, why);
	store->clean = !err;
	return err;
}

/* ---- What there is ------------------------------------------------------- */

static int look(struct store *store, struct found *found, struct reason *why)
{
	const struct backing *backing = store->backing;
	int err;

	err = backing_tie(backing, &found->tie, why);
	if (!err)
		err = backing_mtime(backing, &found->mtime, why);
	if (err)
		return err;
	found->known = !record_load(&found->record, store->record, &found->tie,
				    why);
	if (!found->known && !store->created)
		log_warning("%s: %s: its contents count as new",
			    backing->path, why->message);
	return staging_open(store->staging, store->path, backing->size,
			    found->known ? found->record.tie.size : 0,
			    &found->tie, &found->staging, why);
}

/* Nothing is given up that may be the only copy of what somebody wrote. */
static int check_expendable(const struct store *store,
			    const struct found *found, struct reason *why)
{
	if (!staging_is_dirty(store->staging))
		return 0;
	reason_set(why, -ENOTEMPTY, found->staging == STAGING_UNFIT ?
		   "staging %s has writes that its backing lacks, which is not %s" :
		   "staging %s has writes that %s lacks, and is not what it was served from last",
		   store->path, store->backing->path);
	reason_hint(why, "offer the export that it belongs to, to have them written back; or choose another path with staging=; or give them up: rm %.128s",
		    store->path);
	return -ENOTEMPTY;
}

static int load_anew(struct store *store, const struct found *found,
		     struct reason *why)
{
	int err = check_expendable(store, found, why);

	if (err)
		return err;
	staging_close(store->staging);
	err = staging_make(store->staging, store->path, store->backing->size,
			   &found->tie, why);
	if (!err)
		err = save_record(store, found->mtime, true, why);
	store->clean = !err;
	return err;
}

static int load_new(struct store *store, const struct found *found,
		    struct reason *why)
{
	int err = identity_new(&store->identity, why);

	return err ? err : load_anew(store, found, why);
}

static int load_changed(struct store *store, const struct found *found,
			struct reason *why)
{
	log_warning("%s was changed by somebody else since it was used last: its contents count as new",
		    store->backing->path);
	return load_new(store, found, why);
}

static int load_lost(struct store *store, const struct found *found,
		     struct reason *why)
{
	int err = identity_new_instance(&store->identity, why);

	log_warning("%s: its staging memory is gone: what was written after the last flush is lost",
		    store->backing->path);
	return err ? err : load_anew(store, found, why);
}

/* Its record is lost, or the contents would be older than what was served. */
static int adopt_unknown(struct store *store, struct reason *why)
{
	int err = identity_new(&store->identity, why);

	log_warning("%s: the staging %s has writes that it lacks, and is used",
		    store->backing->path, store->path);
	return err ? err : staged_save(store, why);
}

/* See the rules at the top of this file. */
static int find_contents(struct store *store, const struct found *found,
			 struct reason *why)
{
	const struct record *record = &found->record;
	const bool clean = found->known && record->clean;
	const bool ready = found->staging == STAGING_READY;
	const bool last = found->known && ready &&
			  sd_id128_equal(record->staging, store->staging->id);

	if (found->known)
		store->identity = record->identity;
	/* The backing lost something, and was not given it back yet. */
	if (clean && last && staging_is_dirty(store->staging))
		return staged_save(store, why);
	/* What a resize did to it is not somebody else's doing. */
	if (clean && !record->resize && record->mtime != found->mtime)
		return load_changed(store, found, why);
	/* Who wrote to a disk since then cannot be seen: read it again. */
	if (clean && store->backing->block_device)
		return load_anew(store, found, why);
	if (last) {
		store->clean = clean;
		return record->resize ? staged_note(store, why) : 0;
	}
	if (clean)
		return load_anew(store, found, why);
	if (found->known)
		return load_lost(store, found, why);
	if (ready && staging_is_dirty(store->staging))
		return adopt_unknown(store, why);
	return load_new(store, found, why);
}

/* What it has been told to write back it may not write. */
static int check_writable(const struct store *store, struct reason *why)
{
	if (!store->backing->read_only || !staging_is_dirty(store->staging))
		return 0;
	reason_set(why, -EROFS, "staging %s has writes that %s lacks, which is to be read only",
		   store->path, store->backing->path);
	reason_hint(why, "offer it without read-only once, to have them written back");
	return -EROFS;
}

/**
 * staged_open() - find or make the staging of an open backing
 * @store: from staged_alloc(), its backing is open; @created is set
 * @spec: the export
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int staged_open(struct store *store, const struct spec *spec,
		struct reason *why)
{
	struct found found = { .known = false };
	int err;

	err = spec_check_size(store->backing->size, spec->block_size,
			      "block size", why);
	if (!err)
		err = look(store, &found, why);
	if (!err)
		err = find_contents(store, &found, why);
	if (!err)
		err = check_writable(store, why);
	if (err)
		return err;
	store->fd = store->staging->fd;
	store->size = store->backing->size;
	store->page_size = store->staging->page_size;
	store->allocated = staging_allocated(store->staging);
	return 0;
}

/**
 * staged_close() - let go of backing and staging
 * @store: the store
 */
void staged_close(struct store *store)
{
	if (!store->backing)
		return;
	staging_close(store->staging);
	backing_close(store->backing);
	free(store->staging);
	free(store->backing);
	store->staging = NULL;
	store->backing = NULL;
	store->fd = -1;
}

/* ---- Loading ------------------------------------------------------------- */

/**
 * staged_load() - read a part of the contents from the backing
 * @store: the store
 * @load: which part, and where it goes
 * @why: set on failure
 *
 * Return: 0; -ECANCELED; another negative errno.
 */
int staged_load(struct store *store, const struct store_load *load,
		struct reason *why)
{
	return load_part(store->backing, load, why);
}

/**
 * staged_loaded() - all parts of the contents were read
 * @store: the store
 */
void staged_loaded(struct store *store)
{
	staging_set_loaded(store->staging);
}

/**
 * staged_remove() - give the staging's memory back
 * @store: the store; its staging stays if it has what the backing lacks
 */
void staged_remove(struct store *store)
{
	/* A backing that lost what it had lacks it, though nobody wrote. */
	if (store->clean && !staging_is_dirty(store->staging))
		staging_unlink(store->staging);
	else if (store->staging && store->staging->loaded)
		log_notice("%s: its staging %s stays: it may have writes that are not written back",
			   store->backing->path, store->path);
}
