// SPDX-License-Identifier: GPL-2.0
/*
 * How long a recovery waits before its next attempt, and an attempt before it asks the
 * target anew.
 *
 * Most outages are short, and should not be made much longer by waiting: the delay
 * grows with the time that has been tried in vain, and stays a fraction of it. The
 * clients of a target that is gone for long so keep nobody busy. It is blurred, so
 * that they do not come back in step.
 */
#include "delay.h"

/**
 * rdmablk_delay_ms() - how long to wait after an attempt that failed
 * @least_s: at least so long, seconds; at least 1, at most a day
 * @tried_ms: for how long it has been tried
 * @random: any number, to blur the result with
 *
 * An eighth of @tried_ms, from @least_s to eight times @least_s, but no more than a
 * minute unless @least_s is more; then a quarter less to a quarter more of it.
 *
 * Context: any.
 * Return: milliseconds.
 */
u32 rdmablk_delay_ms(u32 least_s, u32 tried_ms, u32 random)
{
	u32 least = least_s * 1000, delay = tried_ms / RDMABLK_DELAY_PART;
	u32 limit = least * RDMABLK_DELAY_MAX_TIMES;

	if (limit > RDMABLK_DELAY_MAX_MS)
		limit = RDMABLK_DELAY_MAX_MS;
	if (delay > limit)
		delay = limit;
	if (delay < least)
		delay = least;
	return delay - delay / 4 + (u32)((u64)random * (delay / 2) >> 32);
}

/**
 * rdmablk_patience_ms() - how long to wait for an answer before asking anew
 * @left_ms: of the time in which there must be one
 *
 * Half of it, or the rest when that is short. So a target that is slow has its time, and
 * at the end, when an attempt fails and there is a pause, not much of it has been spent
 * on a request that got lost.
 *
 * Context: any.
 * Return: milliseconds; @left_ms when it is the last time.
 */
u32 rdmablk_patience_ms(u32 left_ms)
{
	u32 half = left_ms / 2;

	return half < RDMABLK_PATIENCE_MIN_MS ? left_ms : half;
}
