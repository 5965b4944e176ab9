// SPDX-License-Identifier: GPL-2.0
/*
 * What is unmistakable about a file or a disk that holds contents. A file is
 * known by its inode and the time of its birth, and by its file system where
 * that has an id. A disk is known by the name that its maker or its partition
 * table gave it; one without a name by its number, and as long as the host
 * runs, by the kernel's count of disks.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <systemd/sd-device.h>

#include "macros.h"
#include "tie.h"

static int tie_boot(struct tie *tie, struct reason *why)
{
	int err = sd_id128_get_boot(&tie->boot);

	return err < 0 ? reason_set(why, err, "cannot read the boot id: %s",
				    strerror(-err)) : 0;
}

/* That of XFS is made of its device number, which may change with a boot. */
static uint64_t file_system_id(int fd)
{
	struct statfs fs;
	uint64_t id;

	if (fstatfs(fd, &fs) || fs.f_type == XFS_SUPER_MAGIC)
		return 0;
	memcpy(&id, &fs.f_fsid, sizeof(id));
	return id;
}

/**
 * tie_file() - what is unmistakable about a file
 * @tie: filled in
 * @kind: TIE_MEMORY or TIE_FILE
 * @fd: the file
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int tie_file(struct tie *tie, enum tie_kind kind, int fd, struct reason *why)
{
	struct statx st;

	*tie = (struct tie){ .kind = kind };
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &st))
		return reason_set(why, -errno, "cannot examine the file: %m");
	tie->dev = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor;
	tie->ino = st.stx_ino;
	tie->size = st.stx_size;
	tie->birth = st.stx_mask & STATX_BTIME ?
		(uint64_t)st.stx_btime.tv_sec * 1000000000 +
		st.stx_btime.tv_nsec : 0;
	if (kind == TIE_FILE)
		tie->fs = file_system_id(fd);
	return tie_boot(tie, why);
}

/* The first of them that the device or its parent has. */
static const char *disk_name(sd_device *device)
{
	static const char * const attributes[] = {
		"wwid", "device/wwid", "serial", "device/serial",
		"dm/uuid", "md/uuid", "uuid",
	};
	const char *name = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(attributes); i++)
		if (sd_device_get_sysattr_value(device, attributes[i],
						&name) >= 0 && name[0])
			return name;
	if (sd_device_get_property_value(device, "ID_SERIAL", &name) >= 0)
		return name;
	return NULL;
}

static void name_disk(struct tie *tie, sd_device *device)
{
	const char *partition = NULL, *seq = NULL, *name;
	sd_device *disk = device;

	if (sd_device_get_sysattr_value(device, "partition", &partition) >= 0 &&
	    sd_device_get_parent(device, &disk) < 0)
		disk = device;
	name = disk_name(disk);
	if (name)
		snprintf(tie->id, sizeof(tie->id), "%s%s%s", name,
			 partition ? " partition " : "",
			 partition ? partition : "");
	if (sd_device_get_sysattr_value(disk, "diskseq", &seq) >= 0)
		tie->seq = strtoull(seq, NULL, 10);
}

/**
 * tie_disk() - what is unmistakable about a block device
 * @tie: filled in
 * @fd: the block device
 * @size: its size, bytes
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int tie_disk(struct tie *tie, int fd, uint64_t size, struct reason *why)
{
	sd_device *device = NULL;
	struct stat st;

	*tie = (struct tie){ .kind = TIE_DISK, .size = size };
	if (fstat(fd, &st))
		return reason_set(why, -errno, "cannot examine the block device: %m");
	tie->dev = st.st_rdev;
	/* One that sysfs does not show has a number only. */
	if (sd_device_new_from_devnum(&device, 'b', st.st_rdev) >= 0)
		name_disk(tie, device);
	sd_device_unref(device);
	return tie_boot(tie, why);
}

static bool same_disk(const struct tie *a, const struct tie *b)
{
	if (a->id[0] || b->id[0])
		return !strncmp(a->id, b->id, sizeof(a->id));
	return a->dev == b->dev &&
	       (!sd_id128_equal(a->boot, b->boot) || a->seq == b->seq);
}

static bool same_file(const struct tie *a, const struct tie *b)
{
	if (a->ino != b->ino || a->birth != b->birth || a->fs != b->fs)
		return false;
	/* Without all that it is the device number that has to do. */
	return (a->birth && a->kind == TIE_FILE) || a->dev == b->dev;
}

/**
 * tie_difference() - are two ties of the same contents' place?
 * @kept: the older one
 * @now: the newer one
 *
 * Return: NULL if so, else what @kept is, for the log: "of another file".
 */
const char *tie_difference(const struct tie *kept, const struct tie *now)
{
	if (kept->kind != now->kind)
		return "of another store";
	if (kept->kind == TIE_MEMORY && !sd_id128_equal(kept->boot, now->boot))
		return "of another boot";
	if (kept->kind == TIE_DISK ? !same_disk(kept, now) :
				     !same_file(kept, now))
		return kept->kind == TIE_DISK ? "of another disk" :
						"of another file";
	if (kept->size != now->size)
		return kept->kind == TIE_DISK ? "of a disk of another size" :
						"of a file of another size";
	return NULL;
}
