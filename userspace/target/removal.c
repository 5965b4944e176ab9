// SPDX-License-Identifier: GPL-2.0
/*
 * An RDMA device goes away while the daemon runs: it was unplugged or deleted,
 * its driver reset it, or it broke. What was on it is taken apart; the exports
 * and the other devices go on.
 *
 * The kernel has taken the hardware resources away already, or waits until we have
 * given them back. The struct device stays, marked as gone, until the daemon ends: a
 * job may still hold a region on it. Should the device come back it is a new one.
 */
#include "device.h"
#include "export.h"
#include "goodbye.h"
#include "log.h"
#include "removal.h"
#include "session.h"

static void end_sessions(struct device *device)
{
	struct session *session, *next;

	TAILQ_FOREACH_SAFE(session, &device->daemon->sessions, entry, next)
		if (session->ctrl.conn.device == device)
			session_drop(session, "the RDMA device went away");
}

static void free_regions(struct device *device)
{
	struct export *export;
	struct region *region;

	TAILQ_FOREACH(export, &device->daemon->exports, entry) {
		/* One that is being released frees all of them itself. */
		if (export->state == EXPORT_RELEASING)
			continue;
		region = export_region(export, device);
		if (!region)
			continue;
		TAILQ_REMOVE(&export->regions, region, entry);
		region_free(region);
	}
}

/**
 * removal_device() - take apart what is on a device that went away
 * @device: the device; may be told more than once
 */
void removal_device(struct device *device)
{
	if (device->gone)
		return;
	device->gone = true;
	log_error("RDMA device %s went away", device_name(device));
	end_sessions(device);
	goodbye_all(device);
	free_regions(device);
	device_let_go(device);
}
