/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Buckets of a latency histogram: two to an octave. Pure arithmetic; the module
 * sorts into them, rbdctl reads them.
 */
#ifndef RDMABLK_BUCKET_H
#define RDMABLK_BUCKET_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#include "uapi/rdmablk_genl.h"

/**
 * rdmablk_bucket() - the bucket of a latency
 * @ns: nanoseconds
 *
 * Return: below RDMABLK_BUCKETS; the first has all that is shorter than its own
 * end, the last all that is longer.
 */
static inline u32 rdmablk_bucket(u64 ns)
{
	u32 octave, bucket;

	if (ns < 1ULL << RDMABLK_BUCKET_SHIFT)
		return 0;
	octave = 63 - __builtin_clzll(ns);
	bucket = 1 + 2 * (octave - RDMABLK_BUCKET_SHIFT) +
		 ((ns >> (octave - 1)) & 1);
	return bucket < RDMABLK_BUCKETS ? bucket : RDMABLK_BUCKETS - 1;
}

/**
 * rdmablk_bucket_begin() - where a bucket begins
 * @bucket: up to RDMABLK_BUCKETS, whose beginning is the end of the last
 *
 * Return: the shortest latency in it, nanoseconds.
 */
static inline u64 rdmablk_bucket_begin(u32 bucket)
{
	u64 octave;

	if (!bucket)
		return 0;
	octave = 1ULL << (RDMABLK_BUCKET_SHIFT + (bucket - 1) / 2);
	return (bucket - 1) % 2 ? octave + octave / 2 : octave;
}

#endif /* RDMABLK_BUCKET_H */
