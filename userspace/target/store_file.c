// SPDX-License-Identifier: GPL-2.0
/*
 * Store file: a file on a disk, served from staging memory. What is flushed
 * survives the host.
 */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "backing.h"
#include "staged.h"

static int file_check(const struct spec *spec, struct reason *why)
{
	if (spec->prealloc && !spec->size) {
		reason_set(why, -EINVAL, "prealloc is for a file that is made, which takes a size");
		reason_hint(why, "for example size=64G");
		return -EINVAL;
	}
	return staged_check(spec, why);
}

/* A file that is not there any more may be on a disk that is not mounted. */
static int check_never_was(const struct store *store, const struct spec *spec,
			   struct reason *why)
{
	if (access(store->record, F_OK))
		return 0;
	reason_set(why, -ENOENT, "%s does not exist, and the export has had contents",
		   spec->path);
	reason_hint(why, "mount what it is on; or rm %.128s, to have it made anew",
		    store->record);
	return -ENOENT;
}

static int make_file(struct store *store, const struct spec *spec,
		     struct reason *why)
{
	int err;

	err = check_never_was(store, spec, why);
	if (err)
		return err;
	if (!spec->size) {
		err = reason_set(why, -ENOENT, "%s does not exist", spec->path);
		reason_hint(why, "give a size to have it made");
		return err;
	}
	err = backing_create(spec->path, spec->size, spec->prealloc, why);
	if (err)
		return err;
	store->created = true;
	return backing_open_file(store->backing, spec->path, spec->read_only,
				 why);
}

static int check_size(const struct store *store, const struct spec *spec,
		      struct reason *why)
{
	if (!spec->size || spec->size == store->backing->size)
		return 0;
	reason_set(why, -EINVAL, "%s exists and has %" PRIu64 " bytes, not %" PRIu64,
		   spec->path, store->backing->size, spec->size);
	reason_hint(why, "leave size out to use it as it is, or remove the file");
	return -EINVAL;
}

static int file_open(struct store *store, const struct spec *spec,
		     const char *state_dir, struct reason *why)
{
	int err;

	err = staged_alloc(store, spec, state_dir, why);
	if (!err) {
		err = backing_open_file(store->backing, spec->path,
					spec->read_only, why);
		if (err == -ENOENT)
			err = make_file(store, spec, why);
	}
	if (!err && !store->created)
		err = staged_settle(store, spec, why);
	if (!err)
		err = check_size(store, spec, why);
	if (!err)
		err = staged_open(store, spec, why);
	if (err)
		store_discard(store);
	return err;
}

const struct store_ops store_file = {
	.name		= "file",
	.durability	= RDMABLK_DURABLE,
	.check		= file_check,
	.open		= file_open,
	STAGED_OPS,
};
