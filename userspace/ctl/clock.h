/* SPDX-License-Identifier: GPL-2.0 */
/* Time that only goes forward, for deadlines and rates. */
#ifndef RBDCTL_CLOCK_H
#define RBDCTL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#endif /* RBDCTL_CLOCK_H */
