// SPDX-License-Identifier: GPL-2.0
/*
 * Reader of the configuration file's syntax: [sections], KEY = VALUE, and
 * comments in lines of their own that start with # or ;. What sections and
 * keys there are is not known here.
 *
 * Written by hand because the C libraries for this syntax lose what matters to
 * whoever mistyped something: libinih cuts names at 50 characters, lines at
 * 200 and tells no line numbers; GLib's key files tell none either.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cleanup.h"
#include "ini.h"

/* Cuts white space off both ends. */
static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static int read_section(char *line, const struct ini_ops *ops, void *data,
			struct reason *why)
{
	char *end = strchr(line, ']');

	if (!end || end[1])
		return reason_set(why, -EINVAL,
				  "a section must end with ']' at the end of the line");
	*end = '\0';
	return ops->section(data, trim(line + 1), why);
}

static int read_line(char *line, const struct ini_ops *ops, void *data,
		     struct reason *why)
{
	char *equals;

	line = trim(line);
	if (!*line || *line == '#' || *line == ';')
		return 0;
	if (*line == '[')
		return read_section(line, ops, data, why);

	equals = strchr(line, '=');
	if (!equals || equals == line)
		return reason_set(why, -EINVAL,
				  "neither [SECTION] nor KEY = VALUE: '%s'", line);
	*equals = '\0';
	return ops->key(data, trim(line), trim(equals + 1), why);
}

/* Puts the place in front of the message. */
static void add_place(struct reason *why, const char *name, unsigned int number)
{
	struct reason inner = *why;

	reason_set(why, 0, "%s:%u: %.300s", name, number, inner.message);
	memcpy(why->hint, inner.hint, sizeof(why->hint));
}

/**
 * ini_read() - read a configuration
 * @file: open for reading
 * @name: its name, for errors
 * @ops: called for what it says, in order
 * @data: handed to @ops
 * @why: set on failure; begins with NAME:LINE
 *
 * Return: 0, -EINVAL for bad syntax, what @ops returned, or the negative errno
 * of a read error.
 */
int ini_read(FILE *file, const char *name, const struct ini_ops *ops,
	     void *data, struct reason *why)
{
	CLEANUP_FREE char *line = NULL;
	unsigned int number = 0;
	size_t size = 0;
	ssize_t len;
	int err = 0;

	while (!err && (len = getline(&line, &size, file)) >= 0) {
		number++;
		if (strlen(line) != (size_t)len)
			err = reason_set(why, -EINVAL, "a NUL byte");
		else
			err = read_line(line, ops, data, why);
		if (err)
			add_place(why, name, number);
	}
	if (!err && ferror(file)) {
		err = -errno;
		reason_set(why, err, "%s: %s", name, strerror(-err));
	}
	return err;
}
