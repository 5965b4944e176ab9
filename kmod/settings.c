// SPDX-License-Identifier: GPL-2.0
/*
 * The settings of a device: which make sense together, and how a change takes
 * effect at once.
 */
#include "dev.h"

/**
 * rdmablk_settings_check() - do they make sense together?
 * @settings: each in its range
 * @reason: set if not
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int rdmablk_settings_check(const struct rdmablk_settings *settings,
			   struct rdmablk_reason *reason)
{
	if (!settings->dev_loss_tmo ||
	    settings->fast_io_fail_tmo < settings->dev_loss_tmo)
		return 0;
	return rdmablk_reason_set(reason, -EINVAL,
		"the fast-io-fail timeout (%u s) is not less than the dev-loss timeout (%u s), after which the device fails anyway",
		settings->fast_io_fail_tmo, settings->dev_loss_tmo);
}

/* For who reads without the lock; each is good without the others. */
static void rdmablk_settings_copy(struct rdmablk_settings *to,
				  const struct rdmablk_settings *from)
{
	WRITE_ONCE(to->keep_alive_tmo, from->keep_alive_tmo);
	WRITE_ONCE(to->reconnect_delay, from->reconnect_delay);
	WRITE_ONCE(to->fast_io_fail_tmo, from->fast_io_fail_tmo);
	WRITE_ONCE(to->dev_loss_tmo, from->dev_loss_tmo);
	WRITE_ONCE(to->request_tmo, from->request_tmo);
	WRITE_ONCE(to->sync_interval, from->sync_interval);
}

/**
 * rdmablk_dev_set_locked() - change the settings of a device
 * @dev: in any state; its lock is held
 * @settings: the new ones, checked
 *
 * Context: process.
 */
void rdmablk_dev_set_locked(struct rdmablk_dev *dev,
			    const struct rdmablk_settings *settings)
{
	const struct rdmablk_settings was = dev->opts.settings;

	rdmablk_settings_copy(&dev->opts.settings, settings);
	switch (dev->state) {
	case RDMABLK_STATE_LIVE:
		if (settings->keep_alive_tmo != was.keep_alive_tmo)
			rdmablk_dev_queue_keep_alive(dev, 0);
		if (settings->sync_interval != was.sync_interval)
			rdmablk_flush_start(&dev->session.flush);
		rdmablk_disk_set_timeout(dev);
		break;
	case RDMABLK_STATE_RECOVERING:
		if (settings->reconnect_delay != was.reconnect_delay)
			rdmablk_recover_retime_locked(dev);
		rdmablk_dev_queue_deadline(dev, 0);
		rdmablk_disk_set_timeout(dev);
		break;
	default:
		break;
	}
}
