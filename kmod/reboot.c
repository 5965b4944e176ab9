// SPDX-License-Identifier: GPL-2.0
/*
 * The host goes down: whoever could close a device has done so, and nothing of what
 * is still open will be used again. Devices with a path say goodbye, so that their
 * exports are free for others at once. Nothing waits for a target that is gone.
 */
#include <linux/reboot.h>

#include "dev.h"

#define RDMABLK_GOODBYE_MS	5000	/* for the targets to hear of it */
#define RDMABLK_HURRY_MS	5000	/* for what is left to end without them */

/* False: some device is still there. */
static bool rdmablk_detach_all(enum rdmablk_detach how, u32 timeout_ms)
{
	struct rdmablk_reason reason;
	struct rdmablk_dev *dev;
	u32 index;

	for (index = 0; (dev = rdmablk_dev_get_next(&index)); index++) {
		/* Refuses only what is being detached already. */
		rdmablk_dev_detach(dev, how, &reason);
		rdmablk_dev_put(dev);
	}
	return rdmablk_dev_wait_none(timeout_ms);
}

static int rdmablk_reboot_event(struct notifier_block *block,
				unsigned long action, void *command)
{
	if (!rdmablk_detach_all(RDMABLK_DETACH_OPEN, RDMABLK_GOODBYE_MS) &&
	    !rdmablk_detach_all(RDMABLK_DETACH_NOW, RDMABLK_HURRY_MS))
		pr_warn("devices are left: going down without waiting for them\n");
	return NOTIFY_DONE;
}

static struct notifier_block reboot_block = {
	.notifier_call = rdmablk_reboot_event,
};

/**
 * rdmablk_reboot_init() - listen to the host's going down
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int rdmablk_reboot_init(void)
{
	return register_reboot_notifier(&reboot_block);
}

/**
 * rdmablk_reboot_exit() - do not listen any more; waits for what was heard
 *
 * Context: process.
 */
void rdmablk_reboot_exit(void)
{
	unregister_reboot_notifier(&reboot_block);
}
