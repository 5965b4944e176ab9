/* SPDX-License-Identifier: GPL-2.0 */
/* Adds the configuration's exports, and tells when all are ready. */
#ifndef RDMABLKD_STARTUP_H
#define RDMABLKD_STARTUP_H

#include "daemon.h"
#include "reason.h"

int startup_exports(struct daemon *daemon, struct reason *why);

#endif /* RDMABLKD_STARTUP_H */
