// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl monitor: prints what the kernel tells of devices, until interrupted.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cleanup.h"
#include "command.h"
#include "device.h"
#include "family.h"
#include "report.h"
#include "signals.h"

static void print_time(void)
{
	struct timespec now;
	char date[32] = "";
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	if (localtime_r(&now.tv_sec, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	printf("%s.%03ld ", date, now.tv_nsec / 1000000);
}

/* Adds what every line has, and prints it. */
static void print_event(struct json_object *json, const char *event)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	json_object_object_add(json, "time_ms", json_object_new_int64(
		(int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000));
	json_object_object_add(json, "event", json_object_new_string(event));
	print_json_line(json);
}

/* What is not about a device. */
static void print_note(const char *event, const char *text)
{
	CLEANUP_JSON struct json_object *json = NULL;

	if (report_json) {
		json = json_object_new_object();
		print_event(json, event);
		return;
	}
	print_time();
	puts(text);
}

static bool io_fails(const struct device *device)
{
	return device_has(device, RDMABLK_ATTR_IO_FAILS_IN) &&
	       !device_u64(device, RDMABLK_ATTR_IO_FAILS_IN);
}

static void print_device(const struct device *device)
{
	CLEANUP_JSON struct json_object *json = NULL;

	if (report_json) {
		json = device_json(device);
		print_event(json, "device");
		return;
	}
	print_time();
	printf("%s %s%s%s%s%s\n", device_text(device, RDMABLK_ATTR_NAME),
	       device_state_text(device_u32(device, RDMABLK_ATTR_STATE)),
	       device_lacks_disk(device) ? ", no disk yet" : "",
	       io_fails(device) ? ", I/O fails" : "",
	       device_has(device, RDMABLK_ATTR_REASON) ? ": " : "",
	       device_text(device, RDMABLK_ATTR_REASON));
}

static void on_event(struct nlattr **attrs, void *data)
{
	struct device device;

	(void)data;
	memcpy(device.attrs, attrs, sizeof(device.attrs));
	if (device_has(&device, RDMABLK_ATTR_INDEX))
		print_device(&device);
}

/* Returns when a signal came, or nothing more can be read or printed. */
static enum rbdctl_exit watch(struct genl *genl, int signals)
{
	struct pollfd fds[2] = {
		{ .fd = genl_events_fd(genl), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	int err, number = 0;

	print_note("listening", "listening");
	/* A failure to print is told by main(). */
	while (!fflush(stdout) && !number) {
		poll(fds, 2, -1);
		err = genl_events(genl, on_event, NULL);
		if (err == -ENOBUFS)
			print_note("lost", "events were lost: they came faster than they were read");
		else if (err)
			return family_fail(NULL, err,
					   "cannot read the module's events");
		number = signals_take(signals);
	}
	return number ? (enum rbdctl_exit)(128 + number) : EXIT_FAILED;
}

static enum rbdctl_exit monitor_run(int argc, char **argv)
{
	CLEANUP_GENL struct genl *genl = NULL;
	CLEANUP_CLOSE int signals = -1;
	int err;

	(void)argc;
	(void)argv;
	err = family_open(&genl);
	if (err)
		return family_fail(NULL, err, "cannot watch devices");
	err = genl_join(genl, RDMABLK_GENL_GROUP);
	if (err)
		return family_fail(NULL, err, "cannot listen to the module's events");
	signals = signals_open();
	if (signals < 0)
		return fail(EXIT_FAILED, "cannot listen to signals: %s",
			    strerror(-signals));
	return watch(genl, signals);
}

const struct command command_monitor = {
	.name		= "monitor",
	.arguments	= "[OPTION]...",
	.summary	= "Print changes of devices as they happen",
	.details	= "Goes on until it is interrupted",
	.run		= monitor_run,
};
