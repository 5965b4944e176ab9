/* SPDX-License-Identifier: GPL-2.0 */
/* An RDMA device that the daemon uses. */
#ifndef RDMABLKD_DEVICE_H
#define RDMABLKD_DEVICE_H

#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "daemon.h"
#include "reason.h"

struct goodbye;

TAILQ_HEAD(goodbye_list, goodbye);

/**
 * struct device - an RDMA device
 * @entry: in the daemon's list
 * @daemon: the daemon
 * @name: what people call it: "rxe0", "mlx5_0", ...
 * @node: "uverbsN"
 * @verbs: the device as librdmacm opened it; connection ids point to it
 * @attr: what it can do
 * @pd: of control connections
 * @data_cq: of all data connections. A target of one-sided reads and writes
 *	     completes nothing, but for windows that it binds and waits for: this
 *	     queue is empty otherwise and never armed, so that nothing can wake the
 *	     daemon through it.
 * @channel: announces completions of control connections
 * @channel_source: @channel in the event loop
 * @async_source: the device's own events in the event loop
 * @windows: it binds memory windows of type 2, and they are wanted
 * @nr_queues: data queues granted to sessions on this device
 * @nr_windows: memory windows that go with them
 * @goodbyes: connection ids that are to end when their links are up
 * @nr_goodbyes: how many
 * @gone: the device was removed or broke; jobs look at it, too
 * @let_go: and is not ours to look at any more, nor is what a job has of it
 */
struct device {
	TAILQ_ENTRY(device)		entry;
	struct daemon			*daemon;
	char				name[IBV_SYSFS_NAME_MAX];
	char				node[IBV_SYSFS_NAME_MAX];
	struct ibv_context		*verbs;
	struct ibv_device_attr		attr;
	struct ibv_pd			*pd;
	struct ibv_cq			*data_cq;
	struct ibv_comp_channel		*channel;
	sd_event_source			*channel_source;
	sd_event_source			*async_source;
	bool				windows;
	unsigned int			nr_queues;
	unsigned int			nr_windows;
	struct goodbye_list		goodbyes;
	unsigned int			nr_goodbyes;
	atomic_bool			gone;
	atomic_bool			let_go;
};

const char *device_name(const struct device *device);
int device_check(struct ibv_context *verbs, struct reason *why);
struct device *device_find(struct daemon *daemon, struct ibv_context *verbs);
int device_open(struct daemon *daemon, struct ibv_context *verbs,
		struct device **out, struct reason *why);
int device_open_all(struct daemon *daemon, struct reason *why);
void device_let_go(struct device *device);
void device_let_go_unused(struct daemon *daemon, const char *node);
void device_forget_listed(struct daemon *daemon);
void device_close(struct device *device);

#endif /* RDMABLKD_DEVICE_H */
