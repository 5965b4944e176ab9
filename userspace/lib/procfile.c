// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers that the kernel tells in text files: a file that is one number, or
 * lines of FIELD: NUMBER [kB] as in /proc/meminfo, or FIELD NUMBER.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "procfile.h"

/**
 * procfile_number() - read a file that is one number
 * @path: the file
 * @out: set to it; UINT64_MAX for "max"
 *
 * Return: 0, or a negative errno; -EINVAL when there is something else.
 */
int procfile_number(const char *path, uint64_t *out)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");
	char text[32] = "";

	if (!file)
		return -errno;
	if (!fgets(text, sizeof(text), file))
		return -EINVAL;
	if (!strcmp(text, "max\n")) {
		*out = UINT64_MAX;
		return 0;
	}
	return sscanf(text, "%" SCNu64, out) == 1 ? 0 : -EINVAL;
}

/* Leaves what follows the field's name in @line. */
static int find_field(const char *path, const char *field, char *line, int size,
		      const char **value)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");
	size_t len = strlen(field);

	if (!file)
		return -errno;
	while (fgets(line, size, file)) {
		if (strncmp(line, field, len) ||
		    !strchr(": \t", line[len]))
			continue;
		*value = line + len + strspn(line + len, ": \t");
		return 0;
	}
	return -ENOENT;
}

/**
 * procfile_field() - read one field of a file of many
 * @path: the file
 * @field: its name, without the colon
 * @out: set to its value; kB are turned into bytes
 *
 * Return: 0; -ENOENT when there is no such field; another negative errno.
 */
int procfile_field(const char *path, const char *field, uint64_t *out)
{
	char line[256], unit[4] = "";
	const char *value;
	int err;

	err = find_field(path, field, line, sizeof(line), &value);
	if (err)
		return err;
	if (sscanf(value, "%" SCNu64 " %3s", out, unit) < 1)
		return -EINVAL;
	if (!strcmp(unit, "kB"))
		*out <<= 10;
	return 0;
}

/**
 * procfile_hex_field() - read one field that is a bit mask
 * @path: the file
 * @field: its name, without the colon
 * @out: set to its value
 *
 * Return: as procfile_field().
 */
int procfile_hex_field(const char *path, const char *field, uint64_t *out)
{
	char line[256];
	const char *value;
	int err;

	err = find_field(path, field, line, sizeof(line), &value);
	if (err)
		return err;
	return sscanf(value, "%" SCNx64, out) == 1 ? 0 : -EINVAL;
}
