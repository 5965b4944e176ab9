/* SPDX-License-Identifier: GPL-2.0 */
/* Attaches one export or several, and tries again those that fail. */
#ifndef RBDCTL_ATTACH_JOBS_H
#define RBDCTL_ATTACH_JOBS_H

#include <stddef.h>

#include "attach_device.h"

/**
 * struct attach_job - an export to be attached
 * @target: as the user wrote it
 * @export: its name
 * @entry: of rbdtab: it is done when the export is attached already; or NULL
 * @opts: how
 * @done: it is attached
 * @device: the name of the device, then
 */
struct attach_job {
	const char *target;
	const char *export;
	const char *entry;
	struct attach_opts opts;
	bool done;
	char device[DEVICE_NAME_MAX];
};

enum rbdctl_exit attach_jobs(struct attach_job *jobs, size_t count,
			     int64_t retry);
void attach_jobs_print_json(const struct attach_job *jobs, size_t count,
			    bool array);

#endif /* RBDCTL_ATTACH_JOBS_H */
