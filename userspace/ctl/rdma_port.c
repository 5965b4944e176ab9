// SPDX-License-Identifier: GPL-2.0
/*
 * The ports of the RDMA devices of this host. See rdma_port.h.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rdma_port.h"
#include "tree.h"

#define PORT_DIR	"sys/class/infiniband/%s/ports/%u"

/* Reads a GID; false: that is the end of the table. */
static bool read_gid(const char *root, const struct rdma_port *port,
		     unsigned int index, struct in6_addr *gid)
{
	char text[RDMA_GID_TEXT + 1];

	if (!tree_line(root, text, sizeof(text), PORT_DIR "/gids/%u",
		       port->device, port->port, index))
		return false;
	return inet_pton(AF_INET6, text, gid) == 1;
}

static bool gid_is_v2(const char *root, const struct rdma_port *port,
		      unsigned int index)
{
	char type[32] = "";

	tree_line(root, type, sizeof(type), PORT_DIR "/gid_attrs/types/%u",
		  port->device, port->port, index);
	return strstr(type, "v2");
}

static bool gid_netdev(const char *root, const struct rdma_port *port,
		       unsigned int index, char *netdev, size_t size)
{
	return tree_line(root, netdev, size, PORT_DIR "/gid_attrs/ndevs/%u",
			 port->device, port->port, index);
}

static void count_gid(const char *root, struct rdma_port *port,
		      unsigned int index, const struct in6_addr *gid)
{
	if (!port->netdev[0])
		gid_netdev(root, port, index, port->netdev,
			   sizeof(port->netdev));
	if (!gid_is_v2(root, port, index)) {
		port->gids_v1++;
		return;
	}
	port->gids_v2++;
	if (IN6_IS_ADDR_LINKLOCAL(gid))
		return;
	/* IPv4 is what most people know their hosts by. */
	if (!port->addresses++ || (IN6_IS_ADDR_V4MAPPED(gid) &&
				   !IN6_IS_ADDR_V4MAPPED(&port->address)))
		port->address = *gid;
}

static void find_gids(const char *root, struct rdma_port *port)
{
	struct in6_addr gid;
	unsigned int i;

	for (i = 0; read_gid(root, port, i, &gid); i++)
		if (!IN6_IS_ADDR_UNSPECIFIED(&gid))
			count_gid(root, port, i, &gid);
}

/* Without an address there is no GID that would name the interface. */
static void find_netdev(const char *root, struct rdma_port *port)
{
	CLEANUP_NAMES struct tree_names names = { 0 };

	if (port->netdev[0] ||
	    tree_line(root, port->netdev, sizeof(port->netdev),
		      "sys/class/infiniband/%s/parent", port->device))
		return;
	tree_list(root, &names, "sys/class/infiniband/%s/device/net",
		  port->device);
	if (names.count == 1)
		snprintf(port->netdev, sizeof(port->netdev), "%s",
			 names.list[0]);
}

static void find_port(const char *root, struct rdma_port *port)
{
	char text[64] = "";

	tree_line(root, port->state, sizeof(port->state), PORT_DIR "/state",
		  port->device, port->port);
	tree_line(root, port->rate, sizeof(port->rate), PORT_DIR "/rate",
		  port->device, port->port);
	tree_line(root, text, sizeof(text), PORT_DIR "/link_layer",
		  port->device, port->port);
	port->ethernet = !strcmp(text, "Ethernet");
	text[0] = '\0';
	tree_line(root, text, sizeof(text), "sys/class/infiniband/%s/node_type",
		  port->device);
	port->iwarp = strstr(text, "RNIC");
	/* Soft-RoCE tells its interface in a file of its own. */
	port->software = tree_exists(root, "sys/class/infiniband/%s/parent",
				     port->device);
	find_gids(root, port);
	find_netdev(root, port);
}

static void add_port(const char *root, struct rdma_ports *ports,
		     const char *device, const char *number)
{
	struct rdma_port *list = reallocarray(ports->list, ports->count + 1,
					      sizeof(*list));

	if (!list)
		abort();
	ports->list = list;
	list += ports->count++;
	*list = (struct rdma_port){
		.port = (unsigned int)strtoul(number, NULL, 10),
	};
	snprintf(list->device, sizeof(list->device), "%s", device);
	find_port(root, list);
}

/**
 * rdma_ports_find() - look for all ports
 * @root: where the tree of sysfs is
 * @ports: set to them
 */
void rdma_ports_find(const char *root, struct rdma_ports *ports)
{
	CLEANUP_NAMES struct tree_names devices = { 0 };
	size_t i, j;

	*ports = (struct rdma_ports){ 0 };
	tree_list(root, &devices, "sys/class/infiniband");
	for (i = 0; i < devices.count; i++) {
		CLEANUP_NAMES struct tree_names numbers = { 0 };

		tree_list(root, &numbers, "sys/class/infiniband/%s/ports",
			  devices.list[i]);
		for (j = 0; j < numbers.count; j++)
			add_port(root, ports, devices.list[i], numbers.list[j]);
	}
}

/**
 * rdma_ports_free() - release what was found
 * @ports: the ports
 */
void rdma_ports_free(struct rdma_ports *ports)
{
	free(ports->list);
	*ports = (struct rdma_ports){ 0 };
}

/**
 * rdma_port_active() - can packets go through a port?
 * @port: the port
 *
 * Return: true if they can.
 */
bool rdma_port_active(const struct rdma_port *port)
{
	return strstr(port->state, "ACTIVE");
}

/**
 * rdma_port_usable() - can rdmablk reach others through a port?
 * @port: the port
 *
 * Return: true if nothing that sysfs tells of it is in the way.
 */
bool rdma_port_usable(const struct rdma_port *port)
{
	return !port->iwarp && rdma_port_active(port) &&
	       (!port->ethernet || port->addresses);
}

/**
 * rdma_port_has() - has a port an address?
 * @root: where the tree of sysfs is
 * @port: the port
 * @address: IPv6, or IPv4 mapped into it
 * @v2_only: that of RoCE v2
 *
 * Return: true if one of its GIDs is that.
 */
bool rdma_port_has(const char *root, const struct rdma_port *port,
		   const struct in6_addr *address, bool v2_only)
{
	struct in6_addr gid;
	unsigned int i;

	for (i = 0; read_gid(root, port, i, &gid); i++)
		if (IN6_ARE_ADDR_EQUAL(&gid, address) &&
		    (!v2_only || gid_is_v2(root, port, i)))
			return true;
	return false;
}

/**
 * rdma_port_on() - do packets of an interface go through a port?
 * @root: where the tree of sysfs is
 * @port: the port
 * @netdev: the interface: that of the card, a VLAN, a bond
 *
 * Return: true if they do.
 */
bool rdma_port_on(const char *root, const struct rdma_port *port,
		  const char *netdev)
{
	char text[sizeof(port->netdev)];
	struct in6_addr gid;
	unsigned int i;

	if (!strcmp(port->netdev, netdev))
		return true;
	for (i = 0; read_gid(root, port, i, &gid); i++)
		if (!IN6_IS_ADDR_UNSPECIFIED(&gid) &&
		    gid_netdev(root, port, i, text, sizeof(text)) &&
		    !strcmp(text, netdev))
			return true;
	return false;
}
