// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: RDMA devices, their ports, links and addresses.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "macros.h"
#include "tree.h"

#define ADDRESS_MAX	INET6_ADDRSTRLEN

/* Network drivers whose cards need another module to do RDMA. */
static const struct {
	const char *driver;
	const char *module;
} cards[] = {
	{ "mlx5_core",	"mlx5_ib" },
	{ "mlx4_core",	"mlx4_ib" },
	{ "mlx4_en",	"mlx4_ib" },
	{ "bnxt_en",	"bnxt_re" },
	{ "ice",	"irdma" },
	{ "qede",	"qedr" },
	{ "hns3",	"hns_roce_hw_v2" },
	{ "mana",	"mana_ib" },
	{ "ionic",	"ionic_rdma" },
};

/* A card whose RDMA half has no driver. Sets its interface, and the module. */
static bool find_card(const struct doctor *doctor, char *netdev, size_t size,
		      const char **module)
{
	CLEANUP_NAMES struct tree_names names = { 0 };
	char driver[64];
	size_t i, j;

	tree_list(doctor->root, &names, "sys/class/net");
	for (i = 0; i < names.count; i++) {
		if (!tree_link(doctor->root, driver, sizeof(driver),
			       "sys/class/net/%s/device/driver", names.list[i]))
			continue;
		for (j = 0; j < ARRAY_SIZE(cards); j++) {
			if (strcmp(driver, cards[j].driver))
				continue;
			snprintf(netdev, size, "%s", names.list[i]);
			*module = cards[j].module;
			return true;
		}
	}
	return false;
}

static void no_device(struct doctor *doctor)
{
	struct findings *findings = &doctor->findings;
	const char *module;
	char netdev[32];

	found(findings, SEVERITY_ERROR, "no-rdma-device",
	      "this host has no RDMA device");
	if (find_card(doctor, netdev, sizeof(netdev), &module))
		found_remedy(findings, "the card of %s can do RDMA: 'modprobe %s'",
			     netdev, module);
	else
		found_remedy(findings, "load the driver of its card; without one, 'rdma link add rxe0 type rxe netdev IFACE' makes an Ethernet interface an RDMA device");
}

/* One device that is not active is no harm where others are. */
static void check_down(struct doctor *doctor, const struct rdma_port *port,
		       enum severity severity)
{
	struct findings *findings = &doctor->findings;
	const char *word = strchr(port->state, ' ');

	found(findings, severity, "port-down", "%s port %u is not active but%s",
	      port->device, port->port, word ? word : " in no state");
	if (!port->ethernet && strstr(port->state, "INIT"))
		found_remedy(findings, "no subnet manager has set it up: run opensm on one host, or on the switch");
	else if (port->netdev[0])
		found_remedy(findings, "'ip link set %s up'; if it is, look at the cable and at the switch's port",
			     port->netdev);
	else
		found_remedy(findings, "look at the cable and at the switch's port");
}

static void check_gids(struct doctor *doctor, const struct rdma_port *port,
		       enum severity severity)
{
	struct findings *findings = &doctor->findings;
	const char *netdev = port->netdev[0] ? port->netdev : "IFACE";

	if (port->gids_v2) {
		found(findings, severity, "no-address",
		      "%s port %u has no IP address: nobody can be reached through it",
		      port->device, port->port);
		found_remedy(findings, "'ip address add ADDRESS/PREFIX dev %s'",
			     netdev);
	} else if (port->gids_v1) {
		found(findings, severity, "roce-v1",
		      "%s port %u speaks only RoCE v1, which is not routed and rarely what the other end speaks",
		      port->device, port->port);
		found_remedy(findings, "set the card to RoCE v2, by 'cma_roce_mode' or as its vendor says");
	} else {
		found(findings, severity, "no-gid",
		      "%s port %u has no GID: nobody can be reached through it",
		      port->device, port->port);
		found_remedy(findings, "give %s an address: 'ip address add ADDRESS/PREFIX dev %s', and 'ip link set %s up'",
			     netdev, netdev, netdev);
	}
}

static const char *address_text(const struct in6_addr *address,
				char text[static ADDRESS_MAX])
{
	if (IN6_IS_ADDR_V4MAPPED(address))
		inet_ntop(AF_INET, &address->s6_addr[12], text, ADDRESS_MAX);
	else
		inet_ntop(AF_INET6, address, text, ADDRESS_MAX);
	return text;
}

static void describe(struct doctor *doctor, const struct rdma_port *port)
{
	struct findings *findings = &doctor->findings;
	char address[ADDRESS_MAX];

	if (!port->ethernet)
		found(findings, SEVERITY_OK, "port",
		      "%s port %u: active, InfiniBand, %s", port->device,
		      port->port, port->rate);
	else
		found(findings, SEVERITY_OK, "port",
		      "%s port %u: active, RoCE v2%s, on %s, %s%s",
		      port->device, port->port, port->software ?
		      " in software" : "", port->netdev[0] ? port->netdev :
		      "an unknown interface",
		      address_text(&port->address, address),
		      port->addresses > 1 ? " and others" : "");
}

/* Without it the kernel can use the device, but no program can. */
static void check_provider(struct doctor *doctor, const struct rdma_port *port)
{
	struct doctor_port facts;

	if (doctor->ops->port(port->device, port->port, &facts) != -ENODEV)
		return;
	found(&doctor->findings, doctor_is_target(doctor) ? SEVERITY_ERROR :
	      SEVERITY_WARNING, "provider-missing",
	      "libibverbs has no driver for %s: programs such as rdmablkd cannot use it",
	      port->device);
	found_remedy(&doctor->findings, "install ibverbs-providers (Debian) or libibverbs (others)");
}

static void check_port(struct doctor *doctor, const struct rdma_port *port,
		       enum severity severity)
{
	if (port->iwarp) {
		found(&doctor->findings, severity, "iwarp",
		      "%s is an iWARP device, which rdmablk does not use",
		      port->device);
		found_remedy(&doctor->findings, "use InfiniBand or RoCE; some cards can be switched");
	} else if (!rdma_port_active(port)) {
		check_down(doctor, port, severity);
	} else if (port->ethernet && !port->addresses) {
		check_gids(doctor, port, severity);
	} else {
		describe(doctor, port);
	}
	check_provider(doctor, port);
}

/**
 * doctor_rdma() - look at RDMA devices
 * @doctor: the examination
 */
void doctor_rdma(struct doctor *doctor)
{
	const struct rdma_ports *ports = &doctor->ports;
	enum severity severity = SEVERITY_ERROR;
	size_t i;

	doctor->findings.group = "RDMA devices";
	for (i = 0; i < ports->count; i++)
		if (rdma_port_usable(&ports->list[i]))
			severity = SEVERITY_WARNING;
	for (i = 0; i < ports->count; i++)
		check_port(doctor, &ports->list[i], severity);
	if (!ports->count)
		no_device(doctor);
}
