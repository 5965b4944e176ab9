/* SPDX-License-Identifier: GPL-2.0 */
/* The daemon's end. */
#ifndef RDMABLKD_SHUTDOWN_H
#define RDMABLKD_SHUTDOWN_H

#include "daemon.h"
#include "reason.h"

int shutdown_arm(struct daemon *daemon, struct reason *why);
void shutdown_start(struct daemon *daemon, int code);

void shutdown_failed(void);

#endif /* RDMABLKD_SHUTDOWN_H */
