// SPDX-License-Identifier: GPL-2.0
/*
 * Sizes in bytes, as people write and read them. Which sizes make sense for
 * what is not decided here.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "size.h"

static const char units[] = "KMGTPE";

/* What follows the digits: "", "B", "K", "KB" or "KiB", in either case. */
static int parse_unit(const char *unit, unsigned int *shift)
{
	const char *found;

	*shift = 0;
	if (!*unit || !strcasecmp(unit, "B"))
		return 0;

	found = strchr(units, toupper((unsigned char)*unit));
	if (!found)
		return -EINVAL;
	unit++;
	if (*unit && strcasecmp(unit, "B") && strcasecmp(unit, "iB"))
		return -EINVAL;
	*shift = 10 * (unsigned int)(found - units + 1);
	return 0;
}

/**
 * size_parse() - read a size
 * @text: digits and an optional unit, K to E, powers of 1024: 4096, 16M, 2TiB
 * @bytes: set to the size
 *
 * Return: 0; -EINVAL when @text is no size; -ERANGE when it has more than 64
 * bits.
 */
int size_parse(const char *text, uint64_t *bytes)
{
	unsigned int shift;
	uint64_t number;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (parse_unit(end, &shift))
		return -EINVAL;
	if (errno == ERANGE || number > UINT64_MAX >> shift)
		return -ERANGE;
	*bytes = number << shift;
	return 0;
}

/**
 * size_text() - write a size for people
 * @bytes: the size
 * @buf: where the text goes
 *
 * Exact sizes stay exact: "256 MiB", "1536 B"; others get one decimal place,
 * rounded down: "1.4 GiB".
 *
 * Return: @buf.
 */
const char *size_text(uint64_t bytes, char buf[static SIZE_TEXT_MAX])
{
	unsigned int i = 0;
	uint64_t tenth;

	while (i < sizeof(units) - 1 && bytes >> (10 * (i + 1)))
		i++;
	if (!i) {
		snprintf(buf, SIZE_TEXT_MAX, "%" PRIu64 " B", bytes);
		return buf;
	}

	tenth = ((bytes >> (10 * (i - 1))) & 1023) * 10 >> 10;
	if (!(bytes & (((uint64_t)1 << (10 * i)) - 1)))
		snprintf(buf, SIZE_TEXT_MAX, "%" PRIu64 " %ciB",
			 bytes >> (10 * i), units[i - 1]);
	else
		snprintf(buf, SIZE_TEXT_MAX, "%" PRIu64 ".%" PRIu64 " %ciB",
			 bytes >> (10 * i), tenth, units[i - 1]);
	return buf;
}
