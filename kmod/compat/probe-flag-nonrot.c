// SPDX-License-Identifier: GPL-2.0
/* bd4a633b6f7c (6.11) replaced QUEUE_FLAG_NONROT by BLK_FEAT_ROTATIONAL. */
#include <linux/blkdev.h>

int probe = QUEUE_FLAG_NONROT;
