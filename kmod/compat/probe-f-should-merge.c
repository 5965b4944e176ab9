// SPDX-License-Identifier: GPL-2.0
/* 9bc1e897a821 (6.14) removed BLK_MQ_F_SHOULD_MERGE. */
#include <linux/blk-mq.h>

int probe = BLK_MQ_F_SHOULD_MERGE;
