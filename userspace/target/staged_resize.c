// SPDX-License-Identifier: GPL-2.0
/*
 * Resizing what is served from staging memory. The record says that a resize is
 * under way, and to which size, before anything is changed, and until all is
 * done. Whoever finds it so, after a kill, knows that the size and the time of
 * the backing were changed by us. Only when the record is clean, too, is the
 * backing touched: then the staging is not needed any more.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "backing.h"
#include "load.h"
#include "log.h"
#include "macros.h"
#include "record.h"
#include "staged.h"
#include "staging.h"

/* ---- After a kill -------------------------------------------------------- */

/*
 * A file gets its old size, unless the resize came to where the new one was
 * reached, and nobody asks for the old one.
 */
static int settle_file(struct store *store, const struct record *record,
		       const struct spec *spec, struct reason *why)
{
	struct backing *backing = store->backing;
	uint64_t size = record->tie.size;

	/* One that is to be read only by now stays as it is. */
	if (backing->read_only ||
	    (backing->size == record->resize && spec->size != size))
		return 0;
	if (spec->size == record->resize)
		size = spec->size;
	log_notice("%s: a resize was interrupted: it has %" PRIu64 " bytes now",
		   backing->path, size);
	/* Also for the space that was given to it beforehand. */
	return backing_resize(backing, size, why);
}

/**
 * staged_settle() - a daemon may have been killed while it resized a backing
 * @store: its backing is open, and gets the size that it is to be used with
 * @spec: the export
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int staged_settle(struct store *store, const struct spec *spec,
		  struct reason *why)
{
	struct backing *backing = store->backing;
	struct reason unknown;
	struct record record;
	struct tie tie;
	int err;

	err = backing_tie(backing, &tie, why);
	if (err || record_load(&record, store->record, &tie, &unknown))
		return err;
	/*
	 * What was written since is in the staging, of the size that it had. When
	 * all of it is on the disk, the disk is read as it is.
	 */
	if (backing->block_device && !record.clean &&
	    backing->size != record.tie.size) {
		log_notice("%s: its disk has grown, see 'rbdctl export resize'",
			   spec->name);
		backing->size = record.tie.size;
	}
	if (backing->block_device || !record.resize || !record.clean)
		return 0;
	return settle_file(store, &record, spec, why);
}

/* ---- Growing ------------------------------------------------------------- */

static int check_size(const struct store *store, uint64_t size,
		      struct reason *why)
{
	const struct backing *backing = store->backing;
	uint64_t now;
	int err;

	err = spec_check_size(size, backing->align, "direct I/O unit", why);
	if (!err)
		err = backing_size(backing, &now, why);
	if (err)
		return err;
	if (backing->block_device && now != size) {
		reason_set(why, -EINVAL, "%s has %" PRIu64 " bytes, not %" PRIu64,
			   backing->path, now, size);
		reason_hint(why, "resize it first, then leave SIZE out");
		return -EINVAL;
	}
	if (!backing->block_device && backing->read_only)
		return reason_set(why, -EROFS, "the export is read-only, and so is %s",
				  backing->path);
	return 0;
}

/* Before anything is changed, and until it is over. */
static int note_resize(struct store *store, uint64_t size, struct reason *why)
{
	int err;

	store->resize = size;
	err = staged_note(store, why);
	if (err)
		store->resize = 0;
	return err;
}

/**
 * staged_extend() - make the staging long enough for more
 * @store: loaded, and in use
 * @grown: has the larger size; gets a staging of its own, to be unmapped and
 *	   freed
 * @why: set on failure
 *
 * Return: 0; -ERANGE when that is possible only while it is not in use;
 * another negative errno.
 */
int staged_extend(struct store *store, struct store *grown,
		  struct reason *why)
{
	int err = check_size(store, grown->size, why);

	if (err)
		return err;
	grown->staging = calloc(1, sizeof(*grown->staging));
	if (!grown->staging)
		return reason_set(why, -ENOMEM, "out of memory");
	err = note_resize(store, grown->size, why);
	if (err)
		goto free_staging;
	err = staging_extend(store->staging, grown->size, grown->staging, why);
	if (err)
		goto note;
	/* A file that gets longer has zeros there, a disk whatever it has. */
	if (store->backing->block_device) {
		grown->staging->loaded = false;
		grown->load_from = store->staging->tail_offset +
				   store->staging->tail_size;
	}
	return 0;

note:
	store_retracted(store);
free_staging:
	free(grown->staging);
	grown->staging = NULL;
	return err;
}

/* What a disk has where the tail is cannot be loaded there yet. */
static int load_beneath(const struct store *store, struct staging *grown,
			struct reason *why)
{
	const struct staging *staging = store->staging;
	const uint64_t tail_end = staging->tail_offset + staging->tail_size;
	const uint64_t page = store->size & ~(uint64_t)(BACKING_ALIGN_MAX - 1);
	const uint64_t end = MIN(tail_end, grown->size);
	static const atomic_bool never;
	_Atomic uint64_t done = 0;
	struct store_load load = {
		.offset = store->size, .length = end - store->size,
		.cancel = &never, .done = &done,
	};
	void *memory = mmap(NULL, end - page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return reason_set(why, -ENOMEM, "out of memory");
	grown->beneath = memory;
	grown->beneath_size = end - page;
	load.map = (void *)((uintptr_t)memory - page);
	return load_part(store->backing, &load, why);
}

/**
 * staged_reserve() - make sure that growing will not lack anything
 * @store: extended
 * @grown: what it is to be
 * @prealloc: a file gets all of its space
 * @why: set on failure
 *
 * Context: a thread.
 * Return: 0 or a negative errno.
 */
int staged_reserve(const struct store *store, struct store *grown,
		   bool prealloc, struct reason *why)
{
	if (store->backing->block_device)
		return load_beneath(store, grown->staging, why);
	return prealloc ? backing_reserve(store->backing, grown->size, why) : 0;
}

static void shrink_back(struct backing *backing, uint64_t size)
{
	struct reason why;

	/* A disk has the size that it has. */
	if (backing->block_device)
		backing->size = size;
	else if (backing_resize(backing, size, &why))
		log_error("%s", why.message);
}

/**
 * staged_grow() - become larger
 * @store: extended, clean and not in use
 * @grown: its contents are complete
 * @map: where they are mapped
 * @why: set on failure
 *
 * Context: a thread.
 * Return: 0, and what belongs to @store is not good for anything any more; or a
 * negative errno, and it is as it was.
 */
int staged_grow(struct store *store, struct store *grown, void *map,
		struct reason *why)
{
	struct backing *backing = store->backing;
	struct reason late;
	struct tie tie;
	int err;

	err = backing_resize(backing, grown->size, why);
	if (err)
		return err;
	err = backing_tie(backing, &tie, why);
	if (err) {
		shrink_back(backing, store->size);
		return err;
	}
	staging_grow(store->staging, grown->staging, map, &tie);
	grown->identity = store->identity;
	grown->clean = true;
	grown->resize = 0;
	/* The record that there is will do, too. */
	if (staged_note(grown, &late))
		log_warning("%s", late.message);
	return 0;
}

/**
 * staged_retract() - make the staging as long as it was
 * @store: extended; what was added is not in use any more
 *
 * Context: a thread.
 */
void staged_retract(const struct store *store)
{
	uint64_t size;
	struct reason why;

	staging_retract(store->staging);
	/* Space that it was given beforehand. */
	if (!store->backing->block_device && !store->backing->read_only &&
	    !backing_size(store->backing, &size, &why) &&
	    size == store->backing->size)
		backing_resize(store->backing, size, &why);
}

/* ---- From the ground up -------------------------------------------------- */

/* Its contents have to be loaded anew. */
static int make_staging(struct store *store, uint64_t size,
			struct reason *why)
{
	struct staging fresh;
	struct tie tie;
	int err;

	err = backing_tie(store->backing, &tie, why);
	if (err)
		return err;
	tie.size = size;
	err = staging_make(&fresh, store->path, size, &tie, why);
	if (err)
		return err;
	staging_close(store->staging);
	*store->staging = fresh;
	store->fd = fresh.fd;
	store->allocated = 0;
	store->size = size;
	return 0;
}

/**
 * staged_refit() - become larger or smaller, from the ground up
 * @store: clean and not in use; its contents have to be loaded when this
 *	   returns 0
 * @size: bytes
 * @why: set on failure
 *
 * Contents of which something was cut off are others.
 *
 * Context: a thread.
 * Return: 0; or a negative errno, and it is as it was.
 */
int staged_refit(struct store *store, uint64_t size, struct reason *why)
{
	const struct identity identity = store->identity;
	const uint64_t old = store->size;
	struct reason again;
	int err = check_size(store, size, why);

	if (!err && size < old)
		err = identity_new(&store->identity, why);
	if (!err)
		err = note_resize(store, size, why);
	if (err) {
		store->identity = identity;
		return err;
	}
	err = make_staging(store, size, why);
	if (!err) {
		err = backing_resize(store->backing, size, why);
		if (err && make_staging(store, old, &again))
			log_error("%s", again.message);
	}
	if (err)
		store->identity = identity;
	store_retracted(store);
	return err;
}
