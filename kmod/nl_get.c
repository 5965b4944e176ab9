// SPDX-License-Identifier: GPL-2.0
/*
 * GET: everything that describes a device, one by one or as a dump. Events carry
 * the same attributes.
 */
#include <linux/once.h>
#include <linux/siphash.h>

#include "compat/extack.h"
#include "dev.h"
#include "netlink.h"
#include "version.h"

static int rdmablk_nl_put_opts(struct sk_buff *skb,
			       const struct rdmablk_opts *opts)
{
	int len = opts->addr.dst.ss_family == AF_INET ?
		  sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);

	if (nla_put(skb, RDMABLK_ATTR_ADDR, len, &opts->addr.dst) ||
	    nla_put_string(skb, RDMABLK_ATTR_TARGET_NAME, opts->target) ||
	    nla_put_string(skb, RDMABLK_ATTR_EXPORT, opts->export) ||
	    nla_put_u32(skb, RDMABLK_ATTR_FLAGS, opts->flags) ||
	    nla_put_u32(skb, RDMABLK_ATTR_CONNECT_TMO, opts->addr.timeout_ms))
		return -EMSGSIZE;
	return 0;
}

static int rdmablk_nl_put_settings(struct sk_buff *skb,
				   const struct rdmablk_settings *settings)
{
	if (nla_put_u32(skb, RDMABLK_ATTR_KEEP_ALIVE_TMO,
			settings->keep_alive_tmo) ||
	    nla_put_u32(skb, RDMABLK_ATTR_RECONNECT_DELAY,
			settings->reconnect_delay) ||
	    nla_put_u32(skb, RDMABLK_ATTR_FAST_IO_FAIL_TMO,
			settings->fast_io_fail_tmo) ||
	    nla_put_u32(skb, RDMABLK_ATTR_DEV_LOSS_TMO,
			settings->dev_loss_tmo) ||
	    nla_put_u32(skb, RDMABLK_ATTR_REQUEST_TMO, settings->request_tmo) ||
	    nla_put_u32(skb, RDMABLK_ATTR_SYNC_INTERVAL,
			settings->sync_interval))
		return -EMSGSIZE;
	return 0;
}

/*
 * The id is what admits data connections, and anybody may ask for this: something
 * that tells sessions apart will do.
 */
static u64 rdmablk_nl_session_name(u64 session_id)
{
	static siphash_key_t key;

	get_random_once(&key, sizeof(key));
	return siphash_1u64(session_id, &key);
}

/* Of a name only: what the key holds never leaves the keyring. */
static int rdmablk_nl_put_key(struct sk_buff *skb, const struct rdmablk_dev *dev)
{
	/* Changed by SET only, which holds the device's lock as we do. */
	const char *name = dev->session.auth.name;

	return name[0] ? nla_put_string(skb, RDMABLK_ATTR_KEY, name) : 0;
}

static int rdmablk_nl_put_grant(struct sk_buff *skb,
				const struct rdmablk_grant *grant)
{
	if (rdmablk_nl_put_u64(skb, RDMABLK_ATTR_SIZE, grant->size) ||
	    nla_put_u32(skb, RDMABLK_ATTR_DEPTH, grant->queue_depth) ||
	    nla_put_u32(skb, RDMABLK_ATTR_LOGICAL_BLOCK,
			grant->logical_block) ||
	    nla_put_u32(skb, RDMABLK_ATTR_PHYSICAL_BLOCK,
			grant->physical_block) ||
	    nla_put_u32(skb, RDMABLK_ATTR_MAX_IO, grant->max_io_size) ||
	    nla_put_u32(skb, RDMABLK_ATTR_EXTENTS, grant->nr_extents) ||
	    nla_put_u32(skb, RDMABLK_ATTR_DURABILITY, grant->durability) ||
	    nla_put_u32(skb, RDMABLK_ATTR_KEY_SCOPE, grant->key_scope) ||
	    nla_put_u32(skb, RDMABLK_ATTR_WRITE_CACHE,
			!!(grant->flags & RDMABLK_GRANT_WRITE_CACHE)) ||
	    nla_put(skb, RDMABLK_ATTR_GENERATION, sizeof(grant->generation),
		    grant->generation) ||
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_INSTANCE, grant->instance) ||
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_SESSION,
			       rdmablk_nl_session_name(grant->session_id)))
		return -EMSGSIZE;
	return 0;
}

static int rdmablk_nl_put_path(struct sk_buff *skb, const struct rdmablk_dev *dev)
{
	const struct rdmablk_path *path = &dev->path;

	if (nla_put_string(skb, RDMABLK_ATTR_IBDEV, path->ibdev) ||
	    nla_put_u32(skb, RDMABLK_ATTR_IBPORT, path->port) ||
	    nla_put_string(skb, RDMABLK_ATTR_TRANSPORT, path->transport) ||
	    nla_put_u32(skb, RDMABLK_ATTR_QUEUES, path->nr_queues) ||
	    nla_put_u32(skb, RDMABLK_ATTR_POLL_QUEUES,
			rdmablk_opts_polled(&dev->opts, path->nr_queues)) ||
	    (path->key[0] && nla_put_string(skb, RDMABLK_ATTR_PROVEN, path->key)))
		return -EMSGSIZE;
	return 0;
}

/**
 * rdmablk_nl_put_flush() - tell what is dirty, and how flushes did
 * @skb: where
 * @session: of a device whose lock is held
 *
 * Context: process.
 * Return: 0 or -EMSGSIZE.
 */
int rdmablk_nl_put_flush(struct sk_buff *skb, struct rdmablk_session *session)
{
	struct rdmablk_flush *flush = &session->flush;
	u64 dirty = rdmablk_dirty_bytes(&session->dirty);
	int err;

	if (!rdmablk_dirty_is_open(&session->dirty))
		return 0;
	spin_lock_irq(&flush->lock);
	err = rdmablk_nl_put_u64(skb, RDMABLK_ATTR_DIRTY, dirty) ||
	      rdmablk_nl_put_u64(skb, RDMABLK_ATTR_FLUSHES, flush->rounds);
	if (!err && flush->rounds)
		err = rdmablk_nl_put_u64(skb, RDMABLK_ATTR_FLUSH_AGE,
				jiffies_to_msecs(jiffies - flush->flushed_at)) ||
		      rdmablk_nl_put_u64(skb, RDMABLK_ATTR_FLUSH_TIME,
					 flush->took_us);
	if (!err && flush->error.error)
		err = nla_put_string(skb, RDMABLK_ATTR_FLUSH_ERROR,
				     flush->error.text);
	spin_unlock_irq(&flush->lock);
	return err ? -EMSGSIZE : 0;
}

/* What an operator wants to know of a recovery: what comes next, and when. */
static int rdmablk_nl_put_recovery(struct sk_buff *skb,
				   const struct rdmablk_dev *dev)
{
	const struct rdmablk_settings *settings = &dev->opts.settings;
	const struct rdmablk_recovery *recovery = &dev->recovery;

	if (dev->state != RDMABLK_STATE_RECOVERING)
		return 0;
	if (recovery->waits &&
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_NEXT_ATTEMPT_IN,
		jiffies_to_msecs(rdmablk_jiffies_left(recovery->next_at))))
		return -EMSGSIZE;
	if (settings->fast_io_fail_tmo &&
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_IO_FAILS_IN,
		rdmablk_deadline_left_ms(dev, settings->fast_io_fail_tmo)))
		return -EMSGSIZE;
	if (settings->dev_loss_tmo &&
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_GIVE_UP_IN,
		rdmablk_deadline_left_ms(dev, settings->dev_loss_tmo)))
		return -EMSGSIZE;
	return 0;
}

static int rdmablk_nl_put_reason(struct sk_buff *skb,
				 const struct rdmablk_reason *reason)
{
	if (!reason->error)
		return 0;
	if (nla_put_u32(skb, RDMABLK_ATTR_ERRNO, -reason->error) ||
	    nla_put_string(skb, RDMABLK_ATTR_REASON, reason->text))
		return -EMSGSIZE;
	return 0;
}

/**
 * rdmablk_nl_put_locked() - describe a device
 * @skb: where
 * @dev: the device; its lock is held
 *
 * Context: process.
 * Return: 0 or -EMSGSIZE.
 */
int rdmablk_nl_put_locked(struct sk_buff *skb, struct rdmablk_dev *dev)
{
	if (nla_put_u32(skb, RDMABLK_ATTR_INDEX, dev->index) ||
	    rdmablk_nl_put_u64(skb, RDMABLK_ATTR_ID, dev->id) ||
	    nla_put_string(skb, RDMABLK_ATTR_NAME, dev->name) ||
	    nla_put_string(skb, RDMABLK_ATTR_MODULE_VERSION,
			   RDMABLK_VERSION) ||
	    nla_put_u32(skb, RDMABLK_ATTR_STATE, dev->state) ||
	    nla_put_u32(skb, RDMABLK_ATTR_ATTEMPTS,
			dev->recovery.attempts) ||
	    nla_put_u32(skb, RDMABLK_ATTR_RECONNECTS, dev->reconnects) ||
	    rdmablk_nl_put_recovery(skb, dev) ||
	    rdmablk_nl_put_reason(skb, &dev->reason) ||
	    rdmablk_nl_put_opts(skb, &dev->opts) ||
	    rdmablk_nl_put_key(skb, dev) ||
	    rdmablk_nl_put_settings(skb, &dev->opts.settings))
		return -EMSGSIZE;
	/* Before the first grant there is nothing else to tell. */
	if (!dev->path.nr_queues)
		return 0;
	if (nla_put_u32(skb, RDMABLK_ATTR_DISK_ADDED, dev->disk.shown) ||
	    nla_put_u32(skb, RDMABLK_ATTR_OPENERS,
			rdmablk_dev_openers(dev)) ||
	    rdmablk_nl_put_grant(skb, &dev->grant) ||
	    rdmablk_nl_put_path(skb, dev) ||
	    rdmablk_nl_put_flush(skb, &dev->session))
		return -EMSGSIZE;
	return 0;
}

/**
 * rdmablk_nl_find() - the device that a command names
 * @info: the command
 *
 * Context: process.
 * Return: the device with a reference, or an ERR_PTR() with an extended ack.
 */
struct rdmablk_dev *rdmablk_nl_find(struct genl_info *info)
{
	struct rdmablk_dev *dev;
	u32 index;

	if (GENL_REQ_ATTR_CHECK(info, RDMABLK_ATTR_INDEX)) {
		NL_SET_ERR_MSG(info->extack, "no device given");
		return ERR_PTR(-EINVAL);
	}
	index = nla_get_u32(info->attrs[RDMABLK_ATTR_INDEX]);
	dev = rdmablk_dev_get(index);
	if (dev)
		return dev;
	COMPAT_NL_SET_ERR_MSG_FMT(info->extack, "rdmablk%u is not attached",
				  index);
	return ERR_PTR(-ENODEV);
}

static int rdmablk_nl_put_dev(struct sk_buff *skb, struct rdmablk_dev *dev,
			      rdmablk_nl_put_fn *put, const void *context)
{
	int err;

	mutex_lock(&dev->lock);
	err = put(skb, dev, context);
	mutex_unlock(&dev->lock);
	return err;
}

/**
 * rdmablk_nl_answer() - answer a command by describing a device
 * @info: the command
 * @dev: the device
 * @command: of the answer
 * @put: describes it
 * @context: for @put
 *
 * Context: process; takes the device's lock.
 * Return: 0 or a negative errno.
 */
int rdmablk_nl_answer(struct genl_info *info, struct rdmablk_dev *dev, u8 command,
		      rdmablk_nl_put_fn *put, const void *context)
{
	/* Before the device's lock, which I/O may wait for. */
	struct sk_buff *reply = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	void *hdr;

	if (!reply)
		return -ENOMEM;
	hdr = genlmsg_put_reply(reply, info, &rdmablk_nl_family, 0, command);
	if (!hdr || rdmablk_nl_put_dev(reply, dev, put, context)) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, hdr);
	return genlmsg_reply(reply, info);
}

static int rdmablk_nl_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
			       struct rdmablk_dev *dev, u8 command,
			       rdmablk_nl_put_fn *put)
{
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				cb->nlh->nlmsg_seq, &rdmablk_nl_family,
				NLM_F_MULTI, command);

	if (!hdr)
		return -EMSGSIZE;
	if (rdmablk_nl_put_dev(skb, dev, put, NULL)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/**
 * rdmablk_nl_dump_all() - describe all devices
 * @skb: what fits into one message
 * @cb: args[0] is the number of the next device
 * @command: of the answers
 * @put: describes a device; without context
 *
 * Context: process; takes the devices' locks, one at a time.
 * Return: bytes in @skb; zero ends the dump.
 */
int rdmablk_nl_dump_all(struct sk_buff *skb, struct netlink_callback *cb,
			u8 command, rdmablk_nl_put_fn *put)
{
	u32 index = cb->args[0];
	struct rdmablk_dev *dev;

	while ((dev = rdmablk_dev_get_next(&index))) {
		int err = rdmablk_nl_dump_one(skb, cb, dev, command, put);

		rdmablk_dev_put(dev);
		if (err)
			break;
		index++;
	}
	cb->args[0] = dev ? index : RDMABLK_DEVICES_MAX;
	return skb->len;
}

static int rdmablk_nl_put_all(struct sk_buff *skb, struct rdmablk_dev *dev,
			      const void *context)
{
	return rdmablk_nl_put_locked(skb, dev);
}

/**
 * rdmablk_nl_get() - RDMABLK_CMD_GET of one device
 * @skb: the message
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or a negative errno, with an extended ack.
 */
int rdmablk_nl_get(struct sk_buff *skb, struct genl_info *info)
{
	struct rdmablk_dev *dev = rdmablk_nl_find(info);
	int err;

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	err = rdmablk_nl_answer(info, dev, RDMABLK_CMD_GET, rdmablk_nl_put_all,
				NULL);
	rdmablk_dev_put(dev);
	return err;
}

/**
 * rdmablk_nl_dump() - RDMABLK_CMD_GET of all devices
 * @skb: what fits into one message
 * @cb: see rdmablk_nl_dump_all()
 *
 * Context: process.
 * Return: bytes in @skb; zero ends the dump.
 */
int rdmablk_nl_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rdmablk_nl_dump_all(skb, cb, RDMABLK_CMD_GET, rdmablk_nl_put_all);
}
