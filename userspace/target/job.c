// SPDX-License-Identifier: GPL-2.0
/*
 * Work that takes long, in a thread of its own, so that the event loop does
 * not wait for it. When the thread has ended it wakes the event loop, which
 * takes over from there: what the work touches belongs to one of the two at
 * any time and needs no lock.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "job.h"
#include "log.h"

static void *run(void *data)
{
	struct job *job = data;
	uint64_t one = 1;

	job->err = job->work(job);
	/* An eventfd that holds nothing takes a 1 without fail. */
	if (write(job->wake_fd, &one, sizeof(one)) != sizeof(one))
		abort();
	return NULL;
}

static int on_wake(sd_event_source *source __attribute__((unused)),
		   int fd __attribute__((unused)),
		   uint32_t revents __attribute__((unused)), void *data)
{
	struct job *job = data;

	pthread_join(job->thread, NULL);
	job->source = sd_event_source_disable_unref(job->source);
	close(job->wake_fd);
	job->done(job, job->err);
	return 0;
}

/**
 * job_start() - begin the work
 * @job: with @work and @done set
 * @event: the event loop
 * @why: set on failure
 *
 * Return: 0, and @job->done will be called; or a negative errno.
 */
int job_start(struct job *job, sd_event *event, struct reason *why)
{
	int err;

	atomic_store(&job->cancel, false);
	job->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (job->wake_fd < 0)
		return reason_set(why, -errno, "cannot make an eventfd: %m");
	err = sd_event_add_io(event, &job->source, job->wake_fd, EPOLLIN,
			      on_wake, job);
	if (err < 0) {
		reason_set(why, err, "cannot watch an eventfd: %s",
			   strerror(-err));
		goto close_fd;
	}
	err = -pthread_create(&job->thread, NULL, run, job);
	if (err) {
		reason_set(why, err, "cannot start a thread: %s",
			   strerror(-err));
		goto unwatch;
	}
	return 0;

unwatch:
	job->source = sd_event_source_disable_unref(job->source);
close_fd:
	close(job->wake_fd);
	return err;
}

/**
 * job_run() - have the work done, one way or the other
 * @job: with @work and @done set
 * @event: the event loop, which has to wait if there is no thread to be had
 *
 * @job->done is called later, or before this returns: it may free the job.
 */
void job_run(struct job *job, sd_event *event)
{
	struct reason why;

	if (!job_start(job, event, &why))
		return;
	log_warning("%s: everything else waits", why.message);
	job->err = job->work(job);
	job->done(job, job->err);
}

/**
 * job_cancel() - have the work end soon
 * @job: running; its @done is still called
 */
void job_cancel(struct job *job)
{
	atomic_store(&job->cancel, true);
}
