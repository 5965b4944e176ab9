// SPDX-License-Identifier: GPL-2.0
/*
 * Hears from the kernel that an RDMA device is being removed. Drivers that can take a
 * device away from whoever has it open tell so by an event of the device. Others, of
 * which Soft-RoCE is one, have the removal wait until nobody has it open any more,
 * and all that can be noticed is that its node, uverbsN, goes before. When there are
 * more uevents than the socket takes one of them may have said so: then it is looked
 * whether the nodes are there.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device.h"
#include "hotplug.h"
#include "log.h"
#include "removal.h"

#define NODES		"/sys/class/infiniband_verbs"
#define UEVENT_MAX	8192	/* more than the kernel sends */
#define KERNEL_GROUP	1	/* not that of udev */

struct hotplug {
	sd_event_source	*source;
	int		fd;
};

/* Of a message that is strings KEY=VALUE, and begins with one that is not. */
static const char *value(const char *uevent, size_t len, const char *key)
{
	const char *at = uevent, *end = uevent + len;
	size_t key_len = strlen(key);

	for (; at < end; at += strlen(at) + 1)
		if (!strncmp(at, key, key_len) && at[key_len] == '=')
			return at + key_len + 1;
	return "";
}

/**
 * hotplug_removed() - does a uevent say that an RDMA device goes?
 * @uevent: ends with a zero byte
 * @len: its length, with that
 *
 * Return: the name of its node, a part of @uevent; or NULL.
 */
const char *hotplug_removed(const char *uevent, size_t len)
{
	const char *node;

	if (strcmp(value(uevent, len, "ACTION"), "remove") ||
	    strcmp(value(uevent, len, "SUBSYSTEM"), "infiniband_verbs"))
		return NULL;
	node = strrchr(value(uevent, len, "DEVPATH"), '/');
	return node ? node + 1 : NULL;
}

static void remove_node(struct daemon *daemon, const char *node)
{
	struct device *device;

	TAILQ_FOREACH(device, &daemon->devices, entry) {
		if (device->gone || strcmp(device->node, node))
			continue;
		removal_device(device);
		return;
	}
	device_let_go_unused(daemon, node);
}

static bool is_there(const char *node)
{
	char path[sizeof(NODES) + 1 + IBV_SYSFS_NAME_MAX];

	snprintf(path, sizeof(path), NODES "/%s", node);
	return !access(path, F_OK);
}

static void look_at_nodes(struct daemon *daemon)
{
	struct ibv_context **listed;
	struct device *device;

	TAILQ_FOREACH(device, &daemon->devices, entry)
		if (!is_there(device->node))
			removal_device(device);
	for (listed = daemon->listed; listed && *listed; listed++)
		if (!is_there((*listed)->device->dev_name))
			remove_node(daemon, (*listed)->device->dev_name);
}

static int on_uevent(sd_event_source *source __attribute__((unused)), int fd,
		     uint32_t revents __attribute__((unused)), void *data)
{
	char uevent[UEVENT_MAX];
	struct sockaddr_nl from = { .nl_pid = 0 };
	socklen_t from_len = sizeof(from);
	const char *node;
	ssize_t len;

	len = recvfrom(fd, uevent, sizeof(uevent) - 1, MSG_DONTWAIT,
		       (struct sockaddr *)&from, &from_len);
	if (len < 0 && errno == ENOBUFS)
		look_at_nodes(data);
	/* Other programs can send, too. */
	if (len <= 0 || from.nl_pid)
		return 0;
	uevent[len] = '\0';
	node = hotplug_removed(uevent, (size_t)len + 1);
	if (node)
		remove_node(data, node);
	return 0;
}

/**
 * hotplug_open() - hear of devices from now on
 * @daemon: the daemon
 * @why: set on failure; hotplug_close() is due then
 *
 * Return: 0 or a negative errno.
 */
int hotplug_open(struct daemon *daemon, struct reason *why)
{
	const struct sockaddr_nl addr = {
		.nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP,
	};
	struct hotplug *hotplug = calloc(1, sizeof(*hotplug));
	int err;

	if (!hotplug)
		return reason_set(why, -ENOMEM, "out of memory");
	daemon->hotplug = hotplug;
	hotplug->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			     NETLINK_KOBJECT_UEVENT);
	if (hotplug->fd < 0 ||
	    bind(hotplug->fd, (const struct sockaddr *)&addr, sizeof(addr)))
		return reason_set(why, -errno, "cannot listen to uevents: %m");
	err = sd_event_add_io(daemon->event, &hotplug->source, hotplug->fd,
			      EPOLLIN, on_uevent, daemon);
	return err < 0 ? reason_set(why, err, "event loop: %s",
				    strerror(-err)) : 0;
}

/**
 * hotplug_close() - undo hotplug_open(), also when it failed
 * @daemon: the daemon
 */
void hotplug_close(struct daemon *daemon)
{
	struct hotplug *hotplug = daemon->hotplug;

	if (!hotplug)
		return;
	sd_event_source_disable_unref(hotplug->source);
	if (hotplug->fd >= 0)
		close(hotplug->fd);
	free(hotplug);
	daemon->hotplug = NULL;
}
