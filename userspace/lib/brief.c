// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers in five columns. See brief.h. A unit is chosen so that they fit; what is
 * shown is rounded.
 */
#include <stdio.h>

#include "brief.h"
#include "macros.h"

/* One decimal place where there is room for it: up to 9.9, or @tenths. */
static const char *scaled(double number, double step,
			  const char *const *units, size_t count, double tenths,
			  char buf[static BRIEF_MAX])
{
	size_t i = 0;

	/* What would be rounded up to the next unit is in it. */
	while (i + 1 < count && number >= (i ? 999.5 : step - 0.5)) {
		number /= step;
		i++;
	}
	snprintf(buf, BRIEF_MAX, i && number < tenths ? "%.1f%s" : "%.0f%s",
		 number, units[i]);
	return buf;
}

/**
 * brief_time() - a latency
 * @ns: nanoseconds
 * @buf: where the text goes
 *
 * Return: @buf: "0us", "412us", "1.2ms", "73ms", "4.0s".
 */
const char *brief_time(uint64_t ns, char buf[static BRIEF_MAX])
{
	static const char *const units[] = { "us", "ms", "s" };

	return scaled((double)ns / 1000, 1000, units, ARRAY_SIZE(units), 9.95,
		      buf);
}

/**
 * brief_count() - how many
 * @number: of anything
 * @buf: where the text goes
 *
 * Return: @buf: "0", "812", "99999", "123k", "1.2M".
 */
const char *brief_count(double number, char buf[static BRIEF_MAX])
{
	static const char *const units[] = { "", "k", "M", "G", "T", "P", "E" };

	if (number < 99999.5) {
		snprintf(buf, BRIEF_MAX, "%.0f", number);
		return buf;
	}
	return scaled(number, 1000, units, ARRAY_SIZE(units), 9.95, buf);
}

/**
 * brief_size() - a size, or what was moved in a second
 * @bytes: of it
 * @buf: where the text goes
 *
 * Return: @buf: "0", "512", "4.0K", "48.2M", powers of 1024.
 */
const char *brief_size(double bytes, char buf[static BRIEF_MAX])
{
	static const char *const units[] = { "", "K", "M", "G", "T", "P", "E" };

	return scaled(bytes, 1024, units, ARRAY_SIZE(units), 99.95, buf);
}
