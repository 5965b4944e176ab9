// SPDX-License-Identifier: GPL-2.0
/*
 * Adds the exports of the configuration, and tells systemd and the log when
 * all of them are ready. One that fails ends the daemon: an operator who asked
 * for it shall not find out when a client asks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <systemd/sd-daemon.h>

#include "config.h"
#include "export.h"
#include "log.h"
#include "shutdown.h"
#include "size.h"
#include "startup.h"

static size_t waiting;	/* exports that are not ready */

static void tell_ready(struct daemon *daemon)
{
	daemon->starting = false;
	/* Without systemd there is nobody to notify, which is no error. */
	sd_notifyf(0, "READY=1\nSTATUS=%zu exports of the configuration are ready",
		   daemon->config->nr_exports);
	log_info("ready");
}

static void tell_progress(const struct export *export)
{
	char done[SIZE_TEXT_MAX], total[SIZE_TEXT_MAX], rate[SIZE_TEXT_MAX];
	struct export_progress progress;

	export_progress(export, &progress);
	sd_notifyf(0, "STATUS=%s export %s: %s of %s, %s/s, %" PRIu64 ":%02" PRIu64 " left; %zu to go",
		   export_phase_name(export), export->spec.name,
		   size_text(progress.done, done),
		   size_text(progress.total, total),
		   size_text(progress.rate, rate), progress.left_s / 60,
		   progress.left_s % 60, waiting);
}

static void on_event(struct export_watch *watch, struct export *export,
		     enum export_event event, const struct reason *why)
{
	struct daemon *daemon = export->daemon;

	if (event == EXPORT_EVENT_PROGRESS) {
		if (!daemon->stopping)
			tell_progress(export);
		return;
	}
	export_unwatch(export, watch);
	free(watch);
	waiting--;
	if (event == EXPORT_EVENT_FAILED) {
		log_error("export %s: %s", export->spec.name, why->message);
		if (why->hint[0])
			log_notice("hint: %s", why->hint);
		shutdown_start(daemon, EXIT_FAILURE);
	} else if (!waiting && !daemon->stopping) {
		tell_ready(daemon);
	}
}

static int add(struct daemon *daemon, const struct spec *spec,
	       struct reason *why)
{
	struct export_watch *watch = calloc(1, sizeof(*watch));
	struct export *export;
	struct reason inner;
	int err;

	if (!watch)
		return reason_set(why, -ENOMEM, "out of memory");
	err = export_add(daemon, spec, &export, &inner);
	if (err) {
		free(watch);
		reason_set(why, err, "export %s: %s", spec->name,
			   inner.message);
		if (inner.hint[0])
			reason_hint(why, "%s", inner.hint);
		return err;
	}
	watch->event = on_event;
	export_watch(export, watch);
	waiting++;
	return 0;
}

/**
 * startup_exports() - begin to prepare the exports of the configuration
 * @daemon: the daemon, with its RDMA devices open
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int startup_exports(struct daemon *daemon, struct reason *why)
{
	const struct config *config = daemon->config;
	size_t i;
	int err;

	daemon->starting = true;
	for (i = 0; i < config->nr_exports; i++) {
		err = add(daemon, &config->exports[i], why);
		if (err)
			return err;
	}
	if (!waiting)
		tell_ready(daemon);
	return 0;
}
