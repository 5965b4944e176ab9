// SPDX-License-Identifier: GPL-2.0
/*
 * Why something failed, in words. See reason.h.
 */
#include <stdarg.h>
#include <stdio.h>

#include "reason.h"

/**
 * reason_set() - note what went wrong
 * @why: filled in; a hint from before is cleared
 * @err: the error that goes with it, negative errno
 * @format: printf format of the message
 *
 * Return: @err, so that ``return reason_set(...)`` does both.
 */
int reason_set(struct reason *why, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->message, sizeof(why->message), format, args);
	va_end(args);
	why->hint[0] = '\0';
	return err;
}

/**
 * reason_hint() - add a remedy to what went wrong
 * @why: as reason_set() left it
 * @format: printf format of the hint
 */
void reason_hint(struct reason *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->hint, sizeof(why->hint), format, args);
	va_end(args);
}
