/* SPDX-License-Identifier: GPL-2.0 */
/* The ports of the RDMA devices of this host, as sysfs has them. */
#ifndef RBDCTL_RDMA_PORT_H
#define RBDCTL_RDMA_PORT_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

#define RDMA_GID_TEXT	40	/* eight groups of four digits, NUL */

/**
 * struct rdma_port - a port
 * @device: its device's name
 * @port: its number
 * @state: number and word, "4: ACTIVE"
 * @ethernet: its link layer is
 * @iwarp: it is no InfiniBand and no RoCE
 * @software: there is no card behind it
 * @rate: of its link, "100 Gb/sec (4X EDR)"; empty: not known
 * @netdev: interface that it goes through; empty: none is known
 * @gids_v1: its addresses of RoCE v1
 * @gids_v2: likewise v2
 * @addresses: of those, the ones that come from an IP address other than link-local
 * @address: one of the latter
 */
struct rdma_port {
	char device[64];
	unsigned int port;
	char state[32];
	bool ethernet;
	bool iwarp;
	bool software;
	char rate[64];
	char netdev[32];
	unsigned int gids_v1;
	unsigned int gids_v2;
	unsigned int addresses;
	struct in6_addr address;
};

/**
 * struct rdma_ports - all of them
 * @list: the ports, in order
 * @count: how many
 */
struct rdma_ports {
	struct rdma_port *list;
	size_t count;
};

void rdma_ports_find(const char *root, struct rdma_ports *ports);
void rdma_ports_free(struct rdma_ports *ports);
bool rdma_port_active(const struct rdma_port *port);
bool rdma_port_usable(const struct rdma_port *port);
bool rdma_port_has(const char *root, const struct rdma_port *port,
		   const struct in6_addr *address, bool v2_only);
bool rdma_port_on(const char *root, const struct rdma_port *port,
		  const char *netdev);

#endif /* RBDCTL_RDMA_PORT_H */
