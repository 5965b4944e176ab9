/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ends of connections that the other end is told of later.
 */
#ifndef RDMABLK_GOODBYE_H
#define RDMABLK_GOODBYE_H

#include <rdma/rdma_cm.h>

bool rdmablk_link_carries(const struct rdma_cm_id *cm_id);
bool rdmablk_goodbye_harmless(const struct rdma_cm_id *cm_id);
bool rdmablk_goodbye_keep(struct rdma_cm_id *cm_id);
void rdmablk_goodbyes_say(const struct ib_device *ibdev);
void rdmablk_goodbyes_exit(void);

#endif /* RDMABLK_GOODBYE_H */
