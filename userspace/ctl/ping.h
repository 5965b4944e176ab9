/* SPDX-License-Identifier: GPL-2.0 */
/* One ICMP echo of a given size that must not be cut into pieces. */
#ifndef RBDCTL_PING_H
#define RBDCTL_PING_H

#include "addr.h"

#define PING_SMALL	84U	/* fits everywhere, bytes */

int ping(const union addr *to, unsigned int bytes);

#endif /* RBDCTL_PING_H */
