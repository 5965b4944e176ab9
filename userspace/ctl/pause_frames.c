// SPDX-License-Identifier: GPL-2.0
/*
 * Pause frames of an interface. Each driver has names of its own for what it
 * counts; all have "pause" in those that matter here.
 */
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "cleanup.h"
#include "pause_frames.h"

/**
 * pause_frames_count() - take one counter into account
 * @name: as the driver calls it
 * @value: its value
 * @out: added to if it counts pause frames
 */
void pause_frames_count(const char *name, uint64_t value,
			struct pause_frames *out)
{
	/* Time, changes and alarms are no frames. */
	if (!strcasestr(name, "pause") || strstr(name, "duration") ||
	    strstr(name, "transition") || strstr(name, "storm"))
		return;
	if (!strncmp(name, "rx", 2)) {
		out->known = true;
		out->received += value;
	} else if (!strncmp(name, "tx", 2)) {
		out->known = true;
		out->sent += value;
	}
}

static int ethtool(int fd, const char *netdev, void *command)
{
	struct ifreq request = { .ifr_data = command };

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", netdev);
	return ioctl(fd, SIOCETHTOOL, &request);
}

static void read_counters(int fd, const char *netdev, uint32_t count,
			  struct pause_frames *out)
{
	CLEANUP_FREE struct ethtool_gstrings *names =
		calloc(1, sizeof(*names) + (size_t)count * ETH_GSTRING_LEN);
	CLEANUP_FREE struct ethtool_stats *values =
		calloc(1, sizeof(*values) + count * sizeof(values->data[0]));
	char name[ETH_GSTRING_LEN + 1];
	uint32_t i;

	if (!names || !values)
		return;
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_STATS;
	names->len = count;
	values->cmd = ETHTOOL_GSTATS;
	values->n_stats = count;
	if (ethtool(fd, netdev, names) || ethtool(fd, netdev, values))
		return;
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%.*s", ETH_GSTRING_LEN,
			 (char *)names->data + i * ETH_GSTRING_LEN);
		pause_frames_count(name, values->data[i], out);
	}
}

/**
 * pause_frames() - how many has an interface seen?
 * @netdev: its name
 * @out: set to what is known
 */
void pause_frames(const char *netdev, struct pause_frames *out)
{
	CLEANUP_CLOSE int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	*out = (struct pause_frames){ .known = false };
	if (fd >= 0 && !ethtool(fd, netdev, &info) && info.n_stats)
		read_counters(fd, netdev, info.n_stats, out);
}
