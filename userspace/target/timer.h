/* SPDX-License-Identifier: GPL-2.0 */
/* One-shot timers of the event loop that can be set again. */
#ifndef RDMABLKD_TIMER_H
#define RDMABLKD_TIMER_H

#include <systemd/sd-event.h>

int timer_new(sd_event *event, sd_event_source **timer,
	      sd_event_time_handler_t handler, void *data);
void timer_set(sd_event_source *timer, uint64_t at_us);
void timer_stop(sd_event_source *timer);

#endif /* RDMABLKD_TIMER_H */
