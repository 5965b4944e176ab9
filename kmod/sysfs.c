// SPDX-License-Identifier: GPL-2.0
/*
 * What udev's rules, and people who look, find in sysfs: which export a disk is,
 * below /sys/block/rdmablkN/rdmablk/. All else is netlink's. See
 * Documentation/ABI/testing/sysfs-block-rdmablk.
 *
 * The files go with the disk, which is gone before the device is.
 */
#include <linux/uuid.h>

#include "dev.h"

static struct rdmablk_dev *rdmablk_dev_of(struct device *device)
{
	return dev_to_disk(device)->private_data;
}

static ssize_t export_show(struct device *device,
			   struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", rdmablk_dev_of(device)->opts.export);
}
static DEVICE_ATTR_RO(export);

static ssize_t target_show(struct device *device,
			   struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", rdmablk_dev_of(device)->opts.target);
}
static DEVICE_ATTR_RO(target);

static ssize_t generation_show(struct device *device,
			       struct device_attribute *attr, char *buf)
{
	struct rdmablk_dev *dev = rdmablk_dev_of(device);
	uuid_t generation;

	mutex_lock(&dev->lock);
	import_uuid(&generation, dev->grant.generation);
	mutex_unlock(&dev->lock);
	return sysfs_emit(buf, "%pUb\n", &generation);
}
static DEVICE_ATTR_RO(generation);

static ssize_t state_show(struct device *device,
			  struct device_attribute *attr, char *buf)
{
	enum rdmablk_dev_state state = READ_ONCE(rdmablk_dev_of(device)->state);

	return sysfs_emit(buf, "%s\n", rdmablk_state_name(state));
}
static DEVICE_ATTR_RO(state);

static struct attribute *rdmablk_disk_attrs[] = {
	&dev_attr_export.attr,
	&dev_attr_generation.attr,
	&dev_attr_state.attr,
	&dev_attr_target.attr,
	NULL,
};

static const struct attribute_group rdmablk_disk_group = {
	.name	= "rdmablk",
	.attrs	= rdmablk_disk_attrs,
};

const struct attribute_group *rdmablk_disk_groups[] = {
	&rdmablk_disk_group,
	NULL,
};
