// SPDX-License-Identifier: GPL-2.0
/*
 * Why something failed. See reason.h.
 */
#include <linux/kernel.h>
#include <linux/stdarg.h>

#include "reason.h"

/**
 * rdmablk_reason_set() - note why something failed
 * @reason: where
 * @error: negative errno
 * @fmt: a sentence without a full stop
 *
 * Context: any; the caller owns @reason.
 * Return: @error, so that it can end a function.
 */
int rdmablk_reason_set(struct rdmablk_reason *reason, int error,
		       const char *fmt, ...)
{
	va_list args;

	reason->error = error;
	va_start(args, fmt);
	vscnprintf(reason->text, sizeof(reason->text), fmt, args);
	va_end(args);
	return error;
}
