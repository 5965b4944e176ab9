// SPDX-License-Identifier: GPL-2.0
/*
 * Store blk: a block device, served from staging memory. What is flushed
 * survives the host.
 */
#include <errno.h>

#include "backing.h"
#include "staged.h"

static int blk_check(const struct spec *spec, struct reason *why)
{
	if (spec->size) {
		reason_set(why, -EINVAL, "store blk takes no size: an export is as large as its block device");
		reason_hint(why, "leave size out");
		return -EINVAL;
	}
	if (spec->prealloc)
		return reason_set(why, -EINVAL, "prealloc is for store file: a block device has all of its space");
	return staged_check(spec, why);
}

static int blk_open(struct store *store, const struct spec *spec,
		    const char *state_dir, struct reason *why)
{
	int err;

	err = staged_alloc(store, spec, state_dir, why);
	if (!err)
		err = backing_open_disk(store->backing, spec->path,
					spec->read_only, why);
	if (!err)
		err = staged_settle(store, spec, why);
	if (!err)
		err = staged_open(store, spec, why);
	if (err)
		store_discard(store);
	return err;
}

const struct store_ops store_blk = {
	.name		= "blk",
	.durability	= RDMABLK_DURABLE,
	.check		= blk_check,
	.open		= blk_open,
	STAGED_OPS,
};
