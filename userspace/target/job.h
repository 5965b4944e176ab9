/* SPDX-License-Identifier: GPL-2.0 */
/* Work that takes long, in a thread of its own. */
#ifndef RDMABLKD_JOB_H
#define RDMABLKD_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <systemd/sd-event.h>

#include "reason.h"

/**
 * struct job - work that takes long
 * @work: does it, in a thread; returns 0, or a negative errno with @why set
 * @done: told in the event loop when the thread has ended; may free the job
 * @why: why @work failed
 * @err: what @work returned
 * @cancel: @work looks at it from time to time, and returns -ECANCELED
 * @wake_fd: eventfd: the thread has ended
 * @source: @wake_fd in the event loop
 * @thread: the thread
 *
 * The user sets @work and @done.
 */
struct job {
	int (*work)(struct job *job);
	void (*done)(struct job *job, int err);
	struct reason		why;
	int			err;
	atomic_bool		cancel;
	int			wake_fd;
	sd_event_source		*source;
	pthread_t		thread;
};

int job_start(struct job *job, sd_event *event, struct reason *why);
void job_run(struct job *job, sd_event *event);
void job_cancel(struct job *job);

#endif /* RDMABLKD_JOB_H */
