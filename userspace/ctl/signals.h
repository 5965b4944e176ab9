/* SPDX-License-Identifier: GPL-2.0 */
/* SIGINT, SIGTERM and SIGHUP as something that can be polled for. */
#ifndef RBDCTL_SIGNALS_H
#define RBDCTL_SIGNALS_H

int signals_open(void);
int signals_take(int fd);

#endif /* RBDCTL_SIGNALS_H */
