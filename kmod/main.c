// SPDX-License-Identifier: GPL-2.0
/*
 * rdmablk: a block device whose bytes live in another machine's memory.
 */
#include <linux/module.h>

#include "dev.h"
#include "fault.h"
#include "goodbye.h"
#include "netlink.h"
#include "stats.h"
#include "version.h"

static int __init rdmablk_init(void)
{
	int err;

	err = rdmablk_work_init();
	if (err)
		return err;
	err = rdmablk_link_init();
	if (err)
		goto exit_work;
	err = rdmablk_reboot_init();
	if (err)
		goto exit_link;
	err = rdmablk_nl_init();
	if (err)
		goto exit_reboot;
	rdmablk_fault_init();
	return 0;

exit_reboot:
	rdmablk_reboot_exit();
exit_link:
	rdmablk_link_exit();
exit_work:
	rdmablk_work_exit();
	return err;
}

static void __exit rdmablk_exit(void)
{
	/* First: afterwards nobody can attach. */
	rdmablk_nl_exit();
	rdmablk_reboot_exit();
	rdmablk_stats_exit();
	rdmablk_link_exit();
	rdmablk_goodbyes_exit();
	rdmablk_work_exit();
	rdmablk_dev_exit();
	rdmablk_fault_exit();
}

module_init(rdmablk_init);
module_exit(rdmablk_exit);

MODULE_DESCRIPTION("Block device over one-sided RDMA");
MODULE_AUTHOR("The rdmablk developers");
MODULE_VERSION(RDMABLK_VERSION);
MODULE_LICENSE("GPL");
MODULE_ALIAS_GENL_FAMILY(RDMABLK_GENL_NAME);
