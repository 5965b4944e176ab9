// SPDX-License-Identifier: GPL-2.0
/*
 * The argument DEVICE of a command: which device is meant, and what to say
 * when it is none.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "device_word.h"
#include "report.h"

static const char *skip(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) ? NULL : text + len;
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
 * @name: "rdmablkN"
 *
 * Return: EXIT_NOT_FOUND.
 */
enum rbdctl_exit device_missing(const char *name)
{
	fail(EXIT_NOT_FOUND, "there is no device %s", name);
	remedy("'rbdctl list' shows those that there are");
	return EXIT_NOT_FOUND;
}
