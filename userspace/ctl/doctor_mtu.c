// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: how much an RDMA packet carries, and what that costs.
 */
#include <inttypes.h>

#include "doctor.h"
#include "tree.h"

#define BEST_MTU	4096	/* that RDMA has, bytes */
#define NETDEV_MTU	4200	/* what that takes of an interface */

/*
 * What comes with each packet of a RoCE v2 READ or WRITE: preamble and gap 20,
 * Ethernet 18, IPv4 20, UDP 8, BTH 12, ICRC 4.
 */
#define HEADERS		82U

static unsigned int payload_percent(unsigned int mtu)
{
	return mtu * 100 / (mtu + HEADERS);
}

static void check_roce(struct doctor *doctor, const struct rdma_port *port,
		       unsigned int mtu)
{
	struct findings *findings = &doctor->findings;
	uint64_t netdev_mtu = 0;

	if (!tree_number(doctor->root, &netdev_mtu, "sys/class/net/%s/mtu",
			 port->netdev))
		return;
	if (mtu >= BEST_MTU) {
		found(findings, SEVERITY_OK, "mtu",
		      "%s port %u: packets of %u bytes, from %s with MTU %" PRIu64,
		      port->device, port->port, mtu, port->netdev, netdev_mtu);
		return;
	}
	found(findings, mtu < 1024 ? SEVERITY_WARNING : SEVERITY_NOTE, "mtu",
	      "%s has an MTU of %" PRIu64 ": RDMA packets on %s carry %u bytes, not %u; the link gives %u %% of its speed at most, not %u %%, and takes %u times the packets",
	      port->netdev, netdev_mtu, port->device, mtu, BEST_MTU,
	      payload_percent(mtu), payload_percent(BEST_MTU),
	      BEST_MTU / mtu);
	found_remedy(findings, "jumbo frames on both hosts and on all switches between them: 'ip link set %s mtu 9000' (%u suffice)",
		     port->netdev, NETDEV_MTU);
}

static void check_infiniband(struct doctor *doctor,
			     const struct rdma_port *port, unsigned int mtu)
{
	struct findings *findings = &doctor->findings;

	if (mtu >= 2048) {
		found(findings, SEVERITY_OK, "mtu",
		      "%s port %u: packets of %u bytes", port->device,
		      port->port, mtu);
		return;
	}
	found(findings, SEVERITY_WARNING, "mtu",
	      "%s port %u: packets carry only %u bytes", port->device,
	      port->port, mtu);
	found_remedy(findings, "set the partition's MTU to 4096 (mtu=5) in the subnet manager's partitions.conf");
}

/**
 * doctor_mtu() - look at packet sizes
 * @doctor: the examination
 */
void doctor_mtu(struct doctor *doctor)
{
	const struct rdma_port *port;
	struct doctor_port facts;
	size_t i;

	doctor->findings.group = "Packet size";
	for (i = 0; i < doctor->ports.count; i++) {
		port = &doctor->ports.list[i];
		if (!rdma_port_active(port) || port->iwarp ||
		    doctor->ops->port(port->device, port->port, &facts) ||
		    !facts.mtu)
			continue;
		if (port->ethernet)
			check_roce(doctor, port, facts.mtu);
		else
			check_infiniband(doctor, port, facts.mtu);
	}
}
