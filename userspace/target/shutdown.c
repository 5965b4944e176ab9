// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's end, asked for by a signal or by an export that failed at the
 * start: clients are told and lose their connections, exports with a backing are
 * written back, regions are released in the background, and the event loop ends
 * when nothing is left. A deadline ends it in any case, unless an export is
 * being written back: what is left then is the kernel's to clean up, which it
 * does thoroughly. What is not written back then is in the named memory, where
 * the next daemon finds it.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>

#include "clock.h"
#include "export.h"
#include "export_drain.h"
#include "listener.h"
#include "log.h"
#include "macros.h"
#include "session.h"
#include "shutdown.h"
#include "timer.h"

#define DEADLINE_US	(8 * USEC_PER_SEC)
#define STALLS_MAX	8	/* deadlines that pass without progress */

static int exit_code;
static sd_event_source *deadline;
static uint64_t drained;	/* at the latest deadline */
static unsigned int stalls;

static void exit_loop(struct daemon *daemon)
{
	if (sd_event_exit(daemon->event, exit_code) < 0)
		abort();
}

/* After every dispatch: is anything left? */
static int on_dispatched(sd_event_source *source __attribute__((unused)),
			 void *data)
{
	struct daemon *daemon = data;

	if (daemon->stopping && TAILQ_EMPTY(&daemon->sessions) &&
	    TAILQ_EMPTY(&daemon->exports))
		exit_loop(daemon);
	return 0;
}

static void set_deadline(void)
{
	timer_set(deadline, clock_now_us() + DEADLINE_US);
	/* Until the next one, and what it takes to end then. */
	sd_notifyf(0, "EXTEND_TIMEOUT_USEC=%ju", (uintmax_t)DEADLINE_US * 2);
}

static int on_deadline(sd_event_source *source __attribute__((unused)),
		       uint64_t now_us __attribute__((unused)), void *data)
{
	uint64_t now;

	if (export_drain_any(data, &now)) {
		stalls = now == drained ? stalls + 1 : 0;
		drained = now;
		if (stalls < STALLS_MAX) {
			set_deadline();
			return 0;
		}
		log_error("a backing does not answer: what is not written back stays in the staging");
		exit_code = EXIT_FAILURE;
	}
	log_warning("regions are still being released: left to the kernel");
	exit_loop(data);
	return 0;
}

static void end_sessions(struct daemon *daemon)
{
	struct session *session, *next;

	TAILQ_FOREACH_SAFE(session, &daemon->sessions, entry, next)
		session_end(session);
}

static void arm_deadline(struct daemon *daemon)
{
	/* Floating: it lives as long as the loop. */
	if (timer_new(daemon->event, &deadline, on_deadline, daemon) < 0 ||
	    sd_event_source_set_floating(deadline, 1) < 0)
		abort();
	set_deadline();
	sd_event_source_unref(deadline);
}

/**
 * shutdown_start() - begin to end the daemon
 * @daemon: the daemon
 * @code: its exit status
 *
 * A second call has sessions end without waiting for their clients, and the
 * daemon without waiting for what is being written back.
 */
void shutdown_start(struct daemon *daemon, int code)
{
	struct session *session, *next;
	struct export *export, *next_export;

	if (daemon->stopping) {
		end_sessions(daemon);
		if (export_drain_any(daemon, &drained)) {
			log_warning("not everything is written back: it stays in the staging");
			shutdown_failed();
			exit_loop(daemon);
		}
		return;
	}
	daemon->stopping = true;
	exit_code = code;
	sd_notify(0, "STOPPING=1\nSTATUS=stopping");
	listener_stop(daemon);
	arm_deadline(daemon);
	TAILQ_FOREACH_SAFE(session, &daemon->sessions, entry, next)
		session_farewell(session, RDMABLK_E_SHUTDOWN,
				 "the target is shutting down");
	TAILQ_FOREACH_SAFE(export, &daemon->exports, entry, next_export)
		export_remove(export, true);
}

/**
 * shutdown_failed() - the daemon ends, but not as it should
 */
void shutdown_failed(void)
{
	exit_code = EXIT_FAILURE;
}

static int on_signal(sd_event_source *source __attribute__((unused)),
		     const struct signalfd_siginfo *info, void *data)
{
	struct daemon *daemon = data;

	log_info("stopping: %s", strsignal((int)info->ssi_signo));
	shutdown_start(daemon, EXIT_SUCCESS);
	return 0;
}

/**
 * shutdown_arm() - end the daemon on SIGTERM, SIGINT and SIGHUP
 * @daemon: the daemon; these signals are blocked
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int shutdown_arm(struct daemon *daemon, struct reason *why)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
	sd_event *event = daemon->event;
	int err = 0;
	size_t i;

	for (i = 0; err >= 0 && i < ARRAY_SIZE(signals); i++)
		err = sd_event_add_signal(event, NULL, signals[i], on_signal,
					  daemon);
	if (err >= 0)
		err = sd_event_add_post(event, NULL, on_dispatched, daemon);
	return err < 0 ? reason_set(why, err, "event loop: %s",
				    strerror(-err)) : 0;
}
