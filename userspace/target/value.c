// SPDX-License-Identifier: GPL-2.0
/*
 * Values of options and of keys in the configuration: text to number, with an
 * error that names the key and says what would be right.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "size.h"
#include "value.h"

/**
 * value_bool() - read a yes or no
 * @key: whose value it is, for the error
 * @value: the text
 * @out: set to it
 * @why: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int value_bool(const char *key, const char *value, bool *out,
	       struct reason *why)
{
	if (!strcmp(value, "yes") || !strcmp(value, "true") ||
	    !strcmp(value, "on") || !strcmp(value, "1"))
		*out = true;
	else if (!strcmp(value, "no") || !strcmp(value, "false") ||
		 !strcmp(value, "off") || !strcmp(value, "0"))
		*out = false;
	else
		return reason_set(why, -EINVAL, "%s must be yes or no, not '%s'",
				  key, value);
	return 0;
}

/**
 * value_size() - read a size in bytes
 * @key: whose value it is, for the error
 * @value: the text
 * @out: set to it
 * @why: set on failure
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int value_size(const char *key, const char *value, uint64_t *out,
	       struct reason *why)
{
	int err = size_parse(value, out);

	if (err == -ERANGE)
		return reason_set(why, err, "%s '%s' does not fit into 64 bits",
				  key, value);
	if (err) {
		reason_set(why, err, "%s '%s' is not a size", key, value);
		reason_hint(why, "write bytes, or a number with K, M, G, T or P: 256M");
	}
	return err;
}

/**
 * value_number() - read a whole number
 * @key: whose value it is, for the error
 * @value: the text
 * @min: the smallest that makes sense
 * @max: the largest
 * @out: set to it
 * @why: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int value_number(const char *key, const char *value, unsigned int min,
		 unsigned int max, unsigned int *out, struct reason *why)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end || errno ||
	    number < min || number > max)
		return reason_set(why, -EINVAL,
				  "%s must be a number from %u to %u, not '%s'",
				  key, min, max, value);
	*out = (unsigned int)number;
	return 0;
}

/**
 * value_path() - read an absolute path
 * @key: whose value it is, for the error
 * @value: the text
 * @out: where it goes
 * @size: of @out, bytes
 * @why: set on failure
 *
 * Return: 0, -EINVAL or -ENAMETOOLONG.
 */
int value_path(const char *key, const char *value, char *out, size_t size,
	       struct reason *why)
{
	size_t len = strlen(value);

	if (value[0] != '/')
		return reason_set(why, -EINVAL,
				  "%s must be an absolute path, not '%s'",
				  key, value);
	if (len >= size)
		return reason_set(why, -ENAMETOOLONG,
				  "%s is longer than %zu characters", key,
				  size - 1);
	memcpy(out, value, len + 1);
	return 0;
}
