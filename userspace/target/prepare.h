/* SPDX-License-Identifier: GPL-2.0 */
/* Filling and registering a region. */
#ifndef RDMABLKD_PREPARE_H
#define RDMABLKD_PREPARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "region.h"
#include "store.h"

/**
 * struct prepare - a region being filled and registered
 * @job: does it: its work is prepare_work()
 * @store: whose pages are filled
 * @load: its contents have to be loaded from a backing
 * @map: where the region is mapped
 * @layout: its extents
 * @regions: where they are registered: all in the list
 * @steps_bytes: bytes done: each counts when it is filled, and again for each
 *		 device that it is registered on; with @load only when loaded,
 *		 because next to that the others take no time
 * @nr_steps: how often each byte counts
 */
struct prepare {
	struct job		job;
	struct store		*store;
	bool			load;
	void			*map;
	const struct layout	*layout;
	struct region_list	regions;
	_Atomic uint64_t	steps_bytes;
	unsigned int		nr_steps;
};

int prepare_work(struct job *job);

#endif /* RDMABLKD_PREPARE_H */
