/* SPDX-License-Identifier: GPL-2.0 */
/* The device node, /dev/rdmablkN. */
#ifndef RBDCTL_NODE_H
#define RBDCTL_NODE_H

#include "outcome.h"

int node_wait(const char *name, bool udev, struct outcome *outcome);
void node_wait_gone(const char *name);

#endif /* RBDCTL_NODE_H */
