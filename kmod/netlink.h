/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family: the only way to control the module.
 */
#ifndef RDMABLK_NETLINK_H
#define RDMABLK_NETLINK_H

#include <net/genetlink.h>

#include "uapi/rdmablk_genl.h"

struct rdmablk_dev;
struct rdmablk_reason;
struct rdmablk_session;
struct rdmablk_settings;

extern struct genl_family rdmablk_nl_family;
extern const struct nla_policy rdmablk_nl_policy[RDMABLK_ATTR_MAX + 1];

int rdmablk_nl_init(void);
void rdmablk_nl_exit(void);
void rdmablk_nl_event_locked(struct rdmablk_dev *dev);

/* nl_attach.c */
int rdmablk_nl_attach(struct sk_buff *skb, struct genl_info *info);
int rdmablk_nl_detach(struct sk_buff *skb, struct genl_info *info);
struct key *rdmablk_nl_key(struct genl_info *info, char name[RDMABLK_HOST_MAX]);
int rdmablk_nl_fail(struct genl_info *info,
		    const struct rdmablk_reason *reason);

/* nl_set.c */
int rdmablk_nl_settings(struct genl_info *info,
			struct rdmablk_settings *settings);
int rdmablk_nl_set(struct sk_buff *skb, struct genl_info *info);

/**
 * typedef rdmablk_nl_put_fn - describes a device in an answer
 * @skb: where
 * @dev: its lock is held
 * @context: the caller's
 *
 * Return: 0, or -EMSGSIZE when there is no room.
 */
typedef int rdmablk_nl_put_fn(struct sk_buff *skb, struct rdmablk_dev *dev,
			      const void *context);

static inline int rdmablk_nl_put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, RDMABLK_ATTR_PAD);
}

/* nl_stats.c */
int rdmablk_nl_stats(struct sk_buff *skb, struct genl_info *info);
int rdmablk_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb);
int rdmablk_nl_watch(struct sk_buff *skb, struct genl_info *info);

/* nl_get.c */
int rdmablk_nl_get(struct sk_buff *skb, struct genl_info *info);
int rdmablk_nl_dump(struct sk_buff *skb, struct netlink_callback *cb);
struct rdmablk_dev *rdmablk_nl_find(struct genl_info *info);
int rdmablk_nl_answer(struct genl_info *info, struct rdmablk_dev *dev, u8 command,
		      rdmablk_nl_put_fn *put, const void *context);
int rdmablk_nl_dump_all(struct sk_buff *skb, struct netlink_callback *cb,
			u8 command, rdmablk_nl_put_fn *put);
int rdmablk_nl_put_flush(struct sk_buff *skb, struct rdmablk_session *session);
int rdmablk_nl_put_locked(struct sk_buff *skb, struct rdmablk_dev *dev);

#endif /* RDMABLK_NETLINK_H */
