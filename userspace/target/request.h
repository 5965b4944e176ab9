/* SPDX-License-Identifier: GPL-2.0 */
/* A connection request. */
#ifndef RDMABLKD_REQUEST_H
#define RDMABLKD_REQUEST_H

#include <rdma/rdma_cma.h>
#include <stddef.h>

#include "daemon.h"
#include "uapi/rdmablk_proto.h"

/**
 * struct request - a connection request, copied from its event
 * @daemon: whom it is for
 * @id: of the request
 * @peer: where it comes from; NULL: not looked up yet
 * @len: bytes of private data
 * @req: the private data, if @len is large enough
 * @reads_wanted: READs that the client wants to have under way
 */
struct request {
	struct daemon		*daemon;
	struct rdma_cm_id	*id;
	struct peer		*peer;
	size_t			len;
	struct rdmablk_cm_req	req;
	unsigned int		reads_wanted;
};

void request_copy(struct request *request, const struct rdma_cm_event *event);
void request_handle(struct daemon *daemon, struct request *request);

#endif /* RDMABLKD_REQUEST_H */
