/* SPDX-License-Identifier: GPL-2.0 */
/* The name of this host. */
#ifndef RDMABLKD_HOST_H
#define RDMABLKD_HOST_H

#include "uapi/rdmablk_proto.h"

void host_name(char name[static RDMABLK_HOST_MAX]);

#endif /* RDMABLKD_HOST_H */
