// SPDX-License-Identifier: GPL-2.0
/*
 * The state of a device: how it may change, who is told, and what is known of the
 * loss of its path. Documentation/design.rst has the picture.
 */
#include "dev.h"
#include "netlink.h"
#include "trace.h"

static const char * const state_names[] = {
	[RDMABLK_STATE_CONNECTING]	= "connecting",
	[RDMABLK_STATE_LIVE]		= "live",
	[RDMABLK_STATE_RECOVERING]	= "recovering",
	[RDMABLK_STATE_FAILED]		= "failed",
	[RDMABLK_STATE_DELETING]	= "deleting",
	[RDMABLK_STATE_GONE]		= "gone",
};

/**
 * rdmablk_state_name() - the word for a state
 * @state: one of them
 *
 * Context: any.
 * Return: as rbdctl prints it.
 */
const char *rdmablk_state_name(enum rdmablk_dev_state state)
{
	return state_names[state];
}

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

/**
 * rdmablk_dev_set_state_locked() - change the state of a device
 * @dev: the device; its lock is held
 * @state: the new state
 * @reason: why, or NULL
 *
 * Tells netlink's listeners, udev and the log.
 *
 * Context: process.
 * Return: false when there is no way from the present state to @state; then
 * nothing changed.
 */
bool rdmablk_dev_set_state_locked(struct rdmablk_dev *dev,
				  enum rdmablk_dev_state state,
				  const struct rdmablk_reason *reason)
{
	if (!rdmablk_transition_valid(dev->state, state))
		return false;

	trace_rdmablk_state(dev, state, reason ? reason->error : 0);
	WRITE_ONCE(dev->state, state);
	/* A detached device keeps the reason that it failed for. */
	if (reason)
		dev->reason = *reason;
	else if (state == RDMABLK_STATE_LIVE)
		dev->reason.error = 0;
	pr_info("%s: %s%s%s\n", dev->name, state_names[state],
		reason ? ": " : "", reason ? reason->text : "");
	rdmablk_nl_event_locked(dev);
	if (READ_ONCE(dev->disk.shown))
		rdmablk_dev_queue_uevent(dev);
	return true;
}

/**
 * rdmablk_dev_set_state() - change the state of a device
 * @dev: the device
 * @state: the new state
 * @reason: why, or NULL
 *
 * Context: process; takes the device's lock.
 * Return: as rdmablk_dev_set_state_locked().
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
	path->key[0] = '\0';
	if (session->auth.proven)
		strscpy(path->key, session->auth.input.hello.client_id,
			sizeof(path->key));
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
	dev->recovery.live_at = jiffies;
	dev->grant = dev->session.grant;
	rdmablk_path_take(&dev->path, &dev->session);
	/* Set, perhaps, while the disk was being allocated. */
	rdmablk_disk_set_timeout(dev);
	changed = rdmablk_dev_set_state_locked(dev, RDMABLK_STATE_LIVE, NULL);
	mutex_unlock(&dev->lock);
	return changed;
}

/**
 * rdmablk_dev_show() - the disk is added: let everyone know
 * @dev: in any state but GONE
 *
 * Context: process; takes the device's lock.
 */
void rdmablk_dev_show(struct rdmablk_dev *dev)
{
	mutex_lock(&dev->lock);
	WRITE_ONCE(dev->disk.shown, true);
	rdmablk_nl_event_locked(dev);
	/* udev takes a new disk for a live one, of the size that it began with. */
	if (dev->state != RDMABLK_STATE_LIVE || rdmablk_disk_has_grown(dev))
		rdmablk_dev_queue_uevent(dev);
	mutex_unlock(&dev->lock);
}

/**
 * rdmablk_dev_has_disk() - is there a disk, which stays as long as the lock is held?
 * @dev: the device; its lock is held
 *
 * Context: process.
 * Return: true if there is.
 */
bool rdmablk_dev_has_disk(const struct rdmablk_dev *dev)
{
	return dev->state != RDMABLK_STATE_DELETING &&
	       dev->state != RDMABLK_STATE_GONE && READ_ONCE(dev->disk.added);
}

/**
 * rdmablk_dev_openers() - how many hold the disk open
 * @dev: the device; its lock is held
 *
 * Context: process.
 * Return: open file descriptions, mounts and other users.
 */
unsigned int rdmablk_dev_openers(const struct rdmablk_dev *dev)
{
	return rdmablk_dev_has_disk(dev) ? disk_openers(dev->disk.gd) : 0;
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
		rdmablk_dev_kick(dev);
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
