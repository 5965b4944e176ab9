// SPDX-License-Identifier: GPL-2.0
/* a3396b99990d (6.13) added struct rq_list. */
#include <linux/blk-mq.h>

struct rq_list probe;
