// SPDX-License-Identifier: GPL-2.0
/*
 * SET: changes settings of an attached device. ATTACH takes the same ones.
 */
#include <linux/key.h>

#include "compat/extack.h"
#include "dev.h"
#include "netlink.h"

static const struct {
	int attr;
	size_t offset;
} rdmablk_nl_setting[] = {
#define SETTING(attr, member) \
	{ RDMABLK_ATTR_##attr, offsetof(struct rdmablk_settings, member) }
	SETTING(KEEP_ALIVE_TMO,		keep_alive_tmo),
	SETTING(RECONNECT_DELAY,	reconnect_delay),
	SETTING(FAST_IO_FAIL_TMO,	fast_io_fail_tmo),
	SETTING(DEV_LOSS_TMO,		dev_loss_tmo),
	SETTING(REQUEST_TMO,		request_tmo),
	SETTING(SYNC_INTERVAL,		sync_interval),
#undef SETTING
};

/* What ATTACH takes, and SET does not. */
static const struct {
	int attr;
	const char *name;
} rdmablk_nl_fixed[] = {
	{ RDMABLK_ATTR_ADDR,		"the target's address" },
	{ RDMABLK_ATTR_SOURCE,		"the source address" },
	{ RDMABLK_ATTR_TARGET_NAME,	"the target's name" },
	{ RDMABLK_ATTR_EXPORT,		"the export" },
	{ RDMABLK_ATTR_FLAGS,		"the flags" },
	{ RDMABLK_ATTR_HOST_ID,		"the host's id" },
	{ RDMABLK_ATTR_HOST_NAME,	"the host's name" },
	{ RDMABLK_ATTR_QUEUES,		"the number of queues" },
	{ RDMABLK_ATTR_POLL_QUEUES,	"the number of polled queues" },
	{ RDMABLK_ATTR_DEPTH,		"the depth" },
	{ RDMABLK_ATTR_CONNECT_TMO,	"the connect timeout" },
};

/**
 * rdmablk_nl_settings() - take the settings that a command names
 * @info: ATTACH or SET
 * @settings: changed where @info says something
 *
 * Context: process.
 * Return: how many it named, or -EINVAL, with an extended ack, when they make no
 * sense together.
 */
int rdmablk_nl_settings(struct genl_info *info,
			struct rdmablk_settings *settings)
{
	struct rdmablk_reason reason;
	int i, named = 0;

	for (i = 0; i < ARRAY_SIZE(rdmablk_nl_setting); i++) {
		const struct nlattr *attr =
			info->attrs[rdmablk_nl_setting[i].attr];
		u32 *to = (void *)settings + rdmablk_nl_setting[i].offset;

		if (!attr)
			continue;
		*to = nla_get_u32(attr);
		named++;
	}
	if (rdmablk_settings_check(settings, &reason))
		return rdmablk_nl_fail(info, &reason);
	return named;
}

static int rdmablk_nl_check_fixed(struct genl_info *info)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(rdmablk_nl_fixed); i++) {
		if (!info->attrs[rdmablk_nl_fixed[i].attr])
			continue;
		COMPAT_NL_SET_ERR_MSG_FMT(info->extack,
			"%s cannot be changed while a device is attached",
			rdmablk_nl_fixed[i].name);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int rdmablk_nl_set_locked(struct rdmablk_dev *dev,
				 struct genl_info *info,
				 struct key *key, const char *key_name)
{
	struct rdmablk_settings settings = dev->opts.settings;
	int named;

	if (dev->state == RDMABLK_STATE_DELETING ||
	    dev->state == RDMABLK_STATE_GONE) {
		COMPAT_NL_SET_ERR_MSG_FMT(info->extack,
			"%s is being detached", dev->name);
		return -ENODEV;
	}
	named = rdmablk_nl_settings(info, &settings);
	if (!named && !key)
		NL_SET_ERR_MSG(info->extack, "nothing to set was given");
	if (named < 0 || (!named && !key))
		return named ?: -EINVAL;
	if (key)
		rdmablk_auth_set_key(&dev->session.auth, key, key_name);
	rdmablk_dev_set_locked(dev, &settings);
	return 0;
}

/**
 * rdmablk_nl_set() - RDMABLK_CMD_SET
 * @skb: the message
 * @info: its attributes
 *
 * Context: process; takes the device's lock.
 * Return: 0 or a negative errno, with an extended ack; then nothing was changed.
 */
int rdmablk_nl_set(struct sk_buff *skb, struct genl_info *info)
{
	int err = rdmablk_nl_check_fixed(info);
	char key_name[RDMABLK_HOST_MAX];
	struct rdmablk_dev *dev;
	struct key *key;

	if (err)
		return err;
	dev = rdmablk_nl_find(info);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	key = rdmablk_nl_key(info, key_name);
	if (IS_ERR(key)) {
		err = PTR_ERR(key);
		goto put_dev;
	}
	mutex_lock(&dev->lock);
	err = rdmablk_nl_set_locked(dev, info, key, key_name);
	mutex_unlock(&dev->lock);
	key_put(key);
put_dev:
	rdmablk_dev_put(dev);
	return err;
}
