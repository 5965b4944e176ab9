// SPDX-License-Identifier: GPL-2.0
/*
 * What a recovery does: how often it tried, when it tries again, what I/O does
 * meanwhile, and when it gives up. See recovery.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "recovery.h"
#include "row.h"
#include "table.h"

#define PART_MAX	96

/* Seconds, rounded up: a deadline is not there before it is. */
static uint64_t seconds(const struct device *device, int attr)
{
	return (device_u64(device, attr) + 999) / 1000;
}

static bool is_recovering(const struct device *device)
{
	return device_u32(device, RDMABLK_ATTR_STATE) ==
	       RDMABLK_STATE_RECOVERING;
}

static time_t gives_up_at(const struct device *device)
{
	return time(NULL) +
	       (time_t)seconds(device, RDMABLK_ATTR_GIVE_UP_IN);
}

static const char *attempt_text(const struct device *device, char *text)
{
	uint32_t attempts = device_u32(device, RDMABLK_ATTR_ATTEMPTS);

	if (device_has(device, RDMABLK_ATTR_NEXT_ATTEMPT_IN))
		snprintf(text, PART_MAX,
			 "%" PRIu32 " failed, next in %" PRIu64 " s", attempts,
			 seconds(device, RDMABLK_ATTR_NEXT_ATTEMPT_IN));
	else if (attempts)
		snprintf(text, PART_MAX, "%" PRIu32 " under way", attempts);
	else
		snprintf(text, PART_MAX, "none yet");
	return text;
}

static const char *io_text(const struct device *device, char *text)
{
	if (!device_has(device, RDMABLK_ATTR_IO_FAILS_IN))
		snprintf(text, PART_MAX, "waits");
	else if (device_u64(device, RDMABLK_ATTR_IO_FAILS_IN))
		snprintf(text, PART_MAX, "waits, fails in %" PRIu64 " s",
			 seconds(device, RDMABLK_ATTR_IO_FAILS_IN));
	else
		snprintf(text, PART_MAX, "fails until the path is back");
	return text;
}

static const char *give_up_text(const struct device *device, char *text)
{
	time_t at = gives_up_at(device);
	char date[32] = "";
	struct tm tm;

	if (!device_has(device, RDMABLK_ATTR_GIVE_UP_IN)) {
		snprintf(text, PART_MAX, "never");
		return text;
	}
	if (localtime_r(&at, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text, PART_MAX, "at %s (in %" PRIu64 " s)", date,
		 seconds(device, RDMABLK_ATTR_GIVE_UP_IN));
	return text;
}

/**
 * recovery_rows() - print what a recovery does, for show
 * @device: in any state
 */
void recovery_rows(const struct device *device)
{
	char text[PART_MAX];

	if (!is_recovering(device))
		return;
	row("attempt", "%s", attempt_text(device, text));
	row("I/O", "%s", io_text(device, text));
	row("gives up", "%s", give_up_text(device, text));
}

/* Lines of up to 80 columns, those after the first indented. */
static void print_wrapped(const char *text)
{
	size_t width = TABLE_WIDTH, len = strlen(text), part;

	while (len > width) {
		for (part = width; part && text[part] != ' '; part--)
			;
		if (!part)
			part = width;
		printf("%.*s\n    ", (int)part, text);
		text += part;
		text += *text == ' ';
		len = strlen(text);
		width = TABLE_WIDTH - 4;
	}
	puts(text);
}

/**
 * recovery_note() - say why a device is recovering or failed, for list
 * @device: in any state
 */
void recovery_note(const struct device *device)
{
	char attempt[PART_MAX], io[PART_MAX], give_up[PART_MAX], text[1024];
	const char *name = device_text(device, RDMABLK_ATTR_NAME);
	const char *reason = device_text(device, RDMABLK_ATTR_REASON);

	if (is_recovering(device))
		snprintf(text, sizeof(text),
			 "%s: attempt %s; I/O %s; gives up %s; because %s",
			 name, attempt_text(device, attempt),
			 io_text(device, io), give_up_text(device, give_up),
			 reason);
	else if (device_u32(device, RDMABLK_ATTR_STATE) == RDMABLK_STATE_FAILED)
		snprintf(text, sizeof(text), "%s: failed because %s", name,
			 reason);
	else
		return;
	print_wrapped(text);
}

/**
 * recovery_gives_up_json() - when a recovery gives up
 * @device: in any state
 *
 * Return: seconds since 1970; NULL, which is null, when it does not.
 */
struct json_object *recovery_gives_up_json(const struct device *device)
{
	if (!device_has(device, RDMABLK_ATTR_GIVE_UP_IN))
		return NULL;
	return json_object_new_int64(gives_up_at(device));
}
