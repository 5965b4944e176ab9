/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a connection id, now or when its link can carry the news. */
#ifndef RDMABLKD_GOODBYE_H
#define RDMABLKD_GOODBYE_H

#include <rdma/rdma_cma.h>

#include "daemon.h"

void goodbye_now(struct rdma_cm_id *id);
void goodbye_in_time(struct device *device, struct rdma_cm_id *id);
void goodbye_event(struct daemon *daemon, struct rdma_cm_id *id,
		   enum rdma_cm_event_type event);
void goodbye_due(struct device *device);
void goodbye_all(struct device *device);

#endif /* RDMABLKD_GOODBYE_H */
