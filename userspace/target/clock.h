/* SPDX-License-Identifier: GPL-2.0 */
/* The monotonic clock. */
#ifndef RDMABLKD_CLOCK_H
#define RDMABLKD_CLOCK_H

#include <stdint.h>
#include <time.h>

#define USEC_PER_MSEC	((uint64_t)1000)
#define USEC_PER_SEC	((uint64_t)1000000)

static inline uint64_t clock_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * USEC_PER_SEC +
	       (uint64_t)now.tv_nsec / 1000;
}

#endif /* RDMABLKD_CLOCK_H */
