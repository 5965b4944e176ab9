// SPDX-License-Identifier: GPL-2.0
/*
 * The gendisk of a device and its tag set. See disk.h.
 */
#include <linux/module.h>

#include "compat/compat.h"
#include "dev.h"
#include "io.h"

static int rdmablk_disk_open(COMPAT_BLK_OPEN_ARGS)
{
	struct rdmablk_dev *dev = COMPAT_BLK_OPEN_DISK->private_data;

	/* Pairs with the trylock in rdmablk_dev_mark_deleting(). */
	return READ_ONCE(dev->state) == RDMABLK_STATE_DELETING ? -ENXIO : 0;
}

/* The last holder is gone, perhaps long after a forced detach. */
static void rdmablk_disk_last_put(struct gendisk *gd)
{
	struct rdmablk_dev *dev = gd->private_data;

	rdmablk_dev_name_put(dev);
	rdmablk_dev_put(dev);
}

static const struct block_device_operations rdmablk_disk_ops = {
	.owner		= THIS_MODULE,
	.open		= rdmablk_disk_open,
	.free_disk	= rdmablk_disk_last_put,
};

static int rdmablk_disk_alloc_tags(struct rdmablk_dev *dev)
{
	struct blk_mq_tag_set *set = &dev->disk.set;

	set->ops = &rdmablk_mq_ops;
	set->nr_hw_queues = dev->session.nr_queues;
	set->nr_maps = rdmablk_opts_polled(&dev->opts, set->nr_hw_queues) ?
		       HCTX_MAX_TYPES : 1;
	set->queue_depth = dev->session.grant.queue_depth;
	set->numa_node = ibdev_to_node(dev->session.pd->device);
	set->cmd_size = sizeof(struct rdmablk_io);
	/* With one queue there would be one: to sort by address, for nothing. */
	set->flags = COMPAT_BLK_MQ_F_SHOULD_MERGE | BLK_MQ_F_NO_SCHED_BY_DEFAULT;
	set->timeout = READ_ONCE(dev->opts.settings.request_tmo) * HZ;
	set->driver_data = dev;
	return blk_mq_alloc_tag_set(set);
}

static void rdmablk_disk_limits(const struct rdmablk_dev *dev,
				struct queue_limits *limits)
{
	const struct rdmablk_grant *grant = &dev->session.grant;
	struct ib_device *ibdev = dev->session.pd->device;

	limits->logical_block_size = grant->logical_block;
	limits->physical_block_size = grant->physical_block;
	limits->io_min = grant->physical_block;
	limits->max_hw_sectors = grant->max_io_size >> SECTOR_SHIFT;
	limits->max_segments = RDMABLK_MAX_SEGMENTS;
	limits->max_segment_size = ib_dma_max_seg_size(ibdev);
	/* Elements may start anywhere; the block layer wants some alignment. */
	limits->dma_alignment = 3;
	if ((grant->flags & RDMABLK_GRANT_ZERO) &&
	    !(grant->flags & RDMABLK_GRANT_READ_ONLY)) {
		limits->max_write_zeroes_sectors = RDMABLK_ZERO_MAX >>
						   SECTOR_SHIFT;
		limits->max_hw_discard_sectors = limits->max_write_zeroes_sectors;
		limits->discard_granularity = grant->physical_block;
	}
}

/**
 * rdmablk_disk_alloc() - allocate tag set and gendisk
 * @dev: its session is up
 * @reason: set on failure
 *
 * Context: process.
 * Return: 0 or a negative errno; then nothing is left to free.
 */
int rdmablk_disk_alloc(struct rdmablk_dev *dev, struct rdmablk_reason *reason)
{
	struct queue_limits limits = { };
	struct gendisk *gd;
	int err;

	err = rdmablk_disk_alloc_tags(dev);
	if (err)
		return rdmablk_reason_set(reason, err,
			"cannot allocate %u queues of %u requests",
			dev->session.nr_queues, dev->session.grant.queue_depth);

	rdmablk_disk_limits(dev, &limits);
	gd = compat_blk_mq_alloc_disk(&dev->disk.set, &limits,
			rdmablk_dirty_is_open(&dev->session.dirty), dev);
	if (IS_ERR(gd)) {
		err = PTR_ERR(gd);
		rdmablk_reason_set(reason, err, "cannot allocate a disk");
		goto free_tags;
	}

	strscpy(gd->disk_name, dev->name, sizeof(gd->disk_name));
	gd->fops = &rdmablk_disk_ops;
	gd->private_data = dev;
	if (dev->opts.flags & RDMABLK_FLAG_NO_PARTSCAN)
		gd->flags |= GENHD_FL_NO_PART;
	set_capacity(gd, dev->session.grant.size >> SECTOR_SHIFT);
	set_disk_ro(gd, dev->opts.flags & RDMABLK_FLAG_READ_ONLY);
	dev->disk.gd = gd;
	return 0;

free_tags:
	blk_mq_free_tag_set(&dev->disk.set);
	return err;
}

/**
 * rdmablk_disk_add() - make the disk visible
 * @dev: with an allocated disk
 *
 * Reads the partition table, so that it waits for as long as I/O waits.
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int rdmablk_disk_add(struct rdmablk_dev *dev)
{
	int err;

	/* First, as it can be opened, and must not be detached then, at once. */
	WRITE_ONCE(dev->disk.added, true);
	/* Put by rdmablk_disk_last_put(), which only an added disk comes to. */
	kref_get(&dev->ref);
	rdmablk_dev_name_get(dev);
	err = device_add_disk(NULL, dev->disk.gd, rdmablk_disk_groups);
	if (err) {
		WRITE_ONCE(dev->disk.added, false);
		rdmablk_dev_name_put(dev);
		rdmablk_dev_put(dev);
	}
	return err;
}

/**
 * rdmablk_disk_uevent() - tell udev that the device has changed its state
 * @dev: its disk is shown
 * @state: the word for it
 *
 * Context: process; may wait for I/O, also of @dev.
 */
void rdmablk_disk_uevent(struct rdmablk_dev *dev, const char *state)
{
	char text[32];
	char *env[2] = { text };

	snprintf(text, sizeof(text), "RDMABLK_STATE=%s", state);
	kobject_uevent_env(&disk_to_dev(dev->disk.gd)->kobj, KOBJ_CHANGE, env);
}

/**
 * rdmablk_disk_remove() - take the disk away from its users
 * @dev: its session has given up, so that requests fail at once
 *
 * Context: process; waits for requests that are in flight.
 */
void rdmablk_disk_remove(struct rdmablk_dev *dev)
{
	if (!dev->disk.added)
		return;
	WRITE_ONCE(dev->disk.shown, false);
	blk_mark_disk_dead(dev->disk.gd);
	del_gendisk(dev->disk.gd);
	dev->disk.added = false;
}

/**
 * rdmablk_disk_free() - give gendisk and tag set up
 * @dev: its disk was removed, or never added
 *
 * Open file descriptions keep the gendisk; they see errors from now on.
 *
 * Context: process.
 */
void rdmablk_disk_free(struct rdmablk_dev *dev)
{
	if (!dev->disk.gd)
		return;
	put_disk(dev->disk.gd);
	dev->disk.gd = NULL;
	blk_mq_free_tag_set(&dev->disk.set);
}

/**
 * rdmablk_disk_has_grown() - is the export larger than the disk?
 * @dev: with an allocated disk; its lock is held
 *
 * Context: process.
 * Return: true if rdmablk_disk_resize() is due.
 */
bool rdmablk_disk_has_grown(const struct rdmablk_dev *dev)
{
	return dev->grant.size >> SECTOR_SHIFT != get_capacity(dev->disk.gd);
}

/**
 * rdmablk_disk_resize() - the export may have grown
 * @dev: its disk is shown
 * @size: of the export, bytes
 *
 * If so, its users learn it from the uevent RESIZE=1.
 *
 * Context: process; may wait for I/O, also of @dev.
 */
void rdmablk_disk_resize(struct rdmablk_dev *dev, u64 size)
{
	set_capacity_and_notify(dev->disk.gd, size >> SECTOR_SHIFT);
}

/**
 * rdmablk_disk_set_timeout() - request_tmo was set
 * @dev: live or recovering, or about to become live
 *
 * Counts for requests that begin from now on.
 *
 * Context: process; the device's lock is held.
 */
void rdmablk_disk_set_timeout(struct rdmablk_dev *dev)
{
	blk_queue_rq_timeout(dev->disk.gd->queue,
			     dev->opts.settings.request_tmo * HZ);
}

/**
 * rdmablk_disk_hold() - no request reaches queue_rq when this returns
 * @dev: with an allocated disk, or without: then it does nothing
 *
 * Context: process.
 */
void rdmablk_disk_hold(struct rdmablk_dev *dev)
{
	if (!dev->disk.gd || dev->quiesced)
		return;
	dev->quiesced = true;
	blk_mq_quiesce_queue(dev->disk.gd->queue);
}

/**
 * rdmablk_disk_release() - let requests flow again, the returned ones first
 * @dev: held or not
 *
 * Context: process.
 */
void rdmablk_disk_release(struct rdmablk_dev *dev)
{
	if (!dev->quiesced)
		return;
	dev->quiesced = false;
	blk_mq_unquiesce_queue(dev->disk.gd->queue);
	blk_mq_kick_requeue_list(dev->disk.gd->queue);
}
