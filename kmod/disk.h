/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gendisk of a device and its tag set: what the block layer knows of it.
 */
#ifndef RDMABLK_DISK_H
#define RDMABLK_DISK_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>

#include "reason.h"

struct rdmablk_dev;

/**
 * struct rdmablk_disk - gendisk and tag set
 * @set: tag set; driver_data is the device
 * @gd: NULL before it is allocated and after it was given up
 * @added: visible, or about to become so
 * @shown: adding it is done: opening it does not wait for that, and udev can be told
 *	   about it
 */
struct rdmablk_disk {
	struct blk_mq_tag_set set;
	struct gendisk *gd;
	bool added;
	bool shown;
};

int rdmablk_disk_alloc(struct rdmablk_dev *dev, struct rdmablk_reason *reason);
int rdmablk_disk_add(struct rdmablk_dev *dev);
void rdmablk_disk_remove(struct rdmablk_dev *dev);
void rdmablk_disk_free(struct rdmablk_dev *dev);

void rdmablk_disk_uevent(struct rdmablk_dev *dev, const char *state);
bool rdmablk_disk_has_grown(const struct rdmablk_dev *dev);
void rdmablk_disk_resize(struct rdmablk_dev *dev, u64 size);
void rdmablk_disk_set_timeout(struct rdmablk_dev *dev);
void rdmablk_disk_hold(struct rdmablk_dev *dev);
void rdmablk_disk_release(struct rdmablk_dev *dev);

/* sysfs.c */
extern const struct attribute_group *rdmablk_disk_groups[];

/* queue_rq.c */
extern const struct blk_mq_ops rdmablk_mq_ops;

#endif /* RDMABLK_DISK_H */
