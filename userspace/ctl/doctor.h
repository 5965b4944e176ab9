/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rbdctl doctor: checks look at this host, and at a target, and say what they
 * find. What they know comes from two places that a test can replace: a tree of
 * files like the host's, and the functions of a struct doctor_ops.
 */
#ifndef RBDCTL_DOCTOR_H
#define RBDCTL_DOCTOR_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "cm_knock.h"
#include "device.h"
#include "finding.h"
#include "pause_frames.h"
#include "rdma_port.h"
#include "read_speed.h"
#include "target.h"

/**
 * struct doctor_port - what libibverbs tells of a port, and of its device
 * @mtu: bytes that an RDMA packet carries now
 * @max_mr_size: that can be registered in one piece, bytes
 */
struct doctor_port {
	unsigned int mtu;
	uint64_t max_mr_size;
};

/**
 * struct doctor_route - the way to an address, as the kernel's tables have it
 * @from: address of this host that it starts from
 * @netdev: interface that has this address; empty: none that can be seen
 */
struct doctor_route {
	union addr from;
	char netdev[32];
};

/**
 * struct doctor_ops - what is asked of others than files
 * @port: 0; -ENODEV when libibverbs does not know the device; another errno
 * @queue_pairs: all of this host, as rdma(8) has them in JSON, to be freed; NULL:
 *		 they cannot be seen
 * @pause: what the driver of an interface counts
 * @ruleset: rules of the firewall as text, to be freed; NULL: they cannot be seen
 * @daemon: as daemon_ask()
 * @devices: attached ones; 0, -ENOENT without the module, or another errno
 * @lookup: as target_lookup()
 * @route: 0 or a negative errno
 * @ping: does an echo of so many bytes, IP header included, come back in one
 *	  piece? 0; -ETIMEDOUT; -EMSGSIZE when not even this host would send it;
 *	  another errno
 * @knock: asks the connection manager there
 * @speed: reads from a device; 0 or a negative errno
 */
struct doctor_ops {
	int (*port)(const char *device, unsigned int port,
		    struct doctor_port *out);
	char *(*queue_pairs)(void);
	void (*pause)(const char *netdev, struct pause_frames *out);
	char *(*ruleset)(void);
	int (*daemon)(struct json_object *request, struct json_object **result);
	int (*devices)(struct devices *devices);
	const char *(*lookup)(struct target *target);
	int (*route)(const union addr *to, struct doctor_route *out);
	int (*ping)(const union addr *to, unsigned int bytes);
	void (*knock)(const union addr *to, struct cm_knock *out);
	int (*speed)(const char *path, struct read_speed *out);
};

/**
 * struct doctor - an examination
 * @ops: who is asked
 * @root: where the tree of files is; empty: the host's own
 * @target: not looked up yet; NULL: none was named
 * @ports: of the RDMA devices of this host
 * @findings: so far
 */
struct doctor {
	const struct doctor_ops *ops;
	const char *root;
	struct target *target;
	struct rdma_ports ports;
	struct findings findings;
};

bool doctor_is_client(const struct doctor *doctor);
bool doctor_is_new(const struct doctor *doctor);
bool doctor_is_target(const struct doctor *doctor);
bool doctor_offers(const struct doctor *doctor);
bool doctor_daemon_pid(const struct doctor *doctor, char pid[static 32]);

void doctor_examine(struct doctor *doctor);
void doctor_free(struct doctor *doctor);

void doctor_host(struct doctor *doctor);
void doctor_rdma(struct doctor *doctor);
void doctor_cm(struct doctor *doctor);
void doctor_mtu(struct doctor *doctor);
void doctor_loss(struct doctor *doctor);
void doctor_firewall(struct doctor *doctor);
void doctor_memory(struct doctor *doctor);
void doctor_daemon(struct doctor *doctor);
void doctor_devices(struct doctor *doctor);
void doctor_target(struct doctor *doctor);

extern const struct doctor_ops doctor_real_ops;

#endif /* RBDCTL_DOCTOR_H */
