// SPDX-License-Identifier: GPL-2.0
/*
 * The argument DEVICE of a command: which device is meant, what is known of it, and
 * what to say when it is none.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "device_word.h"
#include "family.h"
#include "report.h"

static const char *skip(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) ? NULL : text + len;
}

/**
 * device_name() - what a device is called
 * @index: its number
 * @buf: where the name goes
 *
 * Return: @buf.
 */
const char *device_name(uint32_t index, char buf[static DEVICE_NAME_MAX])
{
	snprintf(buf, DEVICE_NAME_MAX, "rdmablk%" PRIu32, index);
	return buf;
}

/**
 * device_index() - which device is meant?
 * @text: rdmablkN, N, /dev/rdmablkN or a link to that
 * @index: set to N
 *
 * Return: 0, or -EINVAL.
 */
int device_index(const char *text, uint32_t *index)
{
	CLEANUP_FREE char *path = *text == '/' ? realpath(text, NULL) : NULL;
	const char *digits = text;
	unsigned long number;
	char *end;

	if (*text == '/')
		digits = skip(path ? path : text, "/dev/rdmablk");
	else if (skip(text, "rdmablk"))
		digits = skip(text, "rdmablk");
	if (!digits || *digits < '0' || *digits > '9')
		return -EINVAL;

	errno = 0;
	number = strtoul(digits, &end, 10);
	if (errno || *end || number > INT32_MAX)
		return -EINVAL;
	*index = (uint32_t)number;
	return 0;
}

/**
 * device_bad_name() - say that this names no device
 * @text: what device_index() refused
 *
 * Return: EXIT_USAGE.
 */
enum rbdctl_exit device_bad_name(const char *text)
{
	fail(EXIT_USAGE, "%s is not the name of an rdmablk device",
	     quote(text));
	remedy("write /dev/rdmablkN, rdmablkN or N; 'rbdctl list' shows those that there are");
	return EXIT_USAGE;
}

/**
 * device_missing() - say that there is no such device
 * @index: its number
 *
 * Return: EXIT_NOT_FOUND.
 */
enum rbdctl_exit device_missing(uint32_t index)
{
	char name[DEVICE_NAME_MAX];

	fail(EXIT_NOT_FOUND, "there is no device %s", device_name(index, name));
	remedy("'rbdctl list' shows those that there are");
	return EXIT_NOT_FOUND;
}

/**
 * device_named() - connect to the module, for the device that an argument names
 * @text: the argument
 * @genl: set to the connection
 * @index: set to the device's number, which it may have
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit device_named(const char *text, struct genl **genl,
			      uint32_t *index)
{
	int err;

	if (device_index(text, index))
		return device_bad_name(text);
	err = family_open(genl);
	/* Without the module there are no devices: the same answer. */
	if (err == -ENOENT || (!err && *index >= RDMABLK_DEVICES_MAX))
		return device_missing(*index);
	return err ? family_fail(NULL, err, "cannot reach the rdmablk module") :
		     EXIT_OK;
}

/**
 * device_look_up() - ask the module about a device that was named
 * @genl: the connection
 * @index: its number
 * @device: filled in; device_free() releases it
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit device_look_up(struct genl *genl, uint32_t index,
				struct device *device)
{
	int err = device_get(genl, index, device);

	if (err == -ENODEV)
		return device_missing(index);
	return err ? family_fail(genl, err, "cannot look at the device") :
		     EXIT_OK;
}
