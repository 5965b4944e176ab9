// SPDX-License-Identifier: GPL-2.0
/* 51c352bdbcd2 (6.2): NL_SET_ERR_MSG_FMT(). */
#include <linux/netlink.h>

void probe(struct netlink_ext_ack *extack, int n)
{
	NL_SET_ERR_MSG_FMT(extack, "%d", n);
}
