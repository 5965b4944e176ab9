// SPDX-License-Identifier: GPL-2.0
/*
 * ATTACH and DETACH: what the operator wants, checked and handed to the device.
 * Every refusal says why in the extended ack.
 */
#include <linux/key.h>
#include <linux/utsname.h>

#include "compat/extack.h"
#include "dev.h"
#include "netlink.h"

static const struct rdmablk_settings rdmablk_nl_defaults = {
	.keep_alive_tmo		= RDMABLK_KEEP_ALIVE_DEFAULT,
	.reconnect_delay	= RDMABLK_RECONNECT_DEFAULT,
	.fast_io_fail_tmo	= RDMABLK_FAST_IO_FAIL_DEFAULT,
	.dev_loss_tmo		= RDMABLK_DEV_LOSS_DEFAULT,
	.request_tmo		= RDMABLK_REQUEST_DEFAULT,
	.sync_interval		= RDMABLK_SYNC_DEFAULT,
};

/**
 * rdmablk_nl_fail() - a command failed: say why in the extended ack
 * @info: the command
 * @reason: why
 *
 * Context: process.
 * Return: the error of @reason, so that it can end a function.
 */
int rdmablk_nl_fail(struct genl_info *info, const struct rdmablk_reason *reason)
{
	COMPAT_NL_SET_ERR_MSG_FMT(info->extack, "%s", reason->text);
	return reason->error;
}

static u32 rdmablk_nl_u32(struct genl_info *info, int attr, u32 otherwise)
{
	return info->attrs[attr] ? nla_get_u32(info->attrs[attr]) : otherwise;
}

static int rdmablk_nl_sockaddr(struct genl_info *info, int attr,
			       struct sockaddr_storage *addr)
{
	const struct sockaddr *sa = nla_data(info->attrs[attr]);
	int len = nla_len(info->attrs[attr]);

	if ((sa->sa_family == AF_INET && len == sizeof(struct sockaddr_in)) ||
	    (sa->sa_family == AF_INET6 && len == sizeof(struct sockaddr_in6))) {
		memcpy(addr, sa, len);
		return 0;
	}
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[attr],
			    "neither an IPv4 nor an IPv6 address");
	return -EAFNOSUPPORT;
}

static int rdmablk_nl_addresses(struct genl_info *info,
				struct rdmablk_conn_addr *addr)
{
	int err;

	if (GENL_REQ_ATTR_CHECK(info, RDMABLK_ATTR_ADDR)) {
		NL_SET_ERR_MSG(info->extack, "no target address given");
		return -EINVAL;
	}
	err = rdmablk_nl_sockaddr(info, RDMABLK_ATTR_ADDR, &addr->dst);
	if (!err && info->attrs[RDMABLK_ATTR_SOURCE])
		err = rdmablk_nl_sockaddr(info, RDMABLK_ATTR_SOURCE,
					  &addr->src);
	addr->timeout_ms = rdmablk_nl_u32(info, RDMABLK_ATTR_CONNECT_TMO,
					  RDMABLK_CONNECT_TMO_DEFAULT);
	return err;
}

static int rdmablk_nl_export(struct genl_info *info, char *export)
{
	if (GENL_REQ_ATTR_CHECK(info, RDMABLK_ATTR_EXPORT)) {
		NL_SET_ERR_MSG(info->extack, "no export given");
		return -EINVAL;
	}
	nla_strscpy(export, info->attrs[RDMABLK_ATTR_EXPORT],
		    RDMABLK_NAME_MAX);
	if (rdmablk_name_valid(export, strlen(export)))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMABLK_ATTR_EXPORT],
			    "an export's name consists of letters, digits and ._:@+- and starts with a letter or digit");
	return -EINVAL;
}

/* The peer refuses other names, so that this end had better not send them. */
static int rdmablk_nl_host(struct genl_info *info, struct rdmablk_opts *opts)
{
	if (GENL_REQ_ATTR_CHECK(info, RDMABLK_ATTR_HOST_ID)) {
		NL_SET_ERR_MSG(info->extack, "no host id given");
		return -EINVAL;
	}
	memcpy(opts->host_id, nla_data(info->attrs[RDMABLK_ATTR_HOST_ID]),
	       sizeof(opts->host_id));

	if (info->attrs[RDMABLK_ATTR_HOST_NAME])
		nla_strscpy(opts->host_name,
			    info->attrs[RDMABLK_ATTR_HOST_NAME],
			    sizeof(opts->host_name));
	else
		strscpy_pad(opts->host_name, init_utsname()->nodename,
			    sizeof(opts->host_name));
	if (rdmablk_name_valid(opts->host_name, strlen(opts->host_name)) &&
	    memchr_inv(opts->host_id, 0, sizeof(opts->host_id)))
		return 0;
	NL_SET_ERR_MSG(info->extack,
		       "the host's name or its id is not valid");
	return -EINVAL;
}

/**
 * rdmablk_nl_key() - the key that a command names
 * @info: ATTACH or SET
 * @name: set to its name, zero-filled
 *
 * Context: the command's.
 * Return: the key with a reference, NULL if none is named, or an ERR_PTR() with an
 * extended ack.
 */
struct key *rdmablk_nl_key(struct genl_info *info, char name[RDMABLK_HOST_MAX])
{
	struct rdmablk_reason reason;
	struct key *key;

	if (!info->attrs[RDMABLK_ATTR_KEY])
		return NULL;
	nla_strscpy(name, info->attrs[RDMABLK_ATTR_KEY], RDMABLK_HOST_MAX);
	if (!rdmablk_name_valid(name, strlen(name))) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[RDMABLK_ATTR_KEY],
				    "this is not the name of a key");
		return ERR_PTR(-EINVAL);
	}
	key = rdmablk_auth_find_key(name, &reason);
	if (IS_ERR(key))
		rdmablk_nl_fail(info, &reason);
	return key;
}

/* Those that are polled come on top of the others. */
static int rdmablk_nl_queues(struct genl_info *info, struct rdmablk_opts *opts)
{
	u32 polled = rdmablk_nl_u32(info, RDMABLK_ATTR_POLL_QUEUES, 0);
	u32 otherwise = clamp_t(u32, RDMABLK_QUEUES_MAX - polled, 1,
				num_online_cpus());

	opts->nr_queues = polled + rdmablk_nl_u32(info, RDMABLK_ATTR_QUEUES,
						  otherwise);
	opts->nr_poll_queues = polled;
	opts->depth = rdmablk_nl_u32(info, RDMABLK_ATTR_DEPTH,
				     RDMABLK_DEPTH_DEFAULT);
	if (opts->nr_queues <= RDMABLK_QUEUES_MAX)
		return 0;
	COMPAT_NL_SET_ERR_MSG_FMT(info->extack,
		"%u queues, polled ones included, are more than %u",
		opts->nr_queues, RDMABLK_QUEUES_MAX);
	return -EINVAL;
}

static int rdmablk_nl_opts(struct genl_info *info, struct rdmablk_opts *opts)
{
	int err;

	err = rdmablk_nl_addresses(info, &opts->addr);
	if (!err)
		err = rdmablk_nl_export(info, opts->export);
	if (!err)
		err = rdmablk_nl_host(info, opts);
	if (err)
		return err;

	if (info->attrs[RDMABLK_ATTR_TARGET_NAME])
		nla_strscpy(opts->target, info->attrs[RDMABLK_ATTR_TARGET_NAME],
			    sizeof(opts->target));
	else
		snprintf(opts->target, sizeof(opts->target), "%pISpc",
			 &opts->addr.dst);
	opts->flags = rdmablk_nl_u32(info, RDMABLK_ATTR_FLAGS, 0);
	err = rdmablk_nl_queues(info, opts);
	if (err)
		return err;
	opts->settings = rdmablk_nl_defaults;
	err = rdmablk_nl_settings(info, &opts->settings);
	if (err < 0)
		return err;
	opts->key = rdmablk_nl_key(info, opts->key_name);
	if (!IS_ERR(opts->key))
		return 0;
	err = PTR_ERR(opts->key);
	opts->key = NULL;
	return err;
}

static int rdmablk_nl_attach_reply(struct genl_info *info,
				   const struct rdmablk_dev *dev)
{
	struct sk_buff *skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *hdr;

	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &rdmablk_nl_family, 0,
				RDMABLK_CMD_ATTACH);
	if (!hdr || nla_put_u32(skb, RDMABLK_ATTR_INDEX, dev->index) ||
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_ID, dev->id) ||
	    nla_put_string(skb, RDMABLK_ATTR_NAME, dev->name)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

/**
 * rdmablk_nl_attach() - RDMABLK_CMD_ATTACH
 * @skb: the message
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or a negative errno, with an extended ack.
 */
int rdmablk_nl_attach(struct sk_buff *skb, struct genl_info *info)
{
	struct rdmablk_reason reason;
	struct rdmablk_opts *opts;
	struct rdmablk_dev *dev;
	int err;

	opts = kzalloc(sizeof(*opts), GFP_KERNEL);
	if (!opts)
		return -ENOMEM;
	err = rdmablk_nl_opts(info, opts);
	if (err)
		goto free_opts;
	err = rdmablk_dev_create(opts, &dev, &reason);
	if (err) {
		err = rdmablk_nl_fail(info, &reason);
		goto free_opts;
	}

	err = rdmablk_nl_attach_reply(info, dev);
	/* A caller that never learns the device's name must not leave one. */
	if (err)
		rdmablk_dev_detach(dev, RDMABLK_DETACH_NOW, &reason);
	rdmablk_dev_put(dev);

free_opts:
	key_put(opts->key);
	kfree(opts);
	return err;
}

/**
 * rdmablk_nl_detach() - RDMABLK_CMD_DETACH
 * @skb: the message
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or a negative errno, with an extended ack.
 */
int rdmablk_nl_detach(struct sk_buff *skb, struct genl_info *info)
{
	struct rdmablk_reason reason;
	struct rdmablk_dev *dev;
	u32 flags;
	int err;

	dev = rdmablk_nl_find(info);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	flags = rdmablk_nl_u32(info, RDMABLK_ATTR_FLAGS, 0);
	err = rdmablk_dev_detach(dev, flags & RDMABLK_FLAG_FORCE ?
				 RDMABLK_DETACH_NOW : RDMABLK_DETACH_IDLE,
				 &reason);
	if (err)
		rdmablk_nl_fail(info, &reason);
	rdmablk_dev_put(dev);
	return err;
}
