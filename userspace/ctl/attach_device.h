/* SPDX-License-Identifier: GPL-2.0 */
/* Attaches one export of a target. */
#ifndef RBDCTL_ATTACH_DEVICE_H
#define RBDCTL_ATTACH_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "exits.h"
#include "setting.h"

/**
 * struct attach_opts - how to attach
 * @read_only: for reading only
 * @force: take the export from the host that holds it
 * @no_partscan: do not look for partitions
 * @no_udev: do not wait for udev
 * @queues: data queues
 * @poll_queues: more of them, for polled I/O
 * @depth: requests in flight on each
 * @connect_tmo: for each step of a connect, seconds
 * @source: address to connect from
 * @key: name of the key to authenticate with
 * @settings: those that can be changed later
 *
 * Negative, or NULL: the kernel's default.
 */
struct attach_opts {
	bool read_only;
	bool force;
	bool no_partscan;
	bool no_udev;
	int64_t queues;
	int64_t poll_queues;
	int64_t depth;
	int64_t connect_tmo;
	const char *source;
	const char *key;
	struct settings settings;
};

enum rbdctl_exit attach_device(const char *where, const char *export,
			       const struct attach_opts *opts, int signals,
			       char name[DEVICE_NAME_MAX]);

#endif /* RBDCTL_ATTACH_DEVICE_H */
