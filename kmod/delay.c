// SPDX-License-Identifier: GPL-2.0
/*
 * How long a recovery waits before its next attempt.
 *
 * A target that restarts has all its clients come back: the delay doubles, so that
 * they do not keep it busy, and is blurred, so that they do not come in step.
 */
#include "delay.h"

/**
 * rdmablk_delay_ms() - how long to wait after an attempt that failed
 * @first_s: after the first one, seconds; at least 1, at most a day
 * @failed: attempts that have failed, at least 1
 * @random: any number, to blur the result with
 *
 * Doubles with each failure up to eight times @first_s, but to no more than a
 * minute unless @first_s is more; then a quarter less to a quarter more of it.
 *
 * Context: any.
 * Return: milliseconds.
 */
u32 rdmablk_delay_ms(u32 first_s, u32 failed, u32 random)
{
	u32 first = first_s * 1000, delay = first, i;
	u32 limit = first * RDMABLK_DELAY_MAX_TIMES;

	if (limit > RDMABLK_DELAY_MAX_MS)
		limit = RDMABLK_DELAY_MAX_MS;
	if (limit < first)
		limit = first;
	for (i = 1; i < failed && delay < limit; i++)
		delay *= 2;
	if (delay > limit)
		delay = limit;
	return delay - delay / 4 + (u32)((u64)random * (delay / 2) >> 32);
}
