/* SPDX-License-Identifier: GPL-2.0 */
/* Hears that RDMA devices go away. */
#ifndef RDMABLKD_HOTPLUG_H
#define RDMABLKD_HOTPLUG_H

#include <stddef.h>

#include "daemon.h"
#include "reason.h"

int hotplug_open(struct daemon *daemon, struct reason *why);
void hotplug_close(struct daemon *daemon);
const char *hotplug_removed(const char *uevent, size_t len);

#endif /* RDMABLKD_HOTPLUG_H */
