// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: does the network lose packets? What the cards count, and how what they
 * do not tell can be looked at.
 */
#include <inttypes.h>

#include "doctor.h"
#include "macros.h"
#include "tree.h"

#define WORTH_A_WARNING	100000	/* one packet lost of so many costs speed */

/* Each of them means that something was lost and sent again. */
static const char *const losses[] = {
	"hw_counters/out_of_sequence",		/* mlx5 */
	"hw_counters/packet_seq_err",
	"hw_counters/local_ack_timeout_err",
	"hw_counters/rcvd_seq_err",		/* rxe */
	"hw_counters/completer_retry_err",
	"hw_counters/retry_exceeded_err",
	"hw_counters/to_retransmits",		/* bnxt_re */
	"hw_counters/seq_err_naks_rcvd",
	"counters/port_rcv_errors",		/* all */
	"counters/symbol_error",
	"counters/port_xmit_discards",
};

/* What was received: only the card knows, if packets do not pass the kernel. */
static const char *const received[] = {
	"counters/port_rcv_packets",
	"hw_counters/rcvd_pkts",
};

/* Marks and notifications of congestion: ECN, DCQCN. */
static const char *const notified[] = {
	"hw_counters/rp_cnp_handled",
	"hw_counters/np_cnp_sent",
};

static uint64_t sum(const struct doctor *doctor, const struct rdma_port *port,
		    const char *const *files, size_t count)
{
	uint64_t total = 0, one;
	size_t i;

	for (i = 0; i < count; i++)
		if (tree_number(doctor->root, &one,
				"sys/class/infiniband/%s/ports/%u/%s",
				port->device, port->port, files[i]))
			total += one;
	return total;
}

static bool has_counters(const struct doctor *doctor,
			 const struct rdma_port *port)
{
	return tree_exists(doctor->root,
			   "sys/class/infiniband/%s/ports/%u/hw_counters",
			   port->device, port->port) ||
	       tree_exists(doctor->root,
			   "sys/class/infiniband/%s/ports/%u/counters",
			   port->device, port->port);
}

static void check_lost(struct doctor *doctor, const struct rdma_port *port)
{
	struct findings *findings = &doctor->findings;
	uint64_t lost, all;

	if (!has_counters(doctor, port)) {
		found(findings, SEVERITY_NOTE, "loss",
		      "%s has no counters of lost packets", port->device);
		found_remedy(findings, "look at those of the switch's port, and at 'ethtool -S %s'",
			     port->netdev);
		return;
	}
	lost = sum(doctor, port, losses, ARRAY_SIZE(losses));
	all = sum(doctor, port, received, ARRAY_SIZE(received));
	if (!lost) {
		found(findings, SEVERITY_OK, "loss",
		      "%s port %u has noticed no loss", port->device,
		      port->port);
		return;
	}
	found(findings, lost > all / WORTH_A_WARNING ? SEVERITY_WARNING :
	      SEVERITY_NOTE, "loss",
	      "%s port %u has noticed %" PRIu64 " losses or errors, and received %" PRIu64 " packets, since it was there",
	      port->device, port->port, lost, all);
	found_remedy(findings, "see whether 'grep . /sys/class/infiniband/%s/ports/%u/*counters/*' still grows; if so: cables, packet size, flow control",
		     port->device, port->port);
}

/* A lossless network is one of a card, its driver, and the switches. */
static void check_flow_control(struct doctor *doctor,
			       const struct rdma_port *port)
{
	struct findings *findings = &doctor->findings;
	uint64_t marks = sum(doctor, port, notified, ARRAY_SIZE(notified));
	struct pause_frames pause = { 0 };

	doctor->ops->pause(port->netdev, &pause);
	if (pause.sent || pause.received || marks) {
		found(findings, SEVERITY_OK, "flow-control",
		      "%s: %" PRIu64 " pause frames sent, %" PRIu64 " received, %" PRIu64 " congestion notifications",
		      port->netdev, pause.sent, pause.received, marks);
		return;
	}
	found(findings, SEVERITY_NOTE, "flow-control",
	      pause.known ? "%s has neither sent nor received a pause frame or congestion notification: there was no congestion, or neither PFC nor ECN is set up"
			  : "the driver of %s does not tell whether PFC or ECN are at work",
	      port->netdev);
	found_remedy(findings, "'dcb pfc show dev %s' and 'ethtool -S %s | grep -i pause', or mlnx_qos; the same priority on the switches, and for the DSCP of RDMA's packets: 'dcb app show dev %s dscp-prio', and default_roce_tos below /sys/kernel/config/rdma_cm",
		     port->netdev, port->netdev, port->netdev);
}

/**
 * doctor_loss() - look for lost packets
 * @doctor: the examination
 */
void doctor_loss(struct doctor *doctor)
{
	const struct rdma_port *port;
	size_t i;

	doctor->findings.group = "Losses";
	for (i = 0; i < doctor->ports.count; i++) {
		port = &doctor->ports.list[i];
		if (!rdma_port_active(port))
			continue;
		check_lost(doctor, port);
		/* Soft-RoCE's packets are ordinary ones. */
		if (port->ethernet && !port->software && port->netdev[0])
			check_flow_control(doctor, port);
	}
}
