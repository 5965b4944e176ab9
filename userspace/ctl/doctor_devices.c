// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: attached devices, and how fast those are that can be read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

/* A card takes some microseconds; beyond this something is in its way. */
#define SLOW_READ_US	500
#define SLOW_PERCENT	10	/* of what the link gives */
#define MEASURED_MAX	4	/* devices: it takes its time */

static const struct rdma_port *port_of(const struct doctor *doctor,
				       const struct device *device)
{
	const struct rdma_port *port;
	size_t i;

	for (i = 0; i < doctor->ports.count; i++) {
		port = &doctor->ports.list[i];
		if (!strcmp(port->device,
			    device_text(device, RDMABLK_ATTR_IBDEV)) &&
		    port->port == device_u32(device, RDMABLK_ATTR_IBPORT))
			return port;
	}
	return NULL;
}

/* "100 Gb/sec (4X EDR)" in bytes; 0: not known, or made up. */
static double link_bytes_per_s(const struct rdma_port *port)
{
	if (!port || port->software || !strstr(port->rate, "Gb/sec"))
		return 0;
	return strtod(port->rate, NULL) * 1e9 / 8;
}

static void judge_speed(struct doctor *doctor, const struct device *device,
			const struct read_speed *speed)
{
	const struct rdma_port *port = port_of(doctor, device);
	double link = link_bytes_per_s(port);
	bool slow = link > 0 && (speed->median_us > SLOW_READ_US ||
				 speed->bytes_per_s < link * SLOW_PERCENT / 100);
	char of[64] = "";

	if (link > 0)
		snprintf(of, sizeof(of), " of the %.0f MB/s that the link has",
			 link / 1e6);
	else if (port && port->software)
		snprintf(of, sizeof(of), ", by Soft-RoCE: cards are far faster");
	found(&doctor->findings, slow ? SEVERITY_WARNING : SEVERITY_OK, "speed",
	      "%s: a read of 4 KiB takes %.0f us (median of %u), reads of 1 MiB one by one give %.0f MB/s%s",
	      device_text(device, RDMABLK_ATTR_NAME), speed->median_us,
	      speed->reads, speed->bytes_per_s / 1e6, of);
	if (slow)
		found_remedy(&doctor->findings, "unless others use it now: packet size and losses above, the PCIe slot of the card ('lspci -vv', LnkSta), power saving of the processor");
}

static void measure(struct doctor *doctor, const struct device *device)
{
	const char *name = device_text(device, RDMABLK_ATTR_NAME);
	struct read_speed speed;
	char path[64];
	int err;

	snprintf(path, sizeof(path), "/dev/%s", name);
	err = doctor->ops->speed(path, &speed);
	if (!err) {
		judge_speed(doctor, device, &speed);
		return;
	}
	if (err == -EACCES || err == -EPERM) {
		found(&doctor->findings, SEVERITY_NOTE, "speed",
		      "%s is live; only root may read from it to see how fast it is",
		      name);
		return;
	}
	found(&doctor->findings, SEVERITY_ERROR, "speed",
	      "%s is live, but cannot be read: %s", name, strerror(-err));
	found_remedy(&doctor->findings, "'dmesg', and 'rbdctl doctor %s'",
		     device_text(device, RDMABLK_ATTR_TARGET_NAME));
}

static void check_live(struct doctor *doctor, const struct device *device,
		       unsigned int *measured)
{
	if (device_has(device, RDMABLK_ATTR_FLUSH_ERROR)) {
		found(&doctor->findings, SEVERITY_ERROR, "device-flush",
		      "%s: flushes fail: %s",
		      device_text(device, RDMABLK_ATTR_NAME),
		      device_text(device, RDMABLK_ATTR_FLUSH_ERROR));
		found_remedy(&doctor->findings, "on the target: 'rbdctl export show %s' says why",
			     device_text(device, RDMABLK_ATTR_EXPORT));
	}
	if ((*measured)++ < MEASURED_MAX)
		measure(doctor, device);
	else
		found(&doctor->findings, SEVERITY_OK, "device", "%s is live",
		      device_text(device, RDMABLK_ATTR_NAME));
}

static void check_device(struct doctor *doctor, const struct device *device,
			 unsigned int *measured)
{
	struct findings *findings = &doctor->findings;
	uint32_t state = device_u32(device, RDMABLK_ATTR_STATE);
	const char *name = device_text(device, RDMABLK_ATTR_NAME);
	const char *target = device_text(device, RDMABLK_ATTR_TARGET_NAME);
	const char *reason = device_text(device, RDMABLK_ATTR_REASON);

	switch (state) {
	case RDMABLK_STATE_LIVE:
		check_live(doctor, device, measured);
		break;
	case RDMABLK_STATE_RECOVERING:
		found(findings, SEVERITY_ERROR, "device-recovering",
		      "%s, export %s of %s, has lost its path: %s", name,
		      device_text(device, RDMABLK_ATTR_EXPORT), target, reason);
		found_remedy(findings, "it goes on by itself when the path is back; 'rbdctl doctor %s' looks for what is wrong with that",
			     target);
		break;
	case RDMABLK_STATE_FAILED:
		found(findings, SEVERITY_ERROR, "device-failed",
		      "%s, export %s of %s, has failed: %s", name,
		      device_text(device, RDMABLK_ATTR_EXPORT), target, reason);
		found_remedy(findings, "unmount it, 'rbdctl detach %s', and attach again when the cause is gone",
			     name);
		break;
	default:
		found(findings, SEVERITY_NOTE, "device-busy", "%s is %s", name,
		      device_state_text(state));
		break;
	}
}

/**
 * doctor_devices() - look at attached devices
 * @doctor: the examination
 */
void doctor_devices(struct doctor *doctor)
{
	struct devices devices = { 0 };
	int err = doctor->ops->devices(&devices);
	unsigned int measured = 0;
	size_t i;

	doctor->findings.group = "Attached devices";
	/* Without the module there are none, which is said elsewhere. */
	if (err && err != -ENOENT) {
		found(&doctor->findings, SEVERITY_WARNING, "devices-unknown",
		      "the module does not tell its devices: %s",
		      strerror(-err));
		found_remedy(&doctor->findings, "versions above, and 'dmesg'");
	}
	for (i = 0; i < devices.count; i++)
		check_device(doctor, &devices.list[i], &measured);
	devices_free(&devices);
}
