// SPDX-License-Identifier: GPL-2.0
/*
 * A device: from ATTACH to GONE. See dev.h.
 *
 * Everything that may block happens in one work item for each device, which
 * looks at the state and does what it asks for. Netlink handlers and failures
 * change the state, or note a loss, and queue the work; they wait for nothing.
 * So connect, recovery and deletion of one device never run at the same time,
 * and need no lock against each other.
 */
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/wait_bit.h>
#include <linux/xarray.h>

#include "dev.h"
#include "netlink.h"

static DEFINE_XARRAY_ALLOC(rdmablk_devs);
static DEFINE_MUTEX(rdmablk_create_lock);	/* finds duplicates: one at a time */
static struct workqueue_struct *rdmablk_wq;
static struct workqueue_struct *rdmablk_add_wq;	/* its work waits for rdmablk_wq */
static atomic_t rdmablk_nr_devs;	/* allocated, attached or not */
static atomic64_t rdmablk_last_id;

static const char * const state_names[] = {
	[RDMABLK_STATE_CONNECTING]	= "connecting",
	[RDMABLK_STATE_LIVE]		= "live",
	[RDMABLK_STATE_RECOVERING]	= "recovering",
	[RDMABLK_STATE_FAILED]		= "failed",
	[RDMABLK_STATE_DELETING]	= "deleting",
	[RDMABLK_STATE_GONE]		= "gone",
};

/* ---- State --------------------------------------------------------------- */

/* The picture in Documentation/design.rst. */
static bool rdmablk_transition_valid(enum rdmablk_dev_state from,
				     enum rdmablk_dev_state to)
{
	switch (to) {
	case RDMABLK_STATE_LIVE:
		return from == RDMABLK_STATE_CONNECTING ||
		       from == RDMABLK_STATE_RECOVERING;
	case RDMABLK_STATE_RECOVERING:
		return from == RDMABLK_STATE_LIVE;
	case RDMABLK_STATE_FAILED:
		return from == RDMABLK_STATE_RECOVERING;
	case RDMABLK_STATE_DELETING:
		return from != RDMABLK_STATE_DELETING &&
		       from != RDMABLK_STATE_GONE;
	case RDMABLK_STATE_GONE:
		return from == RDMABLK_STATE_DELETING;
	default:
		return false;
	}
}

static bool rdmablk_dev_set_state_locked(struct rdmablk_dev *dev,
					 enum rdmablk_dev_state state,
					 const struct rdmablk_reason *reason)
{
	if (!rdmablk_transition_valid(dev->state, state))
		return false;

	WRITE_ONCE(dev->state, state);
	/* A detached device keeps the reason that it failed for. */
	if (reason)
		dev->reason = *reason;
	else if (state == RDMABLK_STATE_LIVE)
		dev->reason.error = 0;
	pr_info("%s: %s%s%s\n", dev->name, state_names[state],
		reason ? ": " : "", reason ? reason->text : "");
	rdmablk_nl_event_locked(dev);
	return true;
}

/**
 * rdmablk_dev_set_state() - change the state of a device
 * @dev: the device
 * @state: the new state
 * @reason: why, or NULL
 *
 * Tells netlink's listeners and the log.
 *
 * Context: process.
 * Return: false when there is no way from the present state to @state; then
 * nothing changed.
 */
bool rdmablk_dev_set_state(struct rdmablk_dev *dev,
			   enum rdmablk_dev_state state,
			   const struct rdmablk_reason *reason)
{
	bool changed;

	mutex_lock(&dev->lock);
	changed = rdmablk_dev_set_state_locked(dev, state, reason);
	mutex_unlock(&dev->lock);
	return changed;
}

static void rdmablk_path_take(struct rdmablk_path *path,
			      const struct rdmablk_session *session)
{
	const struct rdma_cm_id *cm_id = session->ctrl.conn.cm_id;

	strscpy(path->ibdev, cm_id->device->name, sizeof(path->ibdev));
	path->port = cm_id->port_num;
	path->transport = rdma_protocol_roce(cm_id->device, cm_id->port_num) ?
			  "RoCE" : "InfiniBand";
	path->nr_queues = session->nr_queues;
}

/**
 * rdmablk_dev_go_live() - the session is up: let everyone know
 * @dev: connecting or recovering
 *
 * Context: the device's work.
 * Return: false when the device is being deleted instead.
 */
bool rdmablk_dev_go_live(struct rdmablk_dev *dev)
{
	bool changed;

	mutex_lock(&dev->lock);
	if (dev->state == RDMABLK_STATE_RECOVERING)
		dev->reconnects++;
	dev->grant = dev->session.grant;
	rdmablk_path_take(&dev->path, &dev->session);
	changed = rdmablk_dev_set_state_locked(dev, RDMABLK_STATE_LIVE, NULL);
	mutex_unlock(&dev->lock);
	return changed;
}

/**
 * rdmablk_dev_openers() - how many hold the disk open
 * @dev: the device; its lock is held
 *
 * Return: open file descriptions, mounts and other users.
 */
unsigned int rdmablk_dev_openers(const struct rdmablk_dev *dev)
{
	if (dev->state == RDMABLK_STATE_DELETING ||
	    dev->state == RDMABLK_STATE_GONE || !READ_ONCE(dev->disk.added))
		return 0;
	return disk_openers(dev->disk.gd);
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
		mod_delayed_work(rdmablk_wq, &dev->work, delay);
	mutex_unlock(&dev->lock);
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
	queue_delayed_work(rdmablk_wq, &dev->keep_alive_work, delay);
}

/**
 * rdmablk_dev_lost() - the path broke: have it recovered
 * @dev: the device
 * @error: negative errno
 * @why: for people
 *
 * The first call counts until recovery begins; those that follow from the same
 * failure change nothing, unless one is the target's last word.
 *
 * Context: any, while the session cannot be stopped for good.
 */
void rdmablk_dev_lost(struct rdmablk_dev *dev, int error, const char *why)
{
	unsigned long flags;
	bool first;

	spin_lock_irqsave(&dev->lost_lock, flags);
	first = !dev->lost;
	dev->lost = true;
	if (first || rdmablk_error_is_final(error))
		rdmablk_reason_set(&dev->lost_reason, error, "%s", why);
	spin_unlock_irqrestore(&dev->lost_lock, flags);
	if (first)
		mod_delayed_work(rdmablk_wq, &dev->work, 0);
}

/**
 * rdmablk_dev_take_lost() - has the path broken, and why?
 * @dev: the device
 * @reason: set to why
 *
 * Context: the device's work.
 * Return: true once for each loss.
 */
bool rdmablk_dev_take_lost(struct rdmablk_dev *dev,
			   struct rdmablk_reason *reason)
{
	unsigned long flags;
	bool lost;

	spin_lock_irqsave(&dev->lost_lock, flags);
	lost = dev->lost;
	dev->lost = false;
	*reason = dev->lost_reason;
	spin_unlock_irqrestore(&dev->lost_lock, flags);
	return lost;
}

static void rdmablk_dev_session_lost(struct rdmablk_session *session,
				     int error, const char *why)
{
	rdmablk_dev_lost(rdmablk_session_dev(session), error, why);
}

static const struct rdmablk_session_ops rdmablk_dev_session_ops = {
	.lost = rdmablk_dev_session_lost,
};

/* ---- Work ---------------------------------------------------------------- */

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
	rdmablk_recover_start_keep_alive(dev);
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

	if (!err)
		return;
	rdmablk_reason_set(&reason, err, "cannot add the disk: error %d", err);
	rdmablk_dev_fail(dev, &reason);
}

/* Ends what is in flight and what waits, with an error. */
static void rdmablk_dev_give_up(struct rdmablk_dev *dev)
{
	WRITE_ONCE(dev->session.give_up, true);
	rdmablk_disk_hold(dev);
	rdmablk_session_stop(&dev->session);
	rdmablk_disk_release(dev);
}

static void rdmablk_dev_delete(struct rdmablk_dev *dev)
{
	cancel_delayed_work_sync(&dev->keep_alive_work);
	/* Not forced: nobody has it open, so that no request is in flight. */
	if (!READ_ONCE(dev->session.wait.abort) && dev->session.region)
		rdmablk_session_close(&dev->session);
	rdmablk_dev_give_up(dev);
	cancel_work_sync(&dev->add_work);
	rdmablk_disk_remove(dev);
	rdmablk_disk_free(dev);

	xa_erase(&rdmablk_devs, dev->index);
	rdmablk_dev_set_state(dev, RDMABLK_STATE_GONE, NULL);
}

/* Nothing may queue the work again: the session is down, nobody finds @dev. */
static void rdmablk_dev_last_work(struct rdmablk_dev *dev)
{
	cancel_delayed_work(&dev->work);
	rdmablk_dev_put(dev);
	/* rdmablk_dev_exit() waits for the workqueue, so this code stays. */
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

static void rdmablk_dev_free(struct kref *ref)
{
	struct rdmablk_dev *dev = container_of(ref, struct rdmablk_dev, ref);

	rdmablk_session_free(&dev->session);
	kfree(dev);
	if (atomic_dec_and_test(&rdmablk_nr_devs))
		wake_up_var(&rdmablk_nr_devs);
}

/**
 * rdmablk_dev_put() - give a reference back
 * @dev: the device
 *
 * Context: process.
 */
void rdmablk_dev_put(struct rdmablk_dev *dev)
{
	kref_put(&dev->ref, rdmablk_dev_free);
}

/**
 * rdmablk_dev_get() - find a device
 * @index: its number
 *
 * Context: any.
 * Return: the device with a reference, or NULL.
 */
struct rdmablk_dev *rdmablk_dev_get(u32 index)
{
	struct rdmablk_dev *dev;

	xa_lock(&rdmablk_devs);
	dev = xa_load(&rdmablk_devs, index);
	if (dev)
		kref_get(&dev->ref);
	xa_unlock(&rdmablk_devs);
	return dev;
}

/**
 * rdmablk_dev_get_next() - walk the devices in order of their number
 * @index: where to start; set to the number of the device found
 *
 * Context: any.
 * Return: the device with a reference, or NULL after the last.
 */
struct rdmablk_dev *rdmablk_dev_get_next(u32 *index)
{
	struct rdmablk_dev *dev;
	unsigned long at = *index;

	xa_lock(&rdmablk_devs);
	dev = xa_find(&rdmablk_devs, &at, RDMABLK_DEVICES_MAX - 1, XA_PRESENT);
	if (dev)
		kref_get(&dev->ref);
	xa_unlock(&rdmablk_devs);
	*index = at;
	return dev;
}

static bool rdmablk_opts_same(const struct rdmablk_opts *a,
			      const struct rdmablk_opts *b)
{
	return !memcmp(&a->addr.dst, &b->addr.dst, sizeof(a->addr.dst)) &&
	       !strcmp(a->export, b->export);
}

static int rdmablk_dev_check_duplicate(const struct rdmablk_opts *opts,
				       struct rdmablk_reason *reason)
{
	struct rdmablk_dev *dev;
	int err = 0;
	u32 index;

	for (index = 0; !err && (dev = rdmablk_dev_get_next(&index)); index++) {
		if (rdmablk_opts_same(&dev->opts, opts))
			err = rdmablk_reason_set(reason, -EEXIST,
				"already attached as %s", dev->name);
		rdmablk_dev_put(dev);
	}
	return err;
}

static struct rdmablk_dev *rdmablk_dev_alloc(const struct rdmablk_opts *opts)
{
	struct rdmablk_dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);

	if (!dev)
		return NULL;
	dev->opts = *opts;
	if (rdmablk_session_alloc(&dev->session, &dev->opts,
				  &rdmablk_dev_session_ops)) {
		kfree(dev);
		return NULL;
	}

	kref_init(&dev->ref);
	mutex_init(&dev->lock);
	spin_lock_init(&dev->lost_lock);
	INIT_DELAYED_WORK(&dev->work, rdmablk_dev_work);
	INIT_WORK(&dev->add_work, rdmablk_dev_add_work);
	INIT_DELAYED_WORK(&dev->keep_alive_work, rdmablk_recover_keep_alive);
	dev->state = RDMABLK_STATE_CONNECTING;
	dev->id = atomic64_inc_return(&rdmablk_last_id);
	atomic_inc(&rdmablk_nr_devs);
	return dev;
}

static int rdmablk_dev_insert(struct rdmablk_dev *dev,
			      struct rdmablk_reason *reason)
{
	int err = xa_alloc(&rdmablk_devs, &dev->index, NULL,
			   XA_LIMIT(0, RDMABLK_DEVICES_MAX - 1), GFP_KERNEL);

	if (err == -EBUSY)
		return rdmablk_reason_set(reason, err,
			"%u devices are attached, which is the most",
			RDMABLK_DEVICES_MAX);
	if (err)
		return rdmablk_reason_set(reason, err, "out of memory");
	snprintf(dev->name, sizeof(dev->name), "rdmablk%u", dev->index);
	/* Visible from here on. */
	kref_get(&dev->ref);
	xa_store(&rdmablk_devs, dev->index, dev, GFP_KERNEL);
	return 0;
}

/**
 * rdmablk_dev_create() - create a device and start to connect it
 * @opts: what the operator asked for
 * @devp: set to the device, with a reference
 * @reason: set on failure
 *
 * Context: process.
 * Return: 0, -EEXIST, -ENOMEM or -EBUSY.
 */
int rdmablk_dev_create(const struct rdmablk_opts *opts,
		       struct rdmablk_dev **devp,
		       struct rdmablk_reason *reason)
{
	struct rdmablk_dev *dev;
	int err;

	/* An attached device keeps the module; given back when it is deleted. */
	if (!try_module_get(THIS_MODULE))
		return rdmablk_reason_set(reason, -ENODEV,
					  "the module is being removed");
	dev = rdmablk_dev_alloc(opts);
	if (!dev) {
		err = rdmablk_reason_set(reason, -ENOMEM, "out of memory");
		goto put_module;
	}

	mutex_lock(&rdmablk_create_lock);
	err = rdmablk_dev_check_duplicate(opts, reason);
	if (!err)
		err = rdmablk_dev_insert(dev, reason);
	mutex_unlock(&rdmablk_create_lock);
	if (err)
		goto put_dev;

	/* It is visible: somebody may be detaching it already. */
	rdmablk_dev_queue_work(dev, RDMABLK_STATE_CONNECTING, 0);
	*devp = dev;
	return 0;

put_dev:
	rdmablk_dev_put(dev);
put_module:
	module_put(THIS_MODULE);
	return err;
}

/* Refuses an open device; after it the disk cannot be opened any more. */
static int rdmablk_dev_mark_deleting(struct rdmablk_dev *dev, bool force,
				     struct rdmablk_reason *reason)
{
	struct gendisk *gd = dev->disk.gd;
	bool locked = false;
	int err = 0;

	/* From then on the disk may go away at any time. */
	if (dev->state == RDMABLK_STATE_DELETING ||
	    dev->state == RDMABLK_STATE_GONE)
		return rdmablk_reason_set(reason, -EALREADY,
			"%s is being detached already", dev->name);
	if (!force && READ_ONCE(dev->disk.added)) {
		/* Trying only: who opens it may have to wait for recovery. */
		locked = mutex_trylock(&gd->open_mutex);
		if (!locked || disk_openers(gd))
			err = rdmablk_reason_set(reason, -EBUSY,
						 "%s is in use", dev->name);
	}
	if (!err)
		rdmablk_dev_set_state_locked(dev, RDMABLK_STATE_DELETING, NULL);
	if (locked)
		mutex_unlock(&gd->open_mutex);
	return err;
}

/**
 * rdmablk_dev_detach() - start to delete a device
 * @dev: the device
 * @force: also when it is open: its holders get I/O errors
 * @reason: set on failure
 *
 * Context: process.
 * Return: 0, -EBUSY or -EALREADY.
 */
int rdmablk_dev_detach(struct rdmablk_dev *dev, bool force,
		       struct rdmablk_reason *reason)
{
	bool live;
	int err;

	mutex_lock(&dev->lock);
	live = dev->state == RDMABLK_STATE_LIVE && !dev->lost;
	err = rdmablk_dev_mark_deleting(dev, force, reason);
	/* Whoever sees the state sees the rest of it, too. */
	if (!err)
		mod_delayed_work(rdmablk_wq, &dev->work, 0);
	/* Force also hurries a deletion that is under way. */
	if (force || (!err && !live))
		rdmablk_wait_abort(&dev->session.wait);
	mutex_unlock(&dev->lock);
	return err;
}

/**
 * rdmablk_dev_init() - prepare for devices
 *
 * Return: 0 or -ENOMEM.
 */
int rdmablk_dev_init(void)
{
	/* A device runs its work and its keep-alive at the same time. */
	rdmablk_wq = alloc_workqueue("rdmablk", WQ_MEM_RECLAIM | WQ_UNBOUND,
				     2 * RDMABLK_DEVICES_MAX);
	if (!rdmablk_wq)
		return -ENOMEM;
	rdmablk_add_wq = alloc_workqueue("rdmablk_add",
					 WQ_MEM_RECLAIM | WQ_UNBOUND,
					 RDMABLK_DEVICES_MAX);
	if (!rdmablk_add_wq)
		goto destroy_wq;
	return 0;

destroy_wq:
	destroy_workqueue(rdmablk_wq);
	return -ENOMEM;
}

/**
 * rdmablk_dev_exit() - the opposite
 *
 * No device is attached, as each holds a reference to the module.
 */
void rdmablk_dev_exit(void)
{
	destroy_workqueue(rdmablk_add_wq);
	destroy_workqueue(rdmablk_wq);
	/* A file that stayed open past a forced detach may just be closing. */
	wait_var_event(&rdmablk_nr_devs, !atomic_read(&rdmablk_nr_devs));
	xa_destroy(&rdmablk_devs);
}
