// SPDX-License-Identifier: GPL-2.0
/* d32e2bf83791 (6.5): block_device_operations.open() takes a gendisk. */
#include <linux/blkdev.h>

static int probe_open(struct gendisk *gd, blk_mode_t mode)
{
	return 0;
}

const struct block_device_operations probe = { .open = probe_open };
