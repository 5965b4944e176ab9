/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic netlink client: one family, requests, dumps and multicast events.
 *
 * A failed request returns the kernel's errno, and genl_text() has the words
 * that the kernel sent with it (the extended ack).
 */
#ifndef RDMABLK_LIB_GENL_H
#define RDMABLK_LIB_GENL_H

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdint.h>

struct genl;

/**
 * typedef genl_fn - is given one message
 * @attrs: the attributes, indexed by number; those that are absent are NULL
 * @data: the caller's
 */
typedef void (*genl_fn)(struct nlattr **attrs, void *data);

/**
 * struct genl_family - what a client knows of a family
 * @name: as registered in the kernel
 * @version: of the family, for requests
 * @attr_max: highest attribute number that the client knows
 * @policy: types of the attributes, @attr_max + 1 entries
 */
struct genl_family {
	const char *name;
	uint8_t version;
	int attr_max;
	const struct nla_policy *policy;
};

int genl_open(const struct genl_family *family, struct genl **genl);
void genl_close(struct genl *genl);
const char *genl_text(const struct genl *genl);

struct nl_msg *genl_request(struct genl *genl, int command);
int genl_call(struct genl *genl, struct nl_msg *msg, genl_fn fn, void *data);
int genl_dump(struct genl *genl, int command, genl_fn fn, void *data);

int genl_join(struct genl *genl, const char *group);
int genl_events_fd(const struct genl *genl);
int genl_events(struct genl *genl, genl_fn fn, void *data);

static inline void genl_closep(struct genl **genl)
{
	genl_close(*genl);
}

#define CLEANUP_GENL __attribute__((cleanup(genl_closep)))

#endif /* RDMABLK_LIB_GENL_H */
