/* SPDX-License-Identifier: GPL-2.0 */
/* The metrics over HTTP, for Prometheus and others that understand OpenMetrics. */
#ifndef RDMABLKD_HTTP_H
#define RDMABLKD_HTTP_H

#include "daemon.h"
#include "reason.h"

int http_open(struct daemon *daemon, struct reason *why);
void http_close(struct daemon *daemon);

#endif /* RDMABLKD_HTTP_H */
