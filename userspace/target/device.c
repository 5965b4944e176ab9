// SPDX-License-Identifier: GPL-2.0
/*
 * An RDMA device that the daemon uses: what all connections and regions on it
 * share, and the events that it reports by itself. What is registered on it
 * and who is connected through it is not known here.
 */
#include <errno.h>
#include <fcntl.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "config.h"
#include "conn.h"
#include "ctrl.h"
#include "device.h"
#include "log.h"
#include "removal.h"
#include "window.h"

#define SOFT_ROCE_VENDOR_ID	0xffffff	/* RXE_VENDOR_ID of its driver */
#define AT_ONCE			16	/* clients, until others have their turn */

/**
 * device_name() - what people call it
 * @device: the device, possibly gone
 *
 * Return: "rxe0", "mlx5_0", ...
 */
const char *device_name(const struct device *device)
{
	return device->name;
}

static bool port_active(struct ibv_context *verbs, unsigned int ports)
{
	struct ibv_port_attr attr;
	unsigned int i;

	for (i = 1; i <= ports; i++)
		if (!ibv_query_port(verbs, (uint8_t)i, &attr) &&
		    attr.state == IBV_PORT_ACTIVE)
			return true;
	return false;
}

/**
 * device_check() - can exports be offered through a device?
 * @verbs: the device
 * @why: set if they cannot
 *
 * Return: 0; -ENETDOWN if it could with a port that is active, which a cable may bring at
 * any time; another negative errno if it cannot.
 */
int device_check(struct ibv_context *verbs, struct reason *why)
{
	const char *name = ibv_get_device_name(verbs->device);
	struct ibv_device_attr attr;

	if (verbs->device->transport_type != IBV_TRANSPORT_IB)
		return reason_set(why, -EOPNOTSUPP,
				  "RDMA device %s is neither InfiniBand nor RoCE",
				  name);
	if (ibv_query_device(verbs, &attr))
		return reason_set(why, -EIO, "RDMA device %s does not answer",
				  name);
	if (!port_active(verbs, attr.phys_port_cnt))
		return reason_set(why, -ENETDOWN,
				  "RDMA device %s has no active port", name);
	return 0;
}

/**
 * device_find() - which of the devices in use is this?
 * @daemon: the daemon
 * @verbs: a connection's device
 *
 * Return: the device, or NULL.
 */
struct device *device_find(struct daemon *daemon, struct ibv_context *verbs)
{
	struct device *device;

	TAILQ_FOREACH(device, &daemon->devices, entry)
		if (device->verbs == verbs && !device->gone)
			return device;
	return NULL;
}

static void async_event(struct device *device, struct ibv_async_event *event)
{
	switch (event->event_type) {
	case IBV_EVENT_COMM_EST:
		/* Data overtook the connection manager's last message. */
		conn_established_by_data(event->element.qp->qp_context);
		break;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
		conn_broken(event->element.qp->qp_context,
			    ibv_event_type_str(event->event_type));
		break;
	case IBV_EVENT_DEVICE_FATAL:
		removal_device(device);
		break;
	case IBV_EVENT_PORT_ACTIVE:
	case IBV_EVENT_PORT_ERR:
		log_notice("RDMA device %s: %s", device_name(device),
			   ibv_event_type_str(event->event_type));
		break;
	default:
		break;
	}
}

static int on_async(sd_event_source *source __attribute__((unused)),
		    int fd __attribute__((unused)),
		    uint32_t revents __attribute__((unused)), void *data)
{
	struct device *device = data;
	struct ibv_async_event event;

	while (!ibv_get_async_event(device->verbs, &event)) {
		/*
		 * Handling may destroy the QP, which waits for this. Until
		 * then nobody else destroys it: only this thread does.
		 */
		struct ibv_async_event copy = event;

		ibv_ack_async_event(&event);
		async_event(device, &copy);
		if (device->gone)
			return 0;
	}
	if (errno != EAGAIN && errno != EINTR)
		removal_device(device);
	return 0;
}

static int on_channel(sd_event_source *source __attribute__((unused)),
		      int fd __attribute__((unused)),
		      uint32_t revents __attribute__((unused)), void *data)
{
	struct device *device = data;
	struct ibv_cq *cq;
	void *context;
	unsigned int n;

	/* Each is of another client, and what is done for one is limited there. */
	for (n = 0; n < AT_ONCE; n++) {
		if (ibv_get_cq_event(device->channel, &cq, &context))
			break;
		ibv_ack_cq_events(cq, 1);
		ctrl_completions(context);
	}
	if (n < AT_ONCE && errno != EAGAIN && errno != EINTR)
		removal_device(device);
	return 0;
}

static int no_block(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) ?
	       -errno : 0;
}

static int watch(struct device *device, struct reason *why)
{
	sd_event *event = device->daemon->event;
	int err;

	err = no_block(device->verbs->async_fd);
	if (!err)
		err = no_block(device->channel->fd);
	if (!err)
		err = sd_event_add_io(event, &device->async_source,
				      device->verbs->async_fd, EPOLLIN,
				      on_async, device);
	if (err >= 0)
		err = sd_event_add_io(event, &device->channel_source,
				      device->channel->fd, EPOLLIN,
				      on_channel, device);
	if (err >= 0)
		return 0;
	return reason_set(why, err, "cannot watch RDMA device %s: %s",
			  device_name(device), strerror(-err));
}

static int create_shared(struct device *device, struct reason *why)
{
	const char *what = "protection domain";

	device->pd = ibv_alloc_pd(device->verbs);
	if (!device->pd)
		goto failed;
	what = "completion queue";
	/* And what may be left of a batch that was given up. */
	device->data_cq = ibv_create_cq(device->verbs, 2 * WINDOWS_BATCH, NULL,
					NULL, 0);
	if (!device->data_cq)
		goto failed;
	what = "completion channel";
	device->channel = ibv_create_comp_channel(device->verbs);
	if (!device->channel)
		goto failed;
	return 0;

failed:
	return reason_set(why, -errno, "RDMA device %s: no %s: %m",
			  device_name(device), what);
}

/*
 * Soft-RoCE, up to Linux 7.2 at least, frees a window while the packet of another
 * processor may be looking it up. KASAN has seen it do so.
 */
static bool does_windows_well(const struct device *device)
{
	return device->attr.vendor_id != SOFT_ROCE_VENDOR_ID;
}

/* Which keys its clients will get. */
static void find_windows(struct device *device)
{
	enum windows_wanted wanted = device->daemon->config->memory_windows;
	const unsigned int type_2 = IBV_DEVICE_MEM_WINDOW_TYPE_2A |
				    IBV_DEVICE_MEM_WINDOW_TYPE_2B;

	device->windows = (device->attr.device_cap_flags & type_2) &&
			  (wanted == WINDOWS_YES ||
			   (wanted == WINDOWS_AUTO && does_windows_well(device)));
	log_info("using RDMA device %s: %s", device_name(device),
		 device->windows ? "remote keys are those of one connection each" :
		 "remote keys are those of export and access mode");
}

/**
 * device_open() - begin to use a device
 * @daemon: the daemon
 * @verbs: the device, as librdmacm opened it
 * @out: set to the device, which is in the daemon's list
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int device_open(struct daemon *daemon, struct ibv_context *verbs,
		struct device **out, struct reason *why)
{
	struct device *device = calloc(1, sizeof(*device));
	int err;

	if (!device)
		return reason_set(why, -ENOMEM, "out of memory");
	device->daemon = daemon;
	device->verbs = verbs;
	TAILQ_INIT(&device->goodbyes);
	snprintf(device->name, sizeof(device->name), "%s", verbs->device->name);
	snprintf(device->node, sizeof(device->node), "%s",
		 verbs->device->dev_name);
	TAILQ_INSERT_TAIL(&daemon->devices, device, entry);

	err = ibv_query_device(verbs, &device->attr);
	if (err)
		reason_set(why, -err, "RDMA device %s does not answer: %s",
			   device_name(device), strerror(err));
	else
		err = create_shared(device, why);
	if (!err)
		err = watch(device, why);
	if (err) {
		device_close(device);
		return err;
	}
	find_windows(device);
	*out = device;
	return 0;
}

/* @idle: those without an active port, rather than those with one. */
static int open_listed(struct daemon *daemon, bool idle, struct reason *why)
{
	struct ibv_context **list = daemon->listed;
	struct reason unusable;
	struct device *device;
	int ret, err = 0;

	for (; *list && !err; list++) {
		if (device_find(daemon, *list))
			continue;
		ret = device_check(*list, &unusable);
		if (ret == (idle ? -ENETDOWN : 0))
			err = device_open(daemon, *list, &device, why);
		else if (!idle)
			log_notice("%s: not used", unusable.message);
	}
	return err;
}

/* What is listed stays open, and what points to it valid, until the list is freed. */
static int list_all(struct daemon *daemon)
{
	struct ibv_context **list = rdma_get_devices(NULL);

	if (!list)
		return -ENODEV;
	device_forget_listed(daemon);
	daemon->listed = list;
	return 0;
}

/**
 * device_open_all() - begin to use every device that can be used
 * @daemon: the daemon
 * @why: set on failure
 *
 * If no port is active, as after a power cut of the whole rack, that may change at any
 * time: then all devices are used.
 *
 * Return: 0; -ENODEV when there is none; another negative errno.
 */
int device_open_all(struct daemon *daemon, struct reason *why)
{
	int err = 0;

	if (!list_all(daemon)) {
		err = open_listed(daemon, false, why);
		if (!err && TAILQ_EMPTY(&daemon->devices)) {
			err = open_listed(daemon, true, why);
			if (!TAILQ_EMPTY(&daemon->devices))
				log_warning("no RDMA device has an active port: all are used");
		}
	}
	if (err || !TAILQ_EMPTY(&daemon->devices))
		return err;

	reason_set(why, -ENODEV, "no usable RDMA device");
	reason_hint(why, "'rdma link' shows the devices; 'rdma link add rxe0 type rxe netdev IFACE' makes an Ethernet interface one");
	return -ENODEV;
}

static void destroyed(const struct device *device, const char *what, int err)
{
	if (err && !device->gone)
		log_warning("RDMA device %s: cannot free the %s: %s",
			    device_name(device), what, strerror(err));
}

static void free_shared(struct device *device)
{
	device->async_source = sd_event_source_disable_unref(device->async_source);
	device->channel_source =
		sd_event_source_disable_unref(device->channel_source);
	if (device->channel)
		destroyed(device, "completion channel",
			  ibv_destroy_comp_channel(device->channel));
	if (device->data_cq)
		destroyed(device, "completion queue",
			  ibv_destroy_cq(device->data_cq));
	if (device->pd)
		destroyed(device, "protection domain",
			  ibv_dealloc_pd(device->pd));
	device->channel = NULL;
	device->data_cq = NULL;
	device->pd = NULL;
}

/*
 * The removal may wait until nobody has the device open. It is librdmacm that has, and
 * it closes a device that is gone only when it finds another one, so that its files
 * are closed under it: what it does with them later fails, or does nothing.
 */
static void let_go(struct ibv_context *verbs, const char *name)
{
	CLEANUP_CLOSE int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nothing < 0 || dup3(nothing, verbs->async_fd, O_CLOEXEC) < 0 ||
	    dup3(nothing, verbs->cmd_fd, O_CLOEXEC) < 0)
		log_warning("RDMA device %s: cannot let go of it: %m", name);
}

/**
 * device_let_go() - let the kernel remove a device
 * @device: gone, and nothing is left on it but registrations of a job that runs
 *
 * A registration that a job still holds is the kernel's to undo then. The job must not:
 * it would look at what librdmacm has freed.
 */
void device_let_go(struct device *device)
{
	free_shared(device);
	let_go(device->verbs, device_name(device));
	/* Not ours to look at: librdmacm frees it when it finds a new device. */
	device->verbs = NULL;
	device->let_go = true;
}

/**
 * device_let_go_unused() - let the kernel remove a device that is not in use
 * @daemon: the daemon
 * @node: its name: "uverbsN"
 */
void device_let_go_unused(struct daemon *daemon, const char *node)
{
	struct ibv_context **listed;

	for (listed = daemon->listed; listed && *listed; listed++)
		if (!strcmp((*listed)->device->dev_name, node))
			let_go(*listed, ibv_get_device_name((*listed)->device));
}

/**
 * device_forget_listed() - librdmacm may close what is not in use, and gone
 * @daemon: the daemon
 */
void device_forget_listed(struct daemon *daemon)
{
	if (daemon->listed)
		rdma_free_devices(daemon->listed);
	daemon->listed = NULL;
}

/**
 * device_close() - stop using a device on which nothing is left
 * @device: the device, possibly opened in part, or gone; freed
 */
void device_close(struct device *device)
{
	free_shared(device);
	TAILQ_REMOVE(&device->daemon->devices, device, entry);
	free(device);
}
