/* SPDX-License-Identifier: GPL-2.0 */
/* Access rules of an export: who may open it, for what, and from where. */
#ifndef RDMABLKD_ACCESS_H
#define RDMABLKD_ACCESS_H

#include <stdbool.h>

#include "addr.h"
#include "reason.h"
#include "uapi/rdmablk_proto.h"

#define ACCESS_RULES_MAX	64
#define ACCESS_TEXT_MAX		(RDMABLK_HOST_MAX + 64)	/* of a rule */

/**
 * struct access_rule - one client, or all
 * @client: name of its key; empty: any client, also one without a key
 * @write: it may write, too
 * @has_net: only from @net
 * @net: IPv6 address, or IPv4 mapped into it
 * @prefix: bits of @net that count
 */
struct access_rule {
	char		client[RDMABLK_HOST_MAX];
	bool		write;
	bool		has_net;
	struct in6_addr	net;
	unsigned int	prefix;
};

/**
 * struct access - all rules of an export
 * @restricted: nobody but those whom a rule admits; else all clients that the
 *		daemon admits
 * @nr: rules
 * @rule: in the order they were given, which does not matter
 */
struct access {
	bool			restricted;
	unsigned int		nr;
	struct access_rule	rule[ACCESS_RULES_MAX];
};

int access_add(struct access *access, const char *text, struct reason *why);
unsigned int access_granted(const struct access *access, const char *client,
			    const union addr *peer);
bool access_admits(const struct access *access, const char *client,
		   const union addr *peer, bool write);
const char *access_text(const struct access_rule *rule,
			char buf[static ACCESS_TEXT_MAX]);

#endif /* RDMABLKD_ACCESS_H */
