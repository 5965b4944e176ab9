// SPDX-License-Identifier: GPL-2.0
/*
 * The settings of a device. See setting.h.
 */
#include <netlink/attr.h>

#include "setting.h"
#include "uapi/rdmablk_genl.h"

static int put(struct nl_msg *msg, int attr, int64_t value)
{
	if (value < 0)
		return 0;
	nla_put_u32(msg, attr, (uint32_t)value);
	return 1;
}

/**
 * settings_put() - add the settings that the command line named to a request
 * @settings: the settings
 * @msg: the request
 *
 * Return: how many they are.
 */
int settings_put(const struct settings *settings, struct nl_msg *msg)
{
	return put(msg, RDMABLK_ATTR_KEEP_ALIVE_TMO, settings->keep_alive) +
	       put(msg, RDMABLK_ATTR_RECONNECT_DELAY,
		   settings->reconnect_delay) +
	       put(msg, RDMABLK_ATTR_FAST_IO_FAIL_TMO,
		   settings->fast_io_fail_tmo) +
	       put(msg, RDMABLK_ATTR_DEV_LOSS_TMO, settings->dev_loss_tmo) +
	       put(msg, RDMABLK_ATTR_REQUEST_TMO, settings->request_tmo) +
	       put(msg, RDMABLK_ATTR_SYNC_INTERVAL, settings->sync_interval);
}
