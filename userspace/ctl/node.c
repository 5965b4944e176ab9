// SPDX-License-Identifier: GPL-2.0
/*
 * The device node, /dev/rdmablkN. The kernel creates it in devtmpfs, or udev
 * does; udev then looks at the contents, adds links and sets the owner. Who is
 * told that a device is ready may expect all of that to have happened, so the
 * tool waits for udev where it runs.
 */
#include <errno.h>
#include <fcntl.h>
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

/* Opens and closes it; a node left over from another device does not count. */
static int try_open(const char *name, dev_t number)
{
	CLEANUP_CLOSE int fd = -1;
	struct stat st;
	char path[64];

	snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		return -errno;
	return S_ISBLK(st.st_mode) && st.st_rdev == number ? 0 : -ENXIO;
}

/*
 * The kernel shows the node a moment before it can be opened, and opening it in
 * between has the kernel look for a module to load. udev is told afterwards;
 * without udev, the link to the "bdi" comes last.
 */
static bool is_ready(const char *name, dev_t number, bool udev)
{
	sd_device *device = NULL;
	char path[64];
	bool ready;

	if (!udev) {
		snprintf(path, sizeof(path), "/sys/class/block/%s/bdi", name);
		return !access(path, F_OK);
	}
	ready = sd_device_new_from_devnum(&device, 'b', number) >= 0 &&
		sd_device_get_is_initialized(device) > 0;
	sd_device_unref(device);
	return ready;
}

static void udev_is_late(const char *name)
{
	note("%s is attached, but udev is not done with it after %d s: links below /dev/disk and /dev/rdmablk may be missing",
	     name, NODE_WAIT_MS / 1000);
	remedy("'udevadm settle' waits for udev, 'udevadm monitor' shows what it does; --no-udev does not wait");
}

/**
 * node_wait() - wait until a device can be opened
 * @name: "rdmablkN"
 * @udev: also until udev is done with it, where udev runs
 * @outcome: of the attach: its signals end the wait
 *
 * If udev does not finish in time, a device that can be opened will do; that is
 * said.
 *
 * Return: 0; -ENODEV when the device is gone; -EINTR when a signal came; another
 * negative errno: why it cannot be opened although the time is up.
 */
int node_wait(const char *name, bool udev, struct outcome *outcome)
{
	int64_t deadline = now_ms() + NODE_WAIT_MS;
	int err, moved;
	dev_t number = 0;
	bool late, ready;

	udev = udev && !access("/run/udev/control", F_OK);
	for (;;) {
		late = now_ms() >= deadline;
		err = block_number(name, &number);
		ready = !err && is_ready(name, number, udev);
		if (ready || (!err && late))
			err = try_open(name, number);
		else if (!err)
			err = -EAGAIN;
		if (!err && !ready)
			udev_is_late(name);
		if (!err || late)
			return err;
		moved = outcome_wait(outcome, outcome_gone, LOOK_AGAIN_MS);
		if (moved != -ETIMEDOUT)
			return moved ? moved : -ENODEV;
	}
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
