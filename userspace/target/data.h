/* SPDX-License-Identifier: GPL-2.0 */
/* A data connection of a session. */
#ifndef RDMABLKD_DATA_H
#define RDMABLKD_DATA_H

#include "conn.h"

struct session;
struct windows;

/**
 * struct data - a data connection
 * @conn: the connection
 * @session: whose it is
 * @hctx: index of the data queue
 * @windows: the keys that are good on it; NULL: those of the region are
 */
struct data {
	struct conn	conn;
	struct session	*session;
	unsigned int	hctx;
	struct windows	*windows;
};

int data_accept(struct daemon *daemon, struct rdma_cm_id *id,
		struct device *device, const struct rdmablk_cm_req *req,
		unsigned int version, unsigned int reads_wanted,
		struct reason *why);
void data_close(struct data *data);

#endif /* RDMABLKD_DATA_H */
