// SPDX-License-Identifier: GPL-2.0
/*
 * The work of a device: one work item, which looks at the state and does what it
 * asks for. Connect, recovery and deletion of one device so never run at the
 * same time, and need no lock against each other.
 */
#include <linux/module.h>
#include <linux/sched/mm.h>

#include "dev.h"

static struct workqueue_struct *rdmablk_wq;
static struct workqueue_struct *rdmablk_add_wq;	/* its work waits for rdmablk_wq */
static struct workqueue_struct *rdmablk_slow_wq; /* rdmablk_wq waits for its work */

/* ---- Queueing ------------------------------------------------------------ */

/**
 * rdmablk_dev_kick() - let the work look at the state now
 * @dev: the device; not deleted
 *
 * Context: any.
 */
void rdmablk_dev_kick(struct rdmablk_dev *dev)
{
	mod_delayed_work(rdmablk_wq, &dev->work, 0);
}

/**
 * rdmablk_dev_queue_work() - let the work look at the state
 * @dev: the device
 * @state: what the caller believes the state to be
 * @delay: jiffies
 *
 * Does nothing if somebody else has changed the state: they queued the work, and
 * it must neither wait for @delay nor run after the device is gone.
 *
 * Context: process.
 */
void rdmablk_dev_queue_work(struct rdmablk_dev *dev,
			    enum rdmablk_dev_state state, unsigned long delay)
{
	mutex_lock(&dev->lock);
	if (dev->state == state)
		rdmablk_dev_queue_work_locked(dev, delay);
	mutex_unlock(&dev->lock);
}

/**
 * rdmablk_dev_queue_work_locked() - let the work look at the state
 * @dev: the device, not deleted; its lock is held
 * @delay: jiffies; if the work waits already, this counts
 *
 * Context: process.
 */
void rdmablk_dev_queue_work_locked(struct rdmablk_dev *dev, unsigned long delay)
{
	mod_delayed_work(rdmablk_wq, &dev->work, delay);
}

/**
 * rdmablk_dev_queue_keep_alive() - ask the target again after a while
 * @dev: the device
 * @delay: jiffies
 *
 * Context: any.
 */
void rdmablk_dev_queue_keep_alive(struct rdmablk_dev *dev, unsigned long delay)
{
	mod_delayed_work(rdmablk_wq, &dev->keep_alive_work, delay);
}

/**
 * rdmablk_dev_queue_uevent() - tell udev about size and state
 * @dev: its lock is held, its disk is shown
 *
 * Context: process.
 */
void rdmablk_dev_queue_uevent(struct rdmablk_dev *dev)
{
	queue_work(rdmablk_add_wq, &dev->uevent_work);
}

/**
 * rdmablk_dev_queue_deadline() - look at the deadlines of a recovery
 * @dev: recovering; its lock is held
 * @delay: jiffies
 *
 * Context: process.
 */
void rdmablk_dev_queue_deadline(struct rdmablk_dev *dev, unsigned long delay)
{
	mod_delayed_work(rdmablk_wq, &dev->deadline_work, delay);
}

/**
 * rdmablk_work_queue_link() - have waiting devices told of a link
 * @work: the module's; unless it is queued already
 *
 * Context: any.
 */
void rdmablk_work_queue_link(struct delayed_work *work)
{
	queue_delayed_work(rdmablk_wq, work, HZ / 4);
}

/**
 * rdmablk_work_queue_slow() - have something done that waits for the target
 * @work: rdmablk_session_stop() waits for it
 *
 * Context: any.
 */
void rdmablk_work_queue_slow(struct work_struct *work)
{
	queue_work(rdmablk_slow_wq, work);
}

/**
 * rdmablk_work_queue_slow_delayed() - likewise, after a while
 * @work: rdmablk_session_stop() cancels it; if it waits already, this counts
 * @delay: jiffies
 *
 * Context: any.
 */
void rdmablk_work_queue_slow_delayed(struct delayed_work *work,
				     unsigned long delay)
{
	mod_delayed_work(rdmablk_slow_wq, work, delay);
}

/**
 * rdmablk_work_queue_idle_delayed() - have something done that no device waits for
 * @work: the module's; if it waits already, this counts
 * @delay: jiffies
 *
 * Context: any.
 */
void rdmablk_work_queue_idle_delayed(struct delayed_work *work,
				     unsigned long delay)
{
	mod_delayed_work(rdmablk_add_wq, work, delay);
}

/* ---- Steps --------------------------------------------------------------- */

/* It cannot be attached after all. */
static void rdmablk_dev_fail(struct rdmablk_dev *dev,
			     const struct rdmablk_reason *reason)
{
	if (rdmablk_dev_set_state(dev, RDMABLK_STATE_DELETING, reason))
		rdmablk_dev_queue_work(dev, RDMABLK_STATE_DELETING, 0);
}

static void rdmablk_dev_connect(struct rdmablk_dev *dev)
{
	struct rdmablk_reason reason = { };
	int err;

	err = rdmablk_session_start(&dev->session, &reason);
	if (!err)
		err = rdmablk_disk_alloc(dev, &reason);
	if (err) {
		rdmablk_dev_fail(dev, &reason);
		return;
	}

	if (!rdmablk_dev_go_live(dev))
		return;		/* detached meanwhile: the work is queued */
	rdmablk_keep_alive_start(dev);
	rdmablk_flush_start(&dev->session.flush);
	queue_work(rdmablk_add_wq, &dev->add_work);
	/* A loss may have queued the work before the device was live. */
	rdmablk_dev_queue_work(dev, RDMABLK_STATE_LIVE, 0);
}

/* Not part of the work: reading the partition table may have to be recovered. */
static void rdmablk_dev_add_work(struct work_struct *work)
{
	struct rdmablk_dev *dev =
		container_of(work, struct rdmablk_dev, add_work);
	struct rdmablk_reason reason;
	int err = rdmablk_disk_add(dev);

	if (err) {
		rdmablk_reason_set(&reason, err,
				   "cannot add the disk: error %d", err);
		rdmablk_dev_fail(dev, &reason);
	} else {
		rdmablk_dev_show(dev);
	}
}

/*
 * Not part of the work either: what it allocates, or others who send uevents, may have
 * to be written back to this very device first. It tells size and state as they are by
 * then.
 */
static void rdmablk_dev_uevent_work(struct work_struct *work)
{
	struct rdmablk_dev *dev =
		container_of(work, struct rdmablk_dev, uevent_work);
	enum rdmablk_dev_state state;
	u64 size;

	mutex_lock(&dev->lock);
	state = dev->state;
	size = dev->grant.size;
	mutex_unlock(&dev->lock);
	rdmablk_disk_resize(dev, size);
	rdmablk_disk_uevent(dev, rdmablk_state_name(state));
}

/*
 * Ends what is in flight and what waits, with an error. First it is held: what could
 * be posted in part only may be about to come again, and must not end before the path
 * is down.
 */
static void rdmablk_dev_give_up(struct rdmablk_dev *dev)
{
	rdmablk_disk_hold(dev);
	WRITE_ONCE(dev->session.refuse, BLK_STS_IOERR);
	rdmablk_session_stop(&dev->session);
	rdmablk_disk_release(dev);
}

static void rdmablk_dev_delete(struct rdmablk_dev *dev)
{
	cancel_delayed_work_sync(&dev->keep_alive_work);
	cancel_delayed_work_sync(&dev->deadline_work);
	/* Not forced: nobody has it open, or the host is going down. */
	if (!READ_ONCE(dev->session.wait.abort) && dev->session.region) {
		rdmablk_disk_hold(dev);
		rdmablk_flush_finish(&dev->session.flush);
		rdmablk_session_close(&dev->session);
	}
	rdmablk_dev_give_up(dev);
	cancel_work_sync(&dev->add_work);
	flush_work(&dev->uevent_work);
	rdmablk_disk_remove(dev);
	rdmablk_disk_free(dev);

	rdmablk_dev_forget(dev);
	rdmablk_dev_set_state(dev, RDMABLK_STATE_GONE, NULL);
}

/* Nothing may queue the work again: the session is down, nobody finds @dev. */
static void rdmablk_dev_last_work(struct rdmablk_dev *dev)
{
	cancel_delayed_work(&dev->work);
	rdmablk_dev_put(dev);
	/* rdmablk_work_exit() waits for this, so that the code stays. */
	module_put(THIS_MODULE);
}

static void rdmablk_dev_work(struct work_struct *work)
{
	struct rdmablk_dev *dev =
		container_of(to_delayed_work(work), struct rdmablk_dev, work);
	/* Writeback may wait for what this does. */
	unsigned int noio = memalloc_noio_save();
	enum rdmablk_dev_state state;

	/* Locked: not in the middle of rdmablk_dev_detach(). */
	mutex_lock(&dev->lock);
	state = dev->state;
	mutex_unlock(&dev->lock);

	switch (state) {
	case RDMABLK_STATE_CONNECTING:
		rdmablk_dev_connect(dev);
		break;
	case RDMABLK_STATE_LIVE:
		rdmablk_recover_begin(dev);
		break;
	case RDMABLK_STATE_RECOVERING:
		rdmablk_recover_attempt(dev);
		break;
	case RDMABLK_STATE_DELETING:
		rdmablk_dev_delete(dev);
		rdmablk_dev_last_work(dev);
		break;
	case RDMABLK_STATE_FAILED:
	case RDMABLK_STATE_GONE:
		break;
	}
	memalloc_noio_restore(noio);
}

/* ---- Life ---------------------------------------------------------------- */

/**
 * rdmablk_dev_init_work() - initialise the work of a new device
 * @dev: the device
 *
 * Context: any.
 */
void rdmablk_dev_init_work(struct rdmablk_dev *dev)
{
	INIT_DELAYED_WORK(&dev->work, rdmablk_dev_work);
	INIT_WORK(&dev->add_work, rdmablk_dev_add_work);
	INIT_WORK(&dev->uevent_work, rdmablk_dev_uevent_work);
	INIT_DELAYED_WORK(&dev->keep_alive_work, rdmablk_keep_alive_work);
	INIT_DELAYED_WORK(&dev->deadline_work, rdmablk_deadline_work);
}

/**
 * rdmablk_work_init() - create the workqueues
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int rdmablk_work_init(void)
{
	/*
	 * A device runs its work and, at the same time, its keep-alive while it
	 * is live or its deadlines while it recovers.
	 */
	rdmablk_wq = alloc_workqueue("rdmablk", WQ_MEM_RECLAIM | WQ_UNBOUND,
				     2 * RDMABLK_DEVICES_MAX);
	if (!rdmablk_wq)
		return -ENOMEM;
	/* A device adds its disk and tells udev at the same time. */
	rdmablk_add_wq = alloc_workqueue("rdmablk_add",
					 WQ_MEM_RECLAIM | WQ_UNBOUND,
					 2 * RDMABLK_DEVICES_MAX);
	if (!rdmablk_add_wq)
		goto destroy_wq;
	/* A device flushes and zeroes at the same time. It takes long, all else does not. */
	rdmablk_slow_wq = alloc_workqueue("rdmablk_slow",
					  WQ_MEM_RECLAIM | WQ_UNBOUND,
					  2 * RDMABLK_DEVICES_MAX);
	if (!rdmablk_slow_wq)
		goto destroy_add_wq;
	return 0;

destroy_add_wq:
	destroy_workqueue(rdmablk_add_wq);
destroy_wq:
	destroy_workqueue(rdmablk_wq);
	return -ENOMEM;
}

/**
 * rdmablk_work_exit() - wait for what still runs, destroy the workqueues
 *
 * Context: process.
 */
void rdmablk_work_exit(void)
{
	destroy_workqueue(rdmablk_add_wq);
	destroy_workqueue(rdmablk_wq);
	destroy_workqueue(rdmablk_slow_wq);
}
