/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Asks the connection manager of another host for a control connection, to see
 * what becomes of it. An accepted one is closed at once.
 */
#ifndef RBDCTL_CM_KNOCK_H
#define RBDCTL_CM_KNOCK_H

#include "addr.h"

enum cm_knock_end {
	CM_KNOCK_ACCEPTED,	/* by rdmablkd */
	CM_KNOCK_REFUSED,	/* by rdmablkd, which says why */
	CM_KNOCK_STRANGER,	/* something else listens there */
	CM_KNOCK_NOBODY,	/* nothing does */
	CM_KNOCK_SILENT,	/* no answer in time */
	CM_KNOCK_NO_NEIGHBOUR,	/* no host has the address, or none on the way */
	CM_KNOCK_NO_DEVICE,	/* no RDMA device of this host leads there */
	CM_KNOCK_NO_CM,		/* programs cannot use the connection manager */
	CM_KNOCK_FAILED,	/* something else */
};

/**
 * struct cm_knock - what became of it
 * @end: in short
 * @err: negative errno that belongs to it, or 0
 * @status: refused: enum rdmablk_status
 * @version_min: refused: lowest protocol version spoken there
 * @version_max: likewise highest; accepted: the one that was agreed on
 * @device: RDMA device of this host that leads there; empty: not known
 * @port: its port
 */
struct cm_knock {
	enum cm_knock_end end;
	int err;
	unsigned int status;
	unsigned int version_min;
	unsigned int version_max;
	char device[64];
	unsigned int port;
};

void cm_knock(const union addr *to, struct cm_knock *out);

#endif /* RBDCTL_CM_KNOCK_H */
