/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Latencies, counted in buckets that are less than 2 % wide.
 */
#ifndef BENCH_LATENCY_H
#define BENCH_LATENCY_H

#include <stdint.h>

#define LATENCY_FINE	6	/* bits within a power of two */
#define LATENCY_BUCKETS	((64 - LATENCY_FINE + 1) << LATENCY_FINE)

/**
 * struct latency - latencies, in nanoseconds
 * @count: of them
 * @sum: of them
 * @bucket: how many fall into each
 */
struct latency {
	uint64_t	count;
	uint64_t	sum;
	uint64_t	bucket[LATENCY_BUCKETS];
};

static inline unsigned int latency_bucket(uint64_t ns)
{
	unsigned int shift;

	if (ns < 1 << LATENCY_FINE)
		return ns;
	shift = 63 - __builtin_clzll(ns) - LATENCY_FINE;
	return ((shift + 1) << LATENCY_FINE) + (ns >> shift) -
	       (1 << LATENCY_FINE);
}

/* The least latency that falls into a bucket. */
static inline uint64_t latency_least(unsigned int bucket)
{
	unsigned int shift = bucket >> LATENCY_FINE;
	uint64_t fine = bucket & ((1 << LATENCY_FINE) - 1);

	return shift ? (fine + (1 << LATENCY_FINE)) << (shift - 1) : fine;
}

static inline void latency_add(struct latency *latency, uint64_t ns)
{
	latency->count++;
	latency->sum += ns;
	latency->bucket[latency_bucket(ns)]++;
}

static inline void latency_merge(struct latency *to, const struct latency *from)
{
	to->count += from->count;
	to->sum += from->sum;
	for (unsigned int i = 0; i < LATENCY_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
}

static inline double latency_mean(const struct latency *latency)
{
	return latency->count ? (double)latency->sum / latency->count : 0;
}

static inline uint64_t latency_percentile(const struct latency *latency,
					  double part)
{
	uint64_t below = 0;
	unsigned int i;

	for (i = 0; i < LATENCY_BUCKETS - 1; i++) {
		below += latency->bucket[i];
		if (below >= part * latency->count)
			break;
	}
	return latency_least(i);
}

#endif /* BENCH_LATENCY_H */
