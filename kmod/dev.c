// SPDX-License-Identifier: GPL-2.0
/*
 * A device: from ATTACH to GONE. See dev.h.
 *
 * Everything that may block happens in the device's work (work.c). Netlink
 * handlers and failures change the state, or note a loss, and queue the work;
 * they wait for nothing.
 */
#include <linux/module.h>
#include <linux/random.h>
#include <linux/wait_bit.h>
#include <linux/xarray.h>

#include "dev.h"

/* By number. One that is in use, but of no device of the list, has no entry. */
static DEFINE_XARRAY_ALLOC(rdmablk_devs);
/* Protects what follows, and that there are no duplicates: one at a time. */
static DEFINE_MUTEX(rdmablk_create_lock);
static u64 rdmablk_life;
static atomic_t rdmablk_nr_devs;	/* allocated, attached or not */
static atomic64_t rdmablk_last_id;
static DECLARE_WAIT_QUEUE_HEAD(rdmablk_gone);	/* one was taken off the list */

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

static bool rdmablk_dev_none(void)
{
	unsigned long at = 0;

	return !xa_find(&rdmablk_devs, &at, RDMABLK_DEVICES_MAX - 1, XA_PRESENT);
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

static void rdmablk_dev_session_lost(struct rdmablk_session *session,
				     int error, const char *why)
{
	rdmablk_dev_lost(rdmablk_session_dev(session), error, why);
}

static const struct rdmablk_session_ops rdmablk_dev_session_ops = {
	.lost = rdmablk_dev_session_lost,
};

static struct rdmablk_dev *rdmablk_dev_alloc(const struct rdmablk_opts *opts)
{
	struct rdmablk_dev *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int err;

	if (!dev)
		return ERR_PTR(-ENOMEM);
	dev->opts = *opts;
	err = rdmablk_session_alloc(&dev->session, &dev->opts,
				    &rdmablk_dev_session_ops);
	if (err) {
		kfree(dev);
		return ERR_PTR(err);
	}
	dev->opts.key = NULL;

	kref_init(&dev->ref);
	mutex_init(&dev->lock);
	spin_lock_init(&dev->lost_lock);
	rdmablk_dev_init_work(dev);
	dev->state = RDMABLK_STATE_CONNECTING;
	dev->id = atomic64_inc_return(&rdmablk_last_id);
	atomic_inc(&rdmablk_nr_devs);
	return dev;
}

/*
 * While no device is attached, no session is ours: whatever targets still have of
 * this host is left from a crash, or from a detach that did not reach them. The
 * first device begins a new life, by which they can tell.
 */
static int rdmablk_dev_insert(struct rdmablk_dev *dev,
			      struct rdmablk_reason *reason)
{
	int err;

	if (rdmablk_dev_none())
		get_random_bytes(&rdmablk_life, sizeof(rdmablk_life));
	dev->opts.life = rdmablk_life;
	err = xa_alloc(&rdmablk_devs, &dev->index, NULL,
		       XA_LIMIT(0, RDMABLK_DEVICES_MAX - 1), GFP_KERNEL);
	if (err == -EBUSY)
		return rdmablk_reason_set(reason, err,
			"%u devices are attached, or held since they were detached by force, which is the most",
			RDMABLK_DEVICES_MAX);
	if (err)
		return rdmablk_reason_set(reason, err, "out of memory");
	snprintf(dev->name, sizeof(dev->name), "rdmablk%u", dev->index);
	atomic_set(&dev->named, 1);
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
	if (IS_ERR(dev)) {
		err = rdmablk_reason_set(reason, PTR_ERR(dev),
			PTR_ERR(dev) == -ENOMEM ? "out of memory" :
			"this kernel has no HMAC-SHA256");
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

/**
 * rdmablk_dev_name_get() - no other device may have the name of this one
 * @dev: on the list
 *
 * Undone by rdmablk_dev_name_put().
 *
 * Context: any.
 */
void rdmablk_dev_name_get(struct rdmablk_dev *dev)
{
	atomic_inc(&dev->named);
}

/**
 * rdmablk_dev_name_put() - somebody does not need the name any more
 * @dev: the device
 *
 * A disk that is held past a forced detach keeps it: what is on top of disks calls
 * them by their names, and has no place for a second one of the same.
 *
 * Context: process.
 */
void rdmablk_dev_name_put(struct rdmablk_dev *dev)
{
	if (atomic_dec_and_test(&dev->named))
		xa_erase(&rdmablk_devs, dev->index);
}

/**
 * rdmablk_dev_forget() - take a device off the list
 * @dev: the device; the list's reference goes to the caller
 *
 * Context: process.
 */
void rdmablk_dev_forget(struct rdmablk_dev *dev)
{
	xa_store(&rdmablk_devs, dev->index, NULL, GFP_KERNEL);
	rdmablk_dev_name_put(dev);
	wake_up_all(&rdmablk_gone);
}

/**
 * rdmablk_dev_wait_none() - wait until no device is on the list
 * @timeout_ms: how long
 *
 * Context: process.
 * Return: false when there still is one.
 */
bool rdmablk_dev_wait_none(u32 timeout_ms)
{
	return wait_event_timeout(rdmablk_gone, rdmablk_dev_none(),
				  msecs_to_jiffies(timeout_ms));
}

/* Refuses an open device; after it the disk cannot be opened any more. */
static int rdmablk_dev_mark_deleting(struct rdmablk_dev *dev,
				     enum rdmablk_detach how,
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
	if (how == RDMABLK_DETACH_IDLE && READ_ONCE(dev->disk.added)) {
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
 * @how: what it need not wait for
 * @reason: set on failure
 *
 * Context: process.
 * Return: 0, -EBUSY or -EALREADY.
 */
int rdmablk_dev_detach(struct rdmablk_dev *dev, enum rdmablk_detach how,
		       struct rdmablk_reason *reason)
{
	bool live;
	int err;

	mutex_lock(&dev->lock);
	live = dev->state == RDMABLK_STATE_LIVE && !dev->lost;
	err = rdmablk_dev_mark_deleting(dev, how, reason);
	/* Whoever sees the state sees the rest of it, too. */
	if (!err)
		rdmablk_dev_kick(dev);
	/* This also hurries a deletion that is under way. */
	if (how == RDMABLK_DETACH_NOW || (!err && !live))
		rdmablk_wait_abort(&dev->session.wait);
	mutex_unlock(&dev->lock);
	return err;
}

/**
 * rdmablk_dev_exit() - wait until the last device is freed
 *
 * None is attached any more, as each holds a reference to the module, but a file
 * that stayed open past a forced detach may just be closing.
 *
 * Context: process.
 */
void rdmablk_dev_exit(void)
{
	wait_var_event(&rdmablk_nr_devs, !atomic_read(&rdmablk_nr_devs));
	xa_destroy(&rdmablk_devs);
}
