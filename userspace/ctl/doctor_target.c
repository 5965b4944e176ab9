// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: the way to a target, and who answers there: at the level of IP, then at
 * that of RDMA. Where the latter gets no answer, the former tells why.
 */
#include <errno.h>
#include <string.h>

#include "doctor.h"
#include "ping.h"
#include "proto.h"
#include "report.h"

#define ADDRESSES_MAX	8U	/* of a target, that are looked at */

/* UDP 8, BTH 12, RETH 16, ICRC 4: what RoCE v2 adds to a packet of IP. */
#define ROCE_HEADERS	40U

/**
 * struct visit - one address of the target
 * @text: the address
 * @route: the way there
 * @port: the port that the way leads through; NULL: none, or not known
 * @knock: what the connection manager there says
 * @ping: what becomes of a small ping
 */
struct visit {
	char text[ADDR_TEXT_MAX];
	struct doctor_route route;
	const struct rdma_port *port;
	struct cm_knock knock;
	int ping;
};

static const struct rdma_port *find_port(const struct doctor *doctor,
					 const struct visit *visit)
{
	const struct rdma_port *port;
	size_t i;

	for (i = 0; i < doctor->ports.count; i++) {
		port = &doctor->ports.list[i];
		if (visit->knock.device[0] ?
		    !strcmp(port->device, visit->knock.device) &&
		    port->port == visit->knock.port :
		    rdma_port_on(doctor->root, port, visit->route.netdev))
			return port;
	}
	return NULL;
}

/* As in a table of GIDs. */
static struct in6_addr mapped(const union addr *addr)
{
	struct in6_addr out = { .s6_addr = { [10] = 0xff, [11] = 0xff } };

	if (addr->sa.sa_family == AF_INET6)
		return addr->in6.sin6_addr;
	memcpy(&out.s6_addr[12], &addr->in.sin_addr, 4);
	return out;
}

/* The connection manager takes the GID that is the address it comes from. */
static void check_gid(struct doctor *doctor, const struct visit *visit)
{
	struct findings *findings = &doctor->findings;
	struct in6_addr from = mapped(&visit->route.from);
	char text[ADDR_TEXT_MAX];

	if (!visit->port || !visit->port->ethernet ||
	    rdma_port_has(doctor->root, visit->port, &from, true))
		return;
	addr_host_text(&visit->route.from, text);
	if (rdma_port_has(doctor->root, visit->port, &from, false))
		found(findings, SEVERITY_WARNING, "gid",
		      "%s has the address %s as RoCE v1 only",
		      visit->port->device, text);
	else
		found(findings, SEVERITY_WARNING, "gid",
		      "no GID of %s is %s, the address that packets to %s come from",
		      visit->port->device, text, visit->text);
	found_remedy(findings, "'rdma link' and 'ip address' show what there is; attach with --source ADDRESS of the RDMA interface");
}

static void no_device(struct doctor *doctor, const struct visit *visit)
{
	struct findings *findings = &doctor->findings;
	const char *netdev = visit->route.netdev;

	found(findings, SEVERITY_ERROR, "no-rdma-path",
	      "the way to %s leaves by %s, which no active RDMA device is on",
	      visit->text, netdev[0] ? netdev : "an unknown interface");
	found_remedy(findings, "name the target by its address on the RDMA network, or, for Soft-RoCE, 'rdma link add rxe0 type rxe netdev %s'",
		     netdev[0] ? netdev : "IFACE");
}

static void silent(struct doctor *doctor, const struct visit *visit)
{
	struct findings *findings = &doctor->findings;

	if (visit->ping) {
		found(findings, SEVERITY_ERROR, "target-down",
		      "%s answers neither pings nor RDMA", visit->text);
		found_remedy(findings, "is the host up, and the address right? 'ip neigh show' and 'ip route get ADDRESS' show how far packets get");
		return;
	}
	found(findings, SEVERITY_ERROR, "rdma-silent",
	      "%s answers pings, but nothing by RDMA", visit->text);
	found_remedy(findings, "let UDP port 4791 through, on both hosts and between them; on the target 'rdma link' has to show an active device on that address's interface; 'rbdctl doctor' there tells whether rdmablkd answers");
}

static void refused(struct doctor *doctor, const struct visit *visit)
{
	struct findings *findings = &doctor->findings;
	const struct cm_knock *knock = &visit->knock;

	if (knock->status != RDMABLK_E_VERSION) {
		found(findings, SEVERITY_ERROR, "refused",
		      "rdmablkd at %s refuses: %s", visit->text,
		      rdmablk_status_text(knock->status));
		found_remedy(findings, "its log says more: 'journalctl -u rdmablkd' on the target");
		return;
	}
	found(findings, SEVERITY_ERROR, "protocol-version",
	      "rdmablkd at %s speaks protocol versions %u to %u, this host %u to %u",
	      visit->text, knock->version_min, knock->version_max,
	      RDMABLK_VERSION_MIN, RDMABLK_VERSION_MAX);
	found_remedy(findings, "bring both hosts to the same release of rdmablk");
}

static void failed(struct doctor *doctor, const struct visit *visit)
{
	struct findings *findings = &doctor->findings;
	const struct cm_knock *knock = &visit->knock;

	found(findings, SEVERITY_ERROR, "rdma-failed",
	      "no connection to %s can be asked for: %s", visit->text,
	      strerror(-knock->err));
	if (knock->end == CM_KNOCK_NO_CM)
		found_remedy(findings, "'modprobe rdma_ucm'");
	else
		found_remedy(findings, "'dmesg' may say why");
}

static void judge_knock(struct doctor *doctor, const struct visit *visit)
{
	struct findings *findings = &doctor->findings;

	switch (visit->knock.end) {
	case CM_KNOCK_ACCEPTED:
		found(findings, SEVERITY_OK, "target",
		      "%s: rdmablkd answers through %s, by protocol version %u",
		      visit->text, visit->knock.device,
		      visit->knock.version_max);
		break;
	case CM_KNOCK_REFUSED:
		refused(doctor, visit);
		break;
	case CM_KNOCK_STRANGER:
		found(findings, SEVERITY_ERROR, "not-rdmablkd",
		      "what listens on %s is not rdmablkd", visit->text);
		found_remedy(findings, "name its port: TARGET:PORT");
		break;
	case CM_KNOCK_NOBODY:
		found(findings, SEVERITY_ERROR, "port-closed",
		      "nobody listens on %s, though the host does RDMA",
		      visit->text);
		found_remedy(findings, "start the daemon there ('systemctl start rdmablkd'), or name its port if it has another: TARGET:PORT");
		break;
	case CM_KNOCK_NO_NEIGHBOUR:
		silent(doctor, visit);
		/* Neighbours come first: this would have been next. */
		if (!visit->port)
			no_device(doctor, visit);
		break;
	case CM_KNOCK_SILENT:
		silent(doctor, visit);
		break;
	case CM_KNOCK_NO_DEVICE:
		no_device(doctor, visit);
		break;
	case CM_KNOCK_NO_CM:
	case CM_KNOCK_FAILED:
		failed(doctor, visit);
		break;
	}
}

/* What connects by small packets hangs when large ones get lost. */
static void check_path_mtu(struct doctor *doctor, const struct visit *visit,
			   const union addr *to)
{
	struct findings *findings = &doctor->findings;
	unsigned int bytes = to->sa.sa_family == AF_INET6 ? 40 : 20;
	struct doctor_port facts;
	int err;

	if (!visit->port || !visit->port->ethernet ||
	    doctor->ops->port(visit->port->device, visit->port->port, &facts) ||
	    !facts.mtu)
		return;
	if (visit->ping) {
		found(findings, SEVERITY_NOTE, "path-mtu",
		      "%s answers no pings: whether packets of full size get there was not tried",
		      visit->text);
		return;
	}
	bytes += ROCE_HEADERS + facts.mtu;
	err = doctor->ops->ping(to, bytes);
	if (!err) {
		found(findings, SEVERITY_OK, "path-mtu",
		      "%s: packets of full size, %u bytes, get there and back",
		      visit->text, bytes);
	} else if (err == -ETIMEDOUT || err == -EMSGSIZE) {
		found(findings, SEVERITY_ERROR, "path-mtu",
		      "packets of %u bytes, as RDMA sends them, are lost on the way to %s, smaller ones are not: I/O will hang",
		      bytes, visit->text);
		found_remedy(findings, "the same MTU on both hosts, and that or more on all switches between them; 'ping -M do -s %u HOST' tries it",
			     bytes - 28);
	}
}

/* True if rdmablkd is there. */
static bool visit_address(struct doctor *doctor, const union addr *to)
{
	struct findings *findings = &doctor->findings;
	struct visit visit = { .port = NULL };
	int err;

	addr_text(to, visit.text);
	err = doctor->ops->route(to, &visit.route);
	if (err) {
		found(findings, SEVERITY_ERROR, "no-route",
		      "there is no way to %s: %s", visit.text, strerror(-err));
		found_remedy(findings, "'ip address' and 'ip route': has the interface an address of that network, and is it up?");
		return false;
	}
	doctor->ops->knock(to, &visit.knock);
	visit.ping = doctor->ops->ping(to, PING_SMALL);
	visit.port = find_port(doctor, &visit);
	if (visit.knock.end != CM_KNOCK_ACCEPTED)
		check_gid(doctor, &visit);
	judge_knock(doctor, &visit);
	if (visit.knock.end != CM_KNOCK_NO_DEVICE &&
	    visit.knock.end != CM_KNOCK_NO_NEIGHBOUR)
		check_path_mtu(doctor, &visit, to);
	return visit.knock.end == CM_KNOCK_ACCEPTED;
}

/* Attach takes the next address when one does not lead there. */
static void soften(struct findings *findings, size_t first, size_t end)
{
	for (; first < end; first++)
		if (findings->list[first].severity == SEVERITY_ERROR)
			findings->list[first].severity = SEVERITY_WARNING;
}

/* All addresses; one that leads there is enough. */
static void visit_all(struct doctor *doctor, const struct addrinfo *info)
{
	struct findings *findings = &doctor->findings;
	size_t first[ADDRESSES_MAX + 1], count, i;
	bool there[ADDRESSES_MAX], any = false;
	union addr addr;

	for (count = 0; info && count < ADDRESSES_MAX; info = info->ai_next) {
		memset(&addr, 0, sizeof(addr));
		memcpy(&addr, info->ai_addr, info->ai_addrlen);
		first[count] = findings->count;
		there[count] = visit_address(doctor, &addr);
		any |= there[count++];
	}
	first[count] = findings->count;
	for (i = 0; any && i < count; i++)
		if (!there[i])
			soften(findings, first[i], first[i + 1]);
}

/**
 * doctor_target() - look at the target that was named
 * @doctor: the examination
 */
void doctor_target(struct doctor *doctor)
{
	const char *why;

	if (!doctor->target)
		return;
	doctor->findings.group = "The target";
	why = doctor->ops->lookup(doctor->target);
	if (why) {
		found(&doctor->findings, SEVERITY_ERROR, "target-unknown",
		      "there is no host %s: %s", quote(doctor->target->host),
		      why);
		found_remedy(&doctor->findings, "check the spelling, or give the host's address");
		return;
	}
	visit_all(doctor, doctor->target->list);
}
