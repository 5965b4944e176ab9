/* SPDX-License-Identifier: GPL-2.0 */
/* Latency histograms, and what they say in one number. */
#ifndef RDMABLK_LIB_HISTOGRAM_H
#define RDMABLK_LIB_HISTOGRAM_H

#include <stdint.h>

#include "uapi/rdmablk_genl.h"

/**
 * struct histogram - how many took how long
 * @buckets: as rdmablk_bucket() sorts them
 */
struct histogram {
	uint64_t buckets[RDMABLK_BUCKETS];
};

uint64_t histogram_count(const struct histogram *histogram);
void histogram_since(struct histogram *now, const struct histogram *then);
uint64_t histogram_percentile(const struct histogram *histogram,
			      double percent);

#endif /* RDMABLK_LIB_HISTOGRAM_H */
