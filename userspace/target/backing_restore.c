// SPDX-License-Identifier: GPL-2.0
/*
 * Making a backing that was damaged fit to be written again.
 */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "backing_restore.h"

/**
 * backing_restore() - give a file that was truncated its size again
 * @backing: a file that is as large as it was, or larger, stays as it is; so
 *	     does a block device, and what is to be read only
 * @why: set on failure
 *
 * What was cut off reads as zero then, until all of it is written.
 *
 * Return: 0 or a negative errno.
 */
int backing_restore(const struct backing *backing, struct reason *why)
{
	uint64_t size;
	int err;

	if (backing->block_device || backing->read_only)
		return 0;
	err = backing_size(backing, &size, why);
	if (err || size >= backing->size)
		return err;
	if (ftruncate(backing->fd, (off_t)backing->size))
		return reason_set(why, -errno, "cannot give %s %" PRIu64
				  " bytes again: %m", backing->path,
				  backing->size);
	return 0;
}
