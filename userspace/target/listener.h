/* SPDX-License-Identifier: GPL-2.0 */
/* Where connection requests and other events of librdmacm arrive. */
#ifndef RDMABLKD_LISTENER_H
#define RDMABLKD_LISTENER_H

#include "daemon.h"
#include "reason.h"

int listener_open(struct daemon *daemon, struct reason *why);
int listener_start(struct daemon *daemon, struct reason *why);
void listener_stop(struct daemon *daemon);
void listener_close(struct daemon *daemon);

#endif /* RDMABLKD_LISTENER_H */
