// SPDX-License-Identifier: GPL-2.0
/*
 * One-shot timers of the event loop that can be set again. Times are
 * CLOCK_MONOTONIC, microseconds.
 */
#include <stdlib.h>

#include "timer.h"

#define ACCURACY_US	10000	/* lets the kernel join wake-ups */

/**
 * timer_new() - make a timer, which is not set
 * @event: the event loop
 * @timer: set to it; sd_event_source_disable_unref() ends it
 * @handler: called when it runs out
 * @data: handed to @handler
 *
 * Return: 0 or a negative errno.
 */
int timer_new(sd_event *event, sd_event_source **timer,
	      sd_event_time_handler_t handler, void *data)
{
	int err = sd_event_add_time(event, timer, CLOCK_MONOTONIC, 0,
				    ACCURACY_US, handler, data);

	if (err < 0)
		return err;
	return sd_event_source_set_enabled(*timer, SD_EVENT_OFF);
}

/**
 * timer_set() - have a timer run out
 * @timer: the timer
 * @at_us: when
 */
void timer_set(sd_event_source *timer, uint64_t at_us)
{
	/* Both fail only for a source that is no timer of a live loop. */
	if (sd_event_source_set_time(timer, at_us) < 0 ||
	    sd_event_source_set_enabled(timer, SD_EVENT_ONESHOT) < 0)
		abort();
}

/**
 * timer_stop() - a timer shall not run out
 * @timer: the timer
 */
void timer_stop(sd_event_source *timer)
{
	if (sd_event_source_set_enabled(timer, SD_EVENT_OFF) < 0)
		abort();
}
