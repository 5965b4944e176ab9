// SPDX-License-Identifier: GPL-2.0
/*
 * Fault points. See fault.h.
 *
 * Each is a directory /sys/kernel/debug/rdmablk/fail_POINT with the knobs that the
 * kernel's own have: probability, interval, times, task-filter and so on.
 */
#include <linux/debugfs.h>
#include <linux/fault-inject.h>

#include "fault.h"

static struct dentry *rdmablk_fault_dir;
static struct fault_attr rdmablk_fault_attrs[RDMABLK_FAULTS];

static const char *const rdmablk_fault_names[RDMABLK_FAULTS] = {
	[RDMABLK_FAULT_MAP]		= "fail_map",
	[RDMABLK_FAULT_POST]		= "fail_post",
	[RDMABLK_FAULT_CONNECT]		= "fail_connect",
	[RDMABLK_FAULT_COMPLETE]	= "fail_complete",
};

/**
 * rdmablk_fault() - is this to fail?
 * @point: what is about to be done
 *
 * Context: any.
 * Return: true if it is to look as if it had failed.
 */
bool rdmablk_fault(enum rdmablk_fault point)
{
	return should_fail(&rdmablk_fault_attrs[point], 1);
}

/**
 * rdmablk_fault_init() - offer the fault points in debugfs
 *
 * Nothing fails until it is asked for there. Without debugfs nothing ever does.
 *
 * Context: process.
 */
void rdmablk_fault_init(void)
{
	int i;

	rdmablk_fault_dir = debugfs_create_dir(KBUILD_MODNAME, NULL);
	for (i = 0; i < RDMABLK_FAULTS; i++) {
		rdmablk_fault_attrs[i] =
			(struct fault_attr)FAULT_ATTR_INITIALIZER;
		fault_create_debugfs_attr(rdmablk_fault_names[i],
					  rdmablk_fault_dir,
					  &rdmablk_fault_attrs[i]);
	}
}

/**
 * rdmablk_fault_exit() - take them away
 *
 * Context: process.
 */
void rdmablk_fault_exit(void)
{
	debugfs_remove_recursive(rdmablk_fault_dir);
}
