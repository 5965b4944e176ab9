/* SPDX-License-Identifier: GPL-2.0 */
/* What is done with an export in the background. */
#ifndef RDMABLKD_EXPORT_WORK_H
#define RDMABLKD_EXPORT_WORK_H

#include <stdbool.h>
#include <systemd/sd-event.h>

#include "export.h"
#include "reason.h"

void export_notify(struct export *export, enum export_event event,
		   const struct reason *why);
void export_release(struct export *export);
int export_work_start(struct export *export, struct reason *why);
void export_work_prepared(struct job *job, int err);
int export_work_prepare(struct export *export,
			const struct region_list *covered, struct reason *why);
void export_take_regions(struct export *export);
void export_work_begin(struct export *export);
int export_work_tick(sd_event_source *timer, uint64_t now_us, void *data);

#endif /* RDMABLKD_EXPORT_WORK_H */
