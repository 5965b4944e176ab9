/* SPDX-License-Identifier: GPL-2.0 */
/* Network links: can one carry what is sent from an address? */
#ifndef RDMABLKD_LINK_H
#define RDMABLKD_LINK_H

#include <ifaddrs.h>
#include <stdbool.h>
#include <sys/socket.h>

bool link_in_list_carries(const struct ifaddrs *list,
			  const struct sockaddr *from);
bool link_carries(const struct sockaddr *from);

#endif /* RDMABLKD_LINK_H */
