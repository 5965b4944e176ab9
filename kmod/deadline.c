// SPDX-License-Identifier: GPL-2.0
/*
 * How long a recovery may last: after fast_io_fail_tmo I/O fails while it goes
 * on, after dev_loss_tmo the device does.
 *
 * A work of its own looks at the deadlines, as an attempt may be under way, which
 * takes as long as its time-outs. It acts with the device's lock held, on a
 * device that recovers and whose path is down: no card touches the pages of a
 * request that it lets fail, and neither success nor deletion comes in between.
 */
#include "dev.h"
#include "netlink.h"

static unsigned long rdmablk_deadline_at(const struct rdmablk_dev *dev, u32 tmo)
{
	return dev->recovery.since + tmo * HZ;
}

static bool rdmablk_deadline_passed(const struct rdmablk_dev *dev, u32 tmo)
{
	return tmo && time_after_eq(jiffies, rdmablk_deadline_at(dev, tmo));
}

/**
 * rdmablk_jiffies_left() - how long until then
 * @at: jiffies
 *
 * Context: any.
 * Return: jiffies, zero when it has passed.
 */
unsigned long rdmablk_jiffies_left(unsigned long at)
{
	unsigned long now = jiffies;

	return time_after(at, now) ? at - now : 0;
}

/**
 * rdmablk_deadline_left_ms() - how long until a deadline of the recovery
 * @dev: recovering; its lock is held
 * @tmo: dev_loss_tmo or fast_io_fail_tmo, not zero
 *
 * Context: process.
 * Return: milliseconds, zero when it has passed.
 */
u64 rdmablk_deadline_left_ms(const struct rdmablk_dev *dev, u32 tmo)
{
	return jiffies_to_msecs(rdmablk_jiffies_left(rdmablk_deadline_at(dev,
									 tmo)));
}

/* Has the next deadline looked at in time. */
static void rdmablk_deadline_arm_locked(struct rdmablk_dev *dev)
{
	const struct rdmablk_settings *settings = &dev->opts.settings;
	u32 tmo = settings->dev_loss_tmo;

	if (dev->state != RDMABLK_STATE_RECOVERING)
		return;
	if (!rdmablk_deadline_passed(dev, settings->fast_io_fail_tmo))
		tmo = min_not_zero(tmo, settings->fast_io_fail_tmo);
	if (tmo)
		rdmablk_dev_queue_deadline(dev,
			rdmablk_jiffies_left(rdmablk_deadline_at(dev, tmo)));
}

static void rdmablk_deadline_give_up(struct rdmablk_dev *dev)
{
	struct rdmablk_reason reason;

	rdmablk_reason_set(&reason, -ETIMEDOUT, "gave up after %u s: %s",
			   dev->opts.settings.dev_loss_tmo, dev->reason.text);
	rdmablk_recover_fail_locked(dev, &reason);
}

/* What waited, and what comes, ends: others may have a path that works. */
static void rdmablk_deadline_fail_io(struct rdmablk_dev *dev)
{
	WRITE_ONCE(dev->session.refuse, BLK_STS_TRANSPORT);
	rdmablk_disk_release(dev);
	pr_warn("%s: I/O fails until the path is back, after %u s: %s\n",
		dev->name, dev->opts.settings.fast_io_fail_tmo,
		dev->reason.text);
	rdmablk_nl_event_locked(dev);
}

/* The deadline was moved away. */
static void rdmablk_deadline_hold_io(struct rdmablk_dev *dev)
{
	rdmablk_disk_hold(dev);
	WRITE_ONCE(dev->session.refuse, BLK_STS_OK);
	pr_info("%s: I/O waits again\n", dev->name);
	rdmablk_nl_event_locked(dev);
}

static void rdmablk_deadline_look_locked(struct rdmablk_dev *dev)
{
	const struct rdmablk_settings *settings = &dev->opts.settings;
	bool fails = dev->session.refuse != BLK_STS_OK;
	bool due = rdmablk_deadline_passed(dev, settings->fast_io_fail_tmo);

	if (rdmablk_deadline_passed(dev, settings->dev_loss_tmo)) {
		rdmablk_deadline_give_up(dev);
		return;
	}
	if (due && !fails)
		rdmablk_deadline_fail_io(dev);
	else if (fails && !due)
		rdmablk_deadline_hold_io(dev);
	rdmablk_deadline_arm_locked(dev);
}

/**
 * rdmablk_deadline_work() - do what is due
 * @work: the device's deadline_work
 *
 * Context: a workqueue; takes the device's lock.
 */
void rdmablk_deadline_work(struct work_struct *work)
{
	struct rdmablk_dev *dev = container_of(to_delayed_work(work),
					       struct rdmablk_dev,
					       deadline_work);

	mutex_lock(&dev->lock);
	if (dev->state == RDMABLK_STATE_RECOVERING && dev->recovery.down)
		rdmablk_deadline_look_locked(dev);
	mutex_unlock(&dev->lock);
}
