// SPDX-License-Identifier: GPL-2.0
/*
 * Asking the target whether it is there: three times in the granted time, and when a
 * request waits for its software for long.
 */
#include "dev.h"

/**
 * rdmablk_keep_alive_start() - ask the target from time to time
 * @dev: live
 *
 * Context: any.
 */
void rdmablk_keep_alive_start(struct rdmablk_dev *dev)
{
	u32 period_ms = rdmablk_session_keep_alive_ms(&dev->session);

	if (period_ms)
		rdmablk_dev_queue_keep_alive(dev, msecs_to_jiffies(period_ms));
}

/**
 * rdmablk_keep_alive_work() - ask the target once
 * @work: the device's keep_alive_work
 *
 * Context: a workqueue; sleeps as rdmablk_session_keep_alive() does.
 */
void rdmablk_keep_alive_work(struct work_struct *work)
{
	struct rdmablk_dev *dev = container_of(to_delayed_work(work),
					       struct rdmablk_dev,
					       keep_alive_work);
	struct rdmablk_reason reason;

	if (rdmablk_session_keep_alive(&dev->session, &reason))
		rdmablk_dev_lost(dev, reason.error, reason.text);
	else
		rdmablk_keep_alive_start(dev);
}

/**
 * rdmablk_keep_alive_now() - ask the target now
 * @dev: in any state
 *
 * Also when no answer is insisted on: that the target's host is gone shows when the
 * question does not arrive.
 *
 * Context: process.
 */
void rdmablk_keep_alive_now(struct rdmablk_dev *dev)
{
	mutex_lock(&dev->lock);
	/* In no other state: whoever changes it relies on the work to end. */
	if (dev->state == RDMABLK_STATE_LIVE)
		rdmablk_dev_queue_keep_alive(dev, 0);
	mutex_unlock(&dev->lock);
}
