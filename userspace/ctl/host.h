/* SPDX-License-Identifier: GPL-2.0 */
/* Who this host is, as targets are told. */
#ifndef RBDCTL_HOST_H
#define RBDCTL_HOST_H

#include <stddef.h>

#include "uapi/rdmablk_proto.h"

int host_id(unsigned char id[RDMABLK_UUID_SIZE]);
void host_name(char name[RDMABLK_HOST_MAX]);

#endif /* RBDCTL_HOST_H */
