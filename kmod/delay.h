/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long a recovery waits before its next attempt, and an attempt before it asks the
 * target anew. Pure arithmetic; unit-tested in user space.
 */
#ifndef RDMABLK_DELAY_H
#define RDMABLK_DELAY_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/* The part of the time tried so far that the next delay is. */
#define RDMABLK_DELAY_PART	8
/* The delay stops growing here, or at as many times the least one. */
#define RDMABLK_DELAY_MAX_MS	60000
#define RDMABLK_DELAY_MAX_TIMES	8
/* An answer is waited for as long as this, at least, before it is asked for anew. */
#define RDMABLK_PATIENCE_MIN_MS	500

u32 rdmablk_delay_ms(u32 least_s, u32 tried_ms, u32 random);
u32 rdmablk_patience_ms(u32 left_ms);

#endif /* RDMABLK_DELAY_H */
