// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: how this host is asked about what is not in a file.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "cleanup.h"
#include "daemon.h"
#include "doctor.h"
#include "family.h"
#include "macros.h"
#include "pause_frames.h"
#include "ping.h"
#include "read_speed.h"
#include "spawn.h"

/* ---- libibverbs -------------------------------------------------------- */

static int query(struct ibv_device *device, unsigned int port,
		 struct doctor_port *out)
{
	struct ibv_context *verbs = ibv_open_device(device);
	struct ibv_device_attr device_attr;
	struct ibv_port_attr port_attr;
	int err = -EIO;

	if (!verbs)
		return errno ? -errno : -EIO;
	if (!ibv_query_device(verbs, &device_attr) &&
	    !ibv_query_port(verbs, (uint8_t)port, &port_attr)) {
		out->max_mr_size = device_attr.max_mr_size;
		out->mtu = port_attr.active_mtu ? 128U << port_attr.active_mtu
						: 0;
		err = 0;
	}
	ibv_close_device(verbs);
	return err;
}

static int ask_verbs(const char *name, unsigned int port,
		     struct doctor_port *out)
{
	struct ibv_device **list;
	int i, count, err = -ENODEV;

	list = ibv_get_device_list(&count);
	if (!list)
		return errno == ENODEV ? -EIO : -errno;
	for (i = 0; i < count && err == -ENODEV; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			err = query(list[i], port, out);
	ibv_free_device_list(list);
	return err;
}

/* ---- The kernel's RDMA resources --------------------------------------- */

/* Where iproute2 installs it, and where Debian does. */
static const char *const rdma_paths[] = { "/usr/sbin/rdma", "/usr/bin/rdma" };

static char *ask_rdma(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rdma_paths); i++) {
		const char *const argv[] = {
			rdma_paths[i], "-j", "resource", "show", "qp", NULL,
		};
		char *text;

		if (!spawn_read(argv, &text))
			return text;
		free(text);
	}
	return NULL;
}

/* ---- The network ------------------------------------------------------- */

static char *ask_nft(void)
{
	static const char *const argv[] = {
		"/usr/sbin/nft", "list", "ruleset", NULL,
	};
	char *text;

	if (!spawn_read(argv, &text))
		return text;
	free(text);
	return NULL;
}

static void find_netdev(struct doctor_route *route)
{
	struct ifaddrs *list, *one;
	union addr addr;

	if (getifaddrs(&list))
		return;
	for (one = list; one; one = one->ifa_next) {
		if (!one->ifa_addr ||
		    one->ifa_addr->sa_family != route->from.sa.sa_family)
			continue;
		memset(&addr, 0, sizeof(addr));
		memcpy(&addr, one->ifa_addr,
		       route->from.sa.sa_family == AF_INET ?
		       sizeof(addr.in) : sizeof(addr.in6));
		if (addr_same_host(&addr, &route->from))
			snprintf(route->netdev, sizeof(route->netdev), "%s",
				 one->ifa_name);
	}
	freeifaddrs(list);
}

/* A socket that is connected knows where it starts from; nothing is sent. */
static int ask_route(const union addr *to, struct doctor_route *out)
{
	CLEANUP_CLOSE int fd = socket(to->sa.sa_family,
				      SOCK_DGRAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(out->from);

	*out = (struct doctor_route){ .netdev = "" };
	if (fd < 0 ||
	    connect(fd, &to->sa, to->sa.sa_family == AF_INET ?
		    sizeof(to->in) : sizeof(to->in6)) ||
	    getsockname(fd, &out->from.sa, &len))
		return -errno;
	find_netdev(out);
	return 0;
}

/* ---- The module -------------------------------------------------------- */

static int ask_devices(struct devices *devices)
{
	CLEANUP_GENL struct genl *genl = NULL;
	int err = family_open(&genl);

	return err ? err : devices_get(genl, devices);
}

const struct doctor_ops doctor_real_ops = {
	.port		= ask_verbs,
	.queue_pairs	= ask_rdma,
	.pause		= pause_frames,
	.ruleset	= ask_nft,
	.daemon		= daemon_ask,
	.devices	= ask_devices,
	.lookup		= target_lookup,
	.route		= ask_route,
	.ping		= ping,
	.knock		= cm_knock,
	.speed		= read_speed,
};
