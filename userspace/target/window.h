/* SPDX-License-Identifier: GPL-2.0 */
/* Memory windows: the remote keys of one queue pair. */
#ifndef RDMABLKD_WINDOW_H
#define RDMABLKD_WINDOW_H

#include "region.h"

/* So many of a device's windows a client may have, by session and by queue. */
#define WINDOWS_PER_SESSION	4096U
#define WINDOWS_PER_QUEUE	256U

/* Most binds under way at one time: what a data connection's queues must hold. */
#define WINDOWS_BATCH		16U

/**
 * struct windows - the keys of a queue pair
 * @device: where they are
 * @nr: how many; as many as a data queue of the region has keys
 * @window: each of them, and the key that it is bound with
 */
struct windows {
	const struct device	*device;
	uint32_t		nr;
	struct window {
		struct ibv_mw	*mw;
		uint32_t	key;
	}			window[];
};

unsigned int windows_queues(const struct region *region, enum face face);
int windows_bind(struct windows **out, const struct region *region,
		 enum face face, struct ibv_qp *qp, struct ibv_cq *cq,
		 struct reason *why);
void windows_free(struct windows *windows);

#endif /* RDMABLKD_WINDOW_H */
