/* SPDX-License-Identifier: GPL-2.0 */
/* An RDMA device goes away while the daemon runs. */
#ifndef RDMABLKD_REMOVAL_H
#define RDMABLKD_REMOVAL_H

struct device;

void removal_device(struct device *device);

#endif /* RDMABLKD_REMOVAL_H */
