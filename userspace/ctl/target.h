/* SPDX-License-Identifier: GPL-2.0 */
/* The argument TARGET[:PORT], and the addresses that it stands for. */
#ifndef RBDCTL_TARGET_H
#define RBDCTL_TARGET_H

#include <netdb.h>

#include "addr.h"
#include "exits.h"

/**
 * struct target - a target
 * @host: name or address
 * @port: of its daemon
 * @list: its addresses, in the order in which to try them
 */
struct target {
	char host[ADDR_HOST_MAX];
	uint16_t port;
	struct addrinfo *list;
};

enum rbdctl_exit target_parse(const char *text, struct target *target);
const char *target_lookup(struct target *target);
enum rbdctl_exit target_resolve(struct target *target);
enum rbdctl_exit target_source(const char *text, union addr *source);

#endif /* RBDCTL_TARGET_H */
