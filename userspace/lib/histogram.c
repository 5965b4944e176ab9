// SPDX-License-Identifier: GPL-2.0
/*
 * Latency histograms. See histogram.h.
 */
#include "bucket.h"
#include "histogram.h"

/**
 * histogram_count() - how many there are in all
 * @histogram: the histogram
 *
 * Return: the number.
 */
uint64_t histogram_count(const struct histogram *histogram)
{
	uint64_t count = 0;
	uint32_t i;

	for (i = 0; i < RDMABLK_BUCKETS; i++)
		count += histogram->buckets[i];
	return count;
}

/**
 * histogram_since() - what has come since an earlier look
 * @now: becomes the difference
 * @then: earlier; of the same thing, or empty
 */
void histogram_since(struct histogram *now, const struct histogram *then)
{
	uint32_t i;

	for (i = 0; i < RDMABLK_BUCKETS; i++)
		now->buckets[i] -= then->buckets[i];
}

/**
 * histogram_percentile() - how long did it take at most, but for the slowest?
 * @histogram: the histogram
 * @percent: of those that count, up to 100
 *
 * Within its bucket it is taken to be where it would be if they were spread evenly.
 * Off by no more than a half, which is how wide a bucket is.
 *
 * Return: nanoseconds; 0 when there is nothing in it.
 */
uint64_t histogram_percentile(const struct histogram *histogram, double percent)
{
	double left = (double)histogram_count(histogram) * percent / 100;
	uint64_t begin = 0, end = 0;
	uint32_t i;

	for (i = 0; i < RDMABLK_BUCKETS; i++) {
		double in = (double)histogram->buckets[i];

		if (!histogram->buckets[i])
			continue;
		begin = rdmablk_bucket_begin(i);
		end = rdmablk_bucket_begin(i + 1);
		if (left <= in)
			return begin + (uint64_t)((double)(end - begin) * left / in);
		left -= in;
	}
	return end;
}
