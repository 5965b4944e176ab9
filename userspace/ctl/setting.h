/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The settings of a device that attach takes and set changes: how failures are
 * noticed, and how they are recovered.
 */
#ifndef RBDCTL_SETTING_H
#define RBDCTL_SETTING_H

#include <netlink/msg.h>

#include "option.h"

#define SETTING_SECONDS_MAX 86400

/* One for each attribute: in seconds, -1 where the command line said nothing. */
struct settings {
	int64_t keep_alive;
	int64_t reconnect_delay;
	int64_t fast_io_fail_tmo;
	int64_t dev_loss_tmo;
	int64_t request_tmo;
	int64_t sync_interval;
};

#define SETTINGS_NONE { -1, -1, -1, -1, -1, -1 }

/* Entries of a table of options, for a struct settings. */
#define SETTING_OPTION(name, help, min, member)				\
	{ name, "SECONDS", help, OPTION_NUMBER, &(member), min,		\
	  SETTING_SECONDS_MAX }

#define SETTING_OPTIONS(settings)					\
	SETTING_OPTION("keep-alive",					\
		"give a silent path up (default: 15; 0: never)",	\
		0, (settings).keep_alive),				\
	SETTING_OPTION("reconnect-delay",				\
		"between attempts, at least (default: 2)",		\
		1, (settings).reconnect_delay),				\
	SETTING_OPTION("fast-io-fail-timeout",				\
		"path down so long: I/O fails (default: never)",		\
		0, (settings).fast_io_fail_tmo),			\
	SETTING_OPTION("dev-loss-timeout",				\
		"... the device fails (default: 600; 0: never)",		\
		0, (settings).dev_loss_tmo),				\
	SETTING_OPTION("request-timeout",				\
		"I/O slower: reconnect, replay (default: 30)",	\
		1, (settings).request_tmo),				\
	SETTING_OPTION("sync-interval",					\
		"write back every (default: 5; 0: never)",		\
		0, (settings).sync_interval)

int settings_put(const struct settings *settings, struct nl_msg *msg);

#endif /* RBDCTL_SETTING_H */
