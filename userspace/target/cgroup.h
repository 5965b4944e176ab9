/* SPDX-License-Identifier: GPL-2.0 */
/* What the daemon's control group leaves it. */
#ifndef RDMABLKD_CGROUP_H
#define RDMABLKD_CGROUP_H

#include <stdint.h>

int cgroup_room_below(const char *mount, const char *self, uint64_t *room);
int cgroup_memory_room(uint64_t *room);

#endif /* RDMABLKD_CGROUP_H */
