// SPDX-License-Identifier: GPL-2.0
/*
 * Attaches one export or several. See attach_jobs.h.
 *
 * Those that fail for a reason that may go away are tried again, all of them in
 * each round. What goes wrong is told in the first round and in the last one.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attach_jobs.h"
#include "cleanup.h"
#include "clock.h"
#include "family.h"
#include "rbdtab.h"
#include "report.h"
#include "signals.h"

#define PAUSE_MS 3000	/* between two rounds */

/* The same attempt may succeed later: the other side, or the network, comes up. */
static bool may_pass(enum rbdctl_exit code)
{
	return code == EXIT_FAILED || code == EXIT_NOT_FOUND ||
	       code == EXIT_BUSY || code == EXIT_UNREACHABLE;
}

/* Without the module, or the right to look, attaching says what is wrong. */
static bool attached_already(struct attach_job *job)
{
	CLEANUP_GENL struct genl *genl = NULL;
	struct devices devices = { 0 };
	const struct device *device = NULL;

	if (!job->entry || family_open(&genl) || devices_get(genl, &devices))
		return false;
	device = devices_of_export(&devices, job->target, job->export);
	if (device)
		snprintf(job->device, sizeof(job->device), "%s",
			 device_text(device, RDMABLK_ATTR_NAME));
	devices_free(&devices);
	return device;
}

static enum rbdctl_exit attach_job(struct attach_job *job, int signals)
{
	enum rbdctl_exit code = EXIT_OK;

	if (!attached_already(job))
		code = attach_device(job->target, job->export, &job->opts,
				     signals, job->device);
	job->done = !code;
	if (job->done && !report_json) {
		printf("/dev/%s\n", job->device);
		fflush(stdout);
	}
	return code;
}

/*
 * Tries all that are not done. Sets @again when it may help to do so later.
 * Returns the first failure; at a signal, that.
 */
static enum rbdctl_exit attach_round(struct attach_job *jobs, size_t count,
				     int signals, bool *again)
{
	enum rbdctl_exit first = EXIT_OK, code;
	size_t i;

	*again = false;
	for (i = 0; i < count; i++) {
		if (jobs[i].done)
			continue;
		code = attach_job(&jobs[i], signals);
		if (code > 128)
			return code;
		if (may_pass(code))
			*again = true;
		if (!first)
			first = code;
	}
	return first;
}

/* Returns the signal that came, or 0. */
static int pause_ms(int64_t ms, int signals)
{
	struct pollfd fd = { .fd = signals, .events = POLLIN };

	poll(&fd, 1, (int)ms);
	return signals_take(signals);
}

static enum rbdctl_exit attach_rounds(struct attach_job *jobs, size_t count,
				      int64_t retry, int signals)
{
	int64_t deadline = now_ms() + retry * 1000, left;
	bool again, muted = false;
	enum rbdctl_exit code;
	int number;

	code = attach_round(jobs, count, signals, &again);
	if (!again || code > 128 || !retry)
		return code;
	note("trying again for %" PRId64 " s", retry);
	while (again && code <= 128 && now_ms() <= deadline) {
		left = deadline - now_ms();
		number = pause_ms(left < PAUSE_MS ? left + 1 : PAUSE_MS,
				  signals);
		if (number)
			return (enum rbdctl_exit)(128 + number);
		report_muted = now_ms() < deadline;
		code = attach_round(jobs, count, signals, &again);
		muted = report_muted;
		report_muted = false;
	}
	/* It failed for another reason than before, which has to be said. */
	if (muted && code && code <= 128)
		code = attach_round(jobs, count, signals, &again);
	return code;
}

/**
 * attach_jobs() - attach all of them, and print the devices' names
 * @jobs: which
 * @count: how many
 * @retry: seconds for which to try again those that fail
 *
 * Return: EXIT_OK when all are attached; else how to exit: by the first of those
 * that are not. What failed was printed.
 */
enum rbdctl_exit attach_jobs(struct attach_job *jobs, size_t count,
			     int64_t retry)
{
	CLEANUP_CLOSE int signals = signals_open();

	if (signals < 0)
		return fail(EXIT_FAILED, "cannot listen to signals: %s",
			    strerror(-signals));
	return attach_rounds(jobs, count, retry, signals);
}

static struct json_object *job_json(const struct attach_job *job)
{
	struct json_object *json = json_object_new_object();
	char node[DEVICE_NAME_MAX + 8];
	uint32_t index = 0;

	snprintf(node, sizeof(node), "/dev/%s", job->device);
	sscanf(job->device, "rdmablk%" SCNu32, &index);
	json_object_object_add(json, "device", json_object_new_string(node));
	json_object_object_add(json, "name",
			       json_object_new_string(job->device));
	json_object_object_add(json, "index", json_object_new_int64(index));
	return json;
}

/**
 * attach_jobs_print_json() - print what was attached, for programs
 * @jobs: which
 * @count: how many
 * @array: print an array; else one object, of the only job
 */
void attach_jobs_print_json(const struct attach_job *jobs, size_t count,
			    bool array)
{
	CLEANUP_JSON struct json_object *json = NULL;
	size_t i;

	json = array ? json_object_new_array() : job_json(&jobs[0]);
	for (i = 0; array && i < count; i++) {
		if (jobs[i].done)
			json_object_array_add(json, job_json(&jobs[i]));
	}
	print_json(json);
}
