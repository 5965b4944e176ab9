// SPDX-License-Identifier: GPL-2.0
/*
 * The one path from any failure of a device's path back to LIVE, or to FAILED.
 *
 * Normal operation: nothing here runs.
 *
 * Failure: whoever notices calls rdmablk_dev_lost(). rdmablk_recover_begin()
 * holds the block layer's queues, takes the session down -- which returns every
 * request that was in flight to the block layer's requeue list -- and starts
 * the attempts. The target destroys the QPs of the session that we replace
 * before it grants ours, so that no write of the old life lands after a replayed
 * or a new one. A request is never ended while a card may touch its pages.
 *
 * How it ends: the path is back and the contents are the same: everything that
 * waited is replayed. The contents are others, the target fenced us, or
 * dev_loss_tmo ran out (deadline.c): the device fails, its I/O with it, until it
 * is detached.
 */
#include <linux/random.h>

#include "delay.h"
#include "dev.h"
#include "queue.h"
#include "trace.h"

/* From a path's coming up to the next attempt, should it not hold. */
#define RDMABLK_RECOVER_REST	(2 * HZ)

/**
 * rdmablk_recover_fail_locked() - the path never comes back: I/O fails
 * @dev: recovering; its lock is held
 * @reason: why
 *
 * Does nothing if @dev is being deleted instead.
 *
 * Context: process.
 */
void rdmablk_recover_fail_locked(struct rdmablk_dev *dev,
				 const struct rdmablk_reason *reason)
{
	if (!rdmablk_dev_set_state_locked(dev, RDMABLK_STATE_FAILED, reason))
		return;
	WRITE_ONCE(dev->session.refuse, BLK_STS_IOERR);
	rdmablk_disk_release(dev);
}

static void rdmablk_recover_fail(struct rdmablk_dev *dev,
				 const struct rdmablk_reason *reason)
{
	mutex_lock(&dev->lock);
	rdmablk_recover_fail_locked(dev, reason);
	mutex_unlock(&dev->lock);
}

/* Did the path that was lost carry anything, or at least hold for some time? */
static bool rdmablk_recover_proved(const struct rdmablk_dev *dev)
{
	u32 i;

	for (i = 0; i < dev->session.nr_queues; i++)
		if (READ_ONCE(dev->session.queues[i].carried))
			return true;
	/* A request would have timed out by then, and found no use either. */
	return time_after(jiffies, dev->recovery.live_at +
			  (2 * dev->opts.settings.request_tmo + 5) * HZ);
}

/*
 * A path that can be connected but is of no use would be recovered for ever: its
 * loss belongs to the recovery before, with its delays and deadlines.
 */
static bool rdmablk_recover_enter(struct rdmablk_dev *dev,
				  const struct rdmablk_reason *reason)
{
	bool entered;

	mutex_lock(&dev->lock);
	if (!dev->recovery.attempts || rdmablk_recover_proved(dev))
		dev->recovery = (struct rdmablk_recovery){
			.since = jiffies, .hope_at = jiffies,
			.live_at = dev->recovery.live_at,
		};
	entered = rdmablk_dev_set_state_locked(dev, RDMABLK_STATE_RECOVERING,
					       reason);
	mutex_unlock(&dev->lock);
	return entered;
}

static void rdmablk_recover_time_locked(struct rdmablk_dev *dev)
{
	struct rdmablk_recovery *recovery = &dev->recovery;
	unsigned long tried = time_after(recovery->failed_at, recovery->hope_at) ?
			      recovery->failed_at - recovery->hope_at : 0;

	recovery->next_at = recovery->failed_at + msecs_to_jiffies(
		rdmablk_delay_ms(dev->opts.settings.reconnect_delay,
				 jiffies_to_msecs(tried), get_random_u32()));
	rdmablk_dev_queue_work_locked(dev,
				      rdmablk_jiffies_left(recovery->next_at));
}

/*
 * The first attempt is made at once. But a target may end each session as soon as it
 * stands, and whoever it has for a client must not do nothing else, and log it.
 */
static unsigned long rdmablk_recover_rest(const struct rdmablk_dev *dev)
{
	unsigned long left = rdmablk_jiffies_left(dev->recovery.live_at +
						  RDMABLK_RECOVER_REST);

	return min_t(unsigned long, left, RDMABLK_RECOVER_REST);
}

/* The latest attempt, if there was one, has failed, sooner or later. */
static void rdmablk_recover_next_locked(struct rdmablk_dev *dev)
{
	if (!dev->recovery.attempts) {
		rdmablk_dev_queue_work_locked(dev, rdmablk_recover_rest(dev));
		return;
	}
	dev->recovery.waits = true;
	dev->recovery.failed_at = jiffies;
	rdmablk_recover_time_locked(dev);
}

/* The path is down: attempts and deadlines may begin. */
static void rdmablk_recover_start(struct rdmablk_dev *dev)
{
	mutex_lock(&dev->lock);
	if (dev->state == RDMABLK_STATE_RECOVERING) {
		dev->recovery.down = true;
		rdmablk_dev_queue_deadline(dev, 0);
		rdmablk_recover_next_locked(dev);
	}
	mutex_unlock(&dev->lock);
}

/**
 * rdmablk_recover_begin() - take the broken path down and start to reconnect
 * @dev: live
 *
 * Context: the device's work.
 */
void rdmablk_recover_begin(struct rdmablk_dev *dev)
{
	struct rdmablk_reason reason, late;

	if (!rdmablk_dev_take_lost(dev, &reason) ||
	    !rdmablk_recover_enter(dev, &reason))
		return;

	rdmablk_disk_hold(dev);
	rdmablk_session_stop(&dev->session);
	cancel_delayed_work_sync(&dev->keep_alive_work);

	/* All that was noticed of the path that is gone now, and no more. */
	if (rdmablk_dev_take_lost(dev, &late) &&
	    rdmablk_error_is_final(late.error))
		reason = late;
	if (rdmablk_error_is_final(reason.error))
		rdmablk_recover_fail(dev, &reason);
	else
		rdmablk_recover_start(dev);
}

/*
 * The target holds what was flushed, and no more. That is no loss if nothing was
 * written since, and if nothing was read that was not flushed. A reader keeps no
 * books, and cannot know.
 */
static int rdmablk_recover_lost_memory(struct rdmablk_dev *dev,
				       struct rdmablk_reason *reason)
{
	u64 lost = rdmablk_dirty_bytes(&dev->session.dirty);

	if (!rdmablk_dirty_is_open(&dev->session.dirty) ||
	    !dev->session.flush.settled)
		return rdmablk_reason_set(reason, -ESTALE,
			"the target lost its memory, and perhaps completed writes with it: detach, check, attach again");
	if (!lost)
		return 0;
	return rdmablk_reason_set(reason, -ESTALE,
		"the target lost its memory, and %llu bytes that were written after the last flush with it: detach, check, attach again",
		lost);
}

/* Would it be the same bytes? Same geometry, too, as users rely on it. */
static int rdmablk_recover_compare(struct rdmablk_dev *dev,
				   struct rdmablk_reason *reason)
{
	const struct rdmablk_grant *now = &dev->session.grant;
	const struct rdmablk_grant *was = &dev->grant;
	int err = 0;

	if (memcmp(now->generation, was->generation, sizeof(now->generation)))
		return rdmablk_reason_set(reason, -ESTALE,
			"the export came back with other contents: detach, check, attach again");
	if (now->instance != was->instance)
		err = rdmablk_recover_lost_memory(dev, reason);
	if (err)
		return err;
	if (now->size < was->size || now->flags != was->flags ||
	    now->chunk_shift != was->chunk_shift ||
	    now->logical_block != was->logical_block ||
	    now->max_io_size < was->max_io_size ||
	    now->queue_depth < was->queue_depth)
		return rdmablk_reason_set(reason, -ESTALE,
			"the export came back smaller or with other limits: detach, check, attach again");
	/* Not the export's fault, so worth another attempt. */
	if (dev->session.nr_queues < dev->disk.set.nr_hw_queues)
		return rdmablk_reason_set(reason, -EAGAIN,
			"only %u of %u data queues could be connected",
			dev->session.nr_queues, dev->disk.set.nr_hw_queues);
	return 0;
}

/*
 * I/O waits for the new path, also if it failed until now: whoever hears that the
 * device is live must not see it fail.
 */
static void rdmablk_recover_hold_io(struct rdmablk_dev *dev)
{
	mutex_lock(&dev->lock);
	if (dev->state == RDMABLK_STATE_RECOVERING) {
		dev->recovery.down = false;
		rdmablk_disk_hold(dev);
		WRITE_ONCE(dev->session.refuse, BLK_STS_OK);
	}
	mutex_unlock(&dev->lock);
}

/*
 * What went over the path before is in the target's memory, and may be read. It is
 * written back there, but the marks by which we would clean it are gone: all has to
 * be flushed once more. A target that lost its memory has only what was flushed.
 */
static void rdmablk_recover_unsettle(struct rdmablk_dev *dev)
{
	if (dev->session.grant.instance == dev->grant.instance)
		dev->session.flush.settled = false;
}

static void rdmablk_recover_succeed(struct rdmablk_dev *dev)
{
	rdmablk_recover_hold_io(dev);
	rdmablk_recover_unsettle(dev);
	if (!rdmablk_dev_go_live(dev)) {
		/* Given up meanwhile. If detached instead, that work is queued. */
		if (READ_ONCE(dev->state) == RDMABLK_STATE_FAILED)
			rdmablk_session_stop(&dev->session);
		return;
	}
	rdmablk_keep_alive_start(dev);
	rdmablk_flush_start(&dev->session.flush);
	rdmablk_disk_release(dev);
	/* A loss of the new path may have queued the work before it was live. */
	rdmablk_dev_queue_work(dev, RDMABLK_STATE_LIVE, 0);
}

/**
 * rdmablk_recover_retime_locked() - reconnect_delay was changed
 * @dev: recovering; its lock is held
 *
 * Context: process.
 */
void rdmablk_recover_retime_locked(struct rdmablk_dev *dev)
{
	if (dev->recovery.waits)
		rdmablk_recover_time_locked(dev);
}

/**
 * rdmablk_recover_hope() - the path may be back
 * @dev: in any state
 *
 * The delays begin anew. An attempt at once would often come too early: routes and
 * the RDMA device are told at the same time as we are.
 *
 * Context: process.
 */
void rdmablk_recover_hope(struct rdmablk_dev *dev)
{
	struct rdmablk_recovery *recovery = &dev->recovery;
	unsigned long next_at;

	mutex_lock(&dev->lock);
	if (dev->state == RDMABLK_STATE_RECOVERING) {
		recovery->hope_at = jiffies;
		next_at = jiffies + msecs_to_jiffies(
			rdmablk_delay_ms(dev->opts.settings.reconnect_delay, 0,
					 get_random_u32()));
		if (recovery->waits && time_before(next_at, recovery->next_at)) {
			recovery->next_at = next_at;
			rdmablk_dev_queue_work_locked(dev,
					rdmablk_jiffies_left(next_at));
		}
	}
	mutex_unlock(&dev->lock);
}

/* Unless the device was given up or detached while it tried. */
static void rdmablk_recover_wait(struct rdmablk_dev *dev,
				 const struct rdmablk_reason *reason)
{
	mutex_lock(&dev->lock);
	if (dev->state == RDMABLK_STATE_RECOVERING) {
		dev->reason = *reason;
		rdmablk_recover_next_locked(dev);
		pr_info_ratelimited("%s: attempt %u: %s\n", dev->name,
				    dev->recovery.attempts, reason->text);
	}
	mutex_unlock(&dev->lock);
}

static void rdmablk_recover_again(struct rdmablk_dev *dev,
				  const struct rdmablk_reason *reason)
{
	struct rdmablk_reason lost;

	rdmablk_session_stop(&dev->session);
	/* What broke during the attempt is part of its failure. */
	if (rdmablk_dev_take_lost(dev, &lost) &&
	    rdmablk_error_is_final(lost.error))
		rdmablk_recover_fail(dev, &lost);
	else if (reason->error == -ESTALE)
		rdmablk_recover_fail(dev, reason);
	else
		rdmablk_recover_wait(dev, reason);
}

static void rdmablk_recover_count(struct rdmablk_dev *dev)
{
	mutex_lock(&dev->lock);
	dev->recovery.attempts++;
	dev->recovery.waits = false;
	mutex_unlock(&dev->lock);
}

/**
 * rdmablk_recover_attempt() - try once to bring the path up again
 * @dev: recovering, its session stopped
 *
 * Context: the device's work.
 */
void rdmablk_recover_attempt(struct rdmablk_dev *dev)
{
	struct rdmablk_reason reason = { };
	int err;

	rdmablk_recover_count(dev);
	err = rdmablk_session_start(&dev->session, &reason);
	if (!err)
		err = rdmablk_recover_compare(dev, &reason);
	trace_rdmablk_recovery_attempt(dev, err);
	if (err)
		rdmablk_recover_again(dev, &reason);
	else
		rdmablk_recover_succeed(dev);
}
