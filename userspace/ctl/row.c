// SPDX-License-Identifier: GPL-2.0
/*
 * A line of what `show` prints. See row.h.
 */
#include <stdarg.h>
#include <stdio.h>

#include "row.h"

/**
 * row() - print a line
 * @name: what it is about
 * @format: what there is to say
 */
void row(const char *name, const char *format, ...)
{
	va_list args;

	printf("    %-18s", name);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}
