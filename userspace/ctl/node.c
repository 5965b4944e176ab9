// SPDX-License-Identifier: GPL-2.0
/*
 * The device node, /dev/rdmablkN. The kernel creates it in devtmpfs, or udev
 * does; udev then looks at the contents, adds links and sets the owner. Who is
 * told that a device is ready may expect all of that to have happened, so the
 * tool waits for udev where it runs; and before that for the kernel, which lets
 * nobody open the device before the target has answered what it reads to look for
 * partitions.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <systemd/sd-device.h>
#include <unistd.h>

#include "cleanup.h"
#include "clock.h"
#include "node.h"
#include "report.h"

#define NODE_WAIT_MS	10000
#define GONE_WAIT_MS	5000
#define LOOK_AGAIN_MS	20

static int block_number(const char *name, dev_t *number)
{
	CLEANUP_FILE FILE *file = NULL;
	unsigned int major_no, minor_no;
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/block/%s/dev", name);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%u:%u", &major_no, &minor_no) != 2)
		return -EIO;
	*number = makedev(major_no, minor_no);
	return 0;
}

/* A node left over from another device does not count. */
static int find_node(const char *name, dev_t *number)
{
	struct stat st;
	char path[64];
	int err = block_number(name, number);

	if (err)
		return err;
	snprintf(path, sizeof(path), "/dev/%s", name);
	if (stat(path, &st))
		return -errno;
	return S_ISBLK(st.st_mode) && st.st_rdev == *number ? 0 : -ENXIO;
}

static bool udev_is_done(dev_t number)
{
	sd_device *device = NULL;
	bool done = sd_device_new_from_devnum(&device, 'b', number) >= 0 &&
		    sd_device_get_is_initialized(device) > 0;

	sd_device_unref(device);
	return done;
}

static void disk_is_late(const char *name)
{
	note("%s is attached, but its target has not answered after %d s what the kernel reads to look for partitions: whoever opens it waits for that",
	     name, NODE_WAIT_MS / 1000);
	remedy("'rbdctl show %s' tells how it is doing, 'rbdctl detach --force %s' ends it; --no-partscan does not look for partitions",
	       name, name);
}

static void udev_is_late(const char *name)
{
	note("%s is attached, but udev is not done with it after %d s: links below /dev/disk and /dev/rdmablk may be missing",
	     name, NODE_WAIT_MS / 1000);
	remedy("'udevadm settle' waits for udev, 'udevadm monitor' shows what it does; --no-udev does not wait");
}

/* Of a disk that was added. */
static int wait_for_node(const char *name, bool udev, struct outcome *outcome)
{
	int64_t deadline = now_ms() + NODE_WAIT_MS;
	dev_t number = 0;
	int err, moved;
	bool late;

	udev = udev && !access("/run/udev/control", F_OK);
	for (;;) {
		late = now_ms() >= deadline;
		err = find_node(name, &number);
		if (!err && (!udev || udev_is_done(number)))
			return 0;
		if (!err && late)
			udev_is_late(name);
		if (late)
			return err;
		moved = outcome_wait(outcome, outcome_useless, LOOK_AGAIN_MS);
		if (moved != -ETIMEDOUT)
			return moved ? moved : -ENODEV;
	}
}

/**
 * node_wait() - wait until a device can be opened
 * @name: "rdmablkN"
 * @udev: also until udev is done with it, where udev runs
 * @outcome: of the attach: its signals end the wait
 *
 * It is not opened: that would wait for the target, beyond the reach of signals. If
 * the kernel is not done with looking for partitions in time, or udev with a node
 * that is there, that is said, and will do.
 *
 * Return: 0; -ENODEV when the device is gone or has failed; -EINTR when a signal
 * came; another negative errno: why there is no node although the time is up.
 */
int node_wait(const char *name, bool udev, struct outcome *outcome)
{
	int err = outcome_wait(outcome, outcome_added, NODE_WAIT_MS);

	if (err == -ETIMEDOUT) {
		disk_is_late(name);
		return 0;
	}
	if (err)
		return err;
	return outcome_useless(outcome) ? -ENODEV :
	       wait_for_node(name, udev, outcome);
}

/**
 * node_wait_gone() - wait until the node of a device that is gone is, too
 * @name: "rdmablkN"
 *
 * For a bounded time: a node that somebody made by hand stays.
 */
void node_wait_gone(const char *name)
{
	int64_t deadline = now_ms() + GONE_WAIT_MS;
	char node[64], sysfs[64];

	snprintf(node, sizeof(node), "/dev/%s", name);
	snprintf(sysfs, sizeof(sysfs), "/sys/class/block/%s", name);
	while (!access(node, F_OK) && now_ms() < deadline) {
		/* Attached again by somebody else: the node is theirs. */
		if (!access(sysfs, F_OK))
			return;
		poll(NULL, 0, LOOK_AGAIN_MS);
	}
}
