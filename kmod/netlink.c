// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family. uapi/rdmablk_genl.h is its reference.
 */
#include <linux/module.h>

#include "dev.h"
#include "netlink.h"

/* Not const, as the policy's pointer became so in 6.7 only. */
static struct netlink_range_validation rdmablk_nl_connect_range = {
	.min = 100, .max = RDMABLK_CONNECT_TMO_MAX,
};

static struct netlink_range_validation rdmablk_nl_seconds_range = {
	.max = RDMABLK_SECONDS_MAX,
};

static struct netlink_range_validation rdmablk_nl_positive_range = {
	.min = 1, .max = RDMABLK_SECONDS_MAX,
};

#define SECONDS		NLA_POLICY_FULL_RANGE(NLA_U32, &rdmablk_nl_seconds_range)
#define POSITIVE_SECONDS \
	NLA_POLICY_FULL_RANGE(NLA_U32, &rdmablk_nl_positive_range)
#define STRING(size)	{ .type = NLA_NUL_STRING, .len = (size) - 1 }
#define SOCKADDR	NLA_POLICY_RANGE(NLA_BINARY, sizeof(struct sockaddr_in), \
					 sizeof(struct sockaddr_in6))
#define FLAGS		(RDMABLK_FLAG_READ_ONLY | RDMABLK_FLAG_FORCE | \
			 RDMABLK_FLAG_NO_PARTSCAN)

/* What commands may contain; all other attributes only travel to user space. */
const struct nla_policy rdmablk_nl_policy[RDMABLK_ATTR_MAX + 1] = {
	[RDMABLK_ATTR_INDEX] = NLA_POLICY_MAX(NLA_U32, RDMABLK_DEVICES_MAX - 1),
	[RDMABLK_ATTR_ADDR] = SOCKADDR,
	[RDMABLK_ATTR_SOURCE] = SOCKADDR,
	[RDMABLK_ATTR_TARGET_NAME] = STRING(RDMABLK_NAME_MAX),
	[RDMABLK_ATTR_EXPORT] = STRING(RDMABLK_NAME_MAX),
	[RDMABLK_ATTR_FLAGS] = NLA_POLICY_MASK(NLA_U32, FLAGS),
	[RDMABLK_ATTR_HOST_ID] = NLA_POLICY_EXACT_LEN(RDMABLK_UUID_SIZE),
	[RDMABLK_ATTR_HOST_NAME] = STRING(RDMABLK_HOST_MAX),
	[RDMABLK_ATTR_QUEUES] = NLA_POLICY_RANGE(NLA_U32, 1, RDMABLK_QUEUES_MAX),
	[RDMABLK_ATTR_POLL_QUEUES] = NLA_POLICY_MAX(NLA_U32, RDMABLK_QUEUES_MAX),
	[RDMABLK_ATTR_DEPTH] = NLA_POLICY_RANGE(NLA_U32, 1, RDMABLK_DEPTH_MAX),
	[RDMABLK_ATTR_CONNECT_TMO] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &rdmablk_nl_connect_range),
	[RDMABLK_ATTR_KEEP_ALIVE_TMO] = SECONDS,
	[RDMABLK_ATTR_RECONNECT_DELAY] = POSITIVE_SECONDS,
	[RDMABLK_ATTR_DEV_LOSS_TMO] = SECONDS,
	[RDMABLK_ATTR_SYNC_INTERVAL] = SECONDS,
	[RDMABLK_ATTR_FAST_IO_FAIL_TMO] = SECONDS,
	[RDMABLK_ATTR_REQUEST_TMO] = POSITIVE_SECONDS,
	[RDMABLK_ATTR_KEY] = STRING(RDMABLK_HOST_MAX),
	[RDMABLK_ATTR_QUEUE] = NLA_POLICY_MAX(NLA_U32, RDMABLK_QUEUES_MAX - 1),
	[RDMABLK_ATTR_SECONDS] = NLA_POLICY_RANGE(NLA_U32, 1, RDMABLK_WATCH_MAX),
};

static const struct genl_small_ops rdmablk_nl_ops[] = {
	{
		.cmd	= RDMABLK_CMD_ATTACH,
		.flags	= GENL_ADMIN_PERM,
		.doit	= rdmablk_nl_attach,
	},
	{
		.cmd	= RDMABLK_CMD_DETACH,
		.flags	= GENL_ADMIN_PERM,
		.doit	= rdmablk_nl_detach,
	},
	{
		.cmd	= RDMABLK_CMD_GET,
		.doit	= rdmablk_nl_get,
		.dumpit	= rdmablk_nl_dump,
	},
	{
		.cmd	= RDMABLK_CMD_SET,
		.flags	= GENL_ADMIN_PERM,
		.doit	= rdmablk_nl_set,
	},
	{
		.cmd	= RDMABLK_CMD_STATS,
		.doit	= rdmablk_nl_stats,
		.dumpit	= rdmablk_nl_stats_dump,
	},
	{
		.cmd	= RDMABLK_CMD_WATCH,
		.flags	= GENL_ADMIN_PERM,
		.doit	= rdmablk_nl_watch,
	},
};

static const struct genl_multicast_group rdmablk_nl_groups[] = {
	{ .name = RDMABLK_GENL_GROUP },
};

struct genl_family rdmablk_nl_family = {
	.name		= RDMABLK_GENL_NAME,
	.version	= RDMABLK_GENL_VERSION,
	.maxattr	= RDMABLK_ATTR_MAX,
	.policy		= rdmablk_nl_policy,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.small_ops	= rdmablk_nl_ops,
	.n_small_ops	= ARRAY_SIZE(rdmablk_nl_ops),
	.resv_start_op	= __RDMABLK_CMD_END,
	.mcgrps		= rdmablk_nl_groups,
	.n_mcgrps	= ARRAY_SIZE(rdmablk_nl_groups),
};

/**
 * rdmablk_nl_event_locked() - tell the listeners about a device
 * @dev: the device, of which there is news; its lock is held, so that events come
 *	 in the order of the changes
 *
 * A listener that misses an event can still ask: failing to build one is not an
 * error.
 *
 * Context: process.
 */
void rdmablk_nl_event_locked(struct rdmablk_dev *dev)
{
	struct sk_buff *skb = genlmsg_new(NLMSG_GOODSIZE, GFP_NOIO);
	void *hdr;

	if (!skb)
		return;
	hdr = genlmsg_put(skb, 0, 0, &rdmablk_nl_family, 0, RDMABLK_CMD_EVENT);
	if (!hdr || rdmablk_nl_put_locked(skb, dev)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, hdr);
	/* Fails when nobody listens. */
	genlmsg_multicast(&rdmablk_nl_family, skb, 0, 0, GFP_NOIO);
}

/**
 * rdmablk_nl_init() - register the family
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int rdmablk_nl_init(void)
{
	return genl_register_family(&rdmablk_nl_family);
}

/**
 * rdmablk_nl_exit() - unregister the family; waits for running commands
 *
 * Context: process.
 */
void rdmablk_nl_exit(void)
{
	genl_unregister_family(&rdmablk_nl_family);
}
