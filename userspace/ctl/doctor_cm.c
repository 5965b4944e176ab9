// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: a connection manager that is out of order. All that it sends goes through
 * one queue pair of a port. Soft-RoCE of Linux 6.4 and newer takes a message that
 * cannot be sent, as when the interface is down, for an error of that queue pair,
 * and nothing but a new device brings it back.
 */
#include <json-c/json.h>
#include <string.h>

#include "cleanup.h"
#include "doctor.h"
#include "tree.h"

/* Empty: it has none. */
static const char *text(struct json_object *pair, const char *key)
{
	struct json_object *value = json_object_object_get(pair, key);

	return json_object_is_type(value, json_type_string) ?
	       json_object_get_string(value) : "";
}

/* GSI: general services interface, which is what the manager speaks through. */
static bool is_cm(struct json_object *pair, const struct rdma_port *port)
{
	struct json_object *number = json_object_object_get(pair, "port");

	return !strcmp(text(pair, "ifname"), port->device) &&
	       json_object_is_type(number, json_type_int) &&
	       json_object_get_int64(number) == port->port &&
	       !strcmp(text(pair, "type"), "GSI");
}

/* State of the queue pair; empty: it cannot be seen. */
static const char *cm_state(struct json_object *pairs,
			    const struct rdma_port *port)
{
	struct json_object *pair;
	size_t i, count = 0;

	if (json_object_is_type(pairs, json_type_array))
		count = json_object_array_length(pairs);
	for (i = 0; i < count; i++) {
		pair = json_object_array_get_idx(pairs, i);
		if (is_cm(pair, port))
			return text(pair, "state");
	}
	return "";
}

static void tell_unknown(struct doctor *doctor, const struct rdma_port *port)
{
	found(&doctor->findings, SEVERITY_NOTE, "cm-unknown",
	      "the connection manager of %s cannot be looked at: 'rdma resource show qp' does not have its queue pair",
	      port->device);
	found_remedy(&doctor->findings, "install iproute2, which has rdma(8); in a container look from outside");
}

/* The device needs the interface that it was made of, not a VLAN of that. */
static void tell_broken(struct doctor *doctor, const struct rdma_port *port)
{
	char netdev[32] = "IFACE";

	tree_line(doctor->root, netdev, sizeof(netdev),
		  "sys/class/infiniband/%s/parent", port->device);
	found(&doctor->findings, SEVERITY_ERROR, "cm-broken",
	      "the connection manager of %s is broken: its queue pair is in the error state, and nobody can connect through it",
	      port->device);
	found_remedy(&doctor->findings, "'rdma link delete %s', then 'rdma link add %s type rxe netdev %s': devices that use it recover by themselves as soon as it is back",
		     port->device, port->device, netdev);
}

static void check_port(struct doctor *doctor, const struct rdma_port *port,
		       struct json_object *pairs)
{
	const char *state = cm_state(pairs, port);

	if (!*state)
		tell_unknown(doctor, port);
	else if (!strcmp(state, "ERR"))
		tell_broken(doctor, port);
}

/* Cards get over what they cannot send. */
static bool concerns(const struct rdma_port *port)
{
	return port->software && rdma_port_usable(port);
}

/* NULL: they cannot be seen. */
static struct json_object *ask_pairs(const struct doctor *doctor)
{
	CLEANUP_FREE char *said = doctor->ops->queue_pairs();

	return said ? json_tokener_parse(said) : NULL;
}

/**
 * doctor_cm() - look for connection managers that are out of order
 * @doctor: the examination
 */
void doctor_cm(struct doctor *doctor)
{
	CLEANUP_JSON struct json_object *pairs = NULL;
	const struct rdma_ports *ports = &doctor->ports;
	bool any = false;
	size_t i;

	for (i = 0; i < ports->count; i++)
		any |= concerns(&ports->list[i]);
	if (!any)
		return;
	doctor->findings.group = "Connection manager";
	pairs = ask_pairs(doctor);
	for (i = 0; i < ports->count; i++)
		if (concerns(&ports->list[i]))
			check_port(doctor, &ports->list[i], pairs);
}
