/* SPDX-License-Identifier: GPL-2.0 */
/* One RDMA connection: its connection id and its queue pair. */
#ifndef RDMABLKD_CONN_H
#define RDMABLKD_CONN_H

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>

#include "addr.h"
#include "device.h"
#include "reason.h"
#include "uapi/rdmablk_proto.h"

struct conn;

/**
 * struct conn_ops - whom a connection reports to
 * @lost: the connection is of no use any more: close it, now or later
 */
struct conn_ops {
	void (*lost)(struct conn *conn, const char *why);
};

/**
 * struct conn - an RDMA connection
 * @ops: whom to tell
 * @id: connection id; NULL once closed
 * @qp: queue pair; NULL once closed
 * @device: where they are
 * @responder_resources: READs that the client may have under way
 * @link_known: @id names an address whose link was up when the connection began
 */
struct conn {
	const struct conn_ops	*ops;
	struct rdma_cm_id	*id;
	struct ibv_qp		*qp;
	struct device		*device;
	uint8_t			responder_resources;
	bool			link_known;
};

/**
 * struct conn_setup - what a queue pair shall be like
 * @pd: its protection domain
 * @cq: its completion queue
 * @nr_send: sends under way at one time
 * @nr_recv: receives posted at one time
 * @access: IBV_ACCESS_REMOTE_* that the client gets
 */
struct conn_setup {
	struct ibv_pd	*pd;
	struct ibv_cq	*cq;
	uint32_t	nr_send;
	uint32_t	nr_recv;
	unsigned int	access;
};

void conn_init(struct conn *conn, const struct conn_ops *ops,
	       struct rdma_cm_id *id, struct device *device,
	       unsigned int reads_wanted);
int conn_create_qp(struct conn *conn, const struct conn_setup *setup,
		   struct reason *why);
int conn_start_qp(struct conn *conn, struct reason *why);
int conn_accept(struct conn *conn, const struct rdmablk_cm_rep *rep,
		struct reason *why);
void conn_close(struct conn *conn);
void conn_peer(struct rdma_cm_id *id, union addr *addr);
void conn_cm_event(struct conn *conn, enum rdma_cm_event_type event,
		   int status);
void conn_established_by_data(struct conn *conn);
void conn_broken(struct conn *conn, const char *why);

#endif /* RDMABLKD_CONN_H */
