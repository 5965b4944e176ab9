// SPDX-License-Identifier: GPL-2.0
/*
 * Whether an export can be resized: what it is, what is done with it, and the
 * size that it is to have. What the machine bears is looked at later, as for an
 * export that is added.
 */
#include <errno.h>
#include <inttypes.h>

#include "backing.h"
#include "export_resize.h"

/**
 * export_resize_check_error() - can everything be written back?
 * @export: an export with a backing
 * @why: set if not
 *
 * Return: 0; -EIO when there was an error that was not made good for.
 */
int export_resize_check_error(const struct export *export, struct reason *why)
{
	const struct writeback_error *error = &export->writeback->error;

	if (!error->err)
		return 0;
	reason_set(why, -EIO, "export %s cannot be written back: %.256s",
		   export->spec.name, error->why.message);
	reason_hint(why, "see to it, then 'rbdctl export retry %.127s', then resize it",
		    export->spec.name);
	return -EIO;
}

static int check_state(const struct export *export, struct reason *why)
{
	const char *name = export->spec.name;

	if (export_leaving(export))
		return reason_set(why, -EBUSY, "export %s is being removed", name);
	if (export->resize) {
		reason_set(why, -EBUSY, "export %s is being resized already",
			   name);
		reason_hint(why, "'rbdctl export show %.127s' tells how far it is",
			    name);
		return -EBUSY;
	}
	if (export->state == EXPORT_PREPARING || export->busy) {
		reason_set(why, -EBUSY, "export %s is being %s", name,
			   export->state == EXPORT_PREPARING ? "prepared" :
			   "registered on another RDMA device");
		reason_hint(why, "try again when 'rbdctl export list' says that it is ready");
		return -EBUSY;
	}
	if (!export->writeback)
		return 0;
	if (export->retry.queue)
		return reason_set(why, -EBUSY, "export %s is being written back",
				  name);
	return export_resize_check_error(export, why);
}

/* Of a block device that is resized by others. */
static int find_size(const struct export *export, uint64_t *size,
		     struct reason *why)
{
	const struct backing *backing = export->store.backing;

	if (*size)
		return 0;
	if (backing && backing->block_device)
		return backing_size(backing, size, why);
	reason_set(why, -EINVAL, "export %s needs a size", export->spec.name);
	reason_hint(why, "only one of store blk can be asked for its disk's size");
	return -EINVAL;
}

/**
 * export_resize_check() - can an export be resized?
 * @export: the export
 * @size: bytes; zero: that of its disk, and set to it
 * @why: set if not
 *
 * Return: 0; -EBUSY when something else is done with it; -EIO when it cannot be
 * written back; -EINVAL when it cannot have this size; another negative errno.
 */
int export_resize_check(struct export *export, uint64_t *size,
			struct reason *why)
{
	const struct backing *backing = export->store.backing;
	int err;

	err = check_state(export, why);
	if (!err)
		err = find_size(export, size, why);
	if (!err)
		err = spec_check_size(*size, export->spec.block_size,
				      "block size", why);
	if (!err && export->spec.hugepage)
		err = spec_check_size(*size, export->spec.hugepage,
				      "huge page size", why);
	if (err)
		return err;
	if (*size == export->store.size) {
		reason_set(why, -EINVAL, "export %s has %" PRIu64 " bytes already",
			   export->spec.name, *size);
		if (backing && backing->block_device)
			reason_hint(why, "make %.200s larger first",
				    backing->path);
		return -EINVAL;
	}
	if (*size < export->store.size && backing && backing->block_device) {
		reason_set(why, -EINVAL, "export %s cannot become smaller than %" PRIu64 " bytes: it is as large as its block device was",
			   export->spec.name, export->store.size);
		reason_hint(why, "remove it and add it again: its clients have to attach it anew in any case");
		return -EINVAL;
	}
	return 0;
}
