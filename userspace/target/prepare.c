// SPDX-License-Identifier: GPL-2.0
/*
 * Filling and registering a region: what a job does before an export is ready.
 *
 * It works through the region extent by extent, and STEP by STEP inside them.
 * First the store's file has to allocate the pages of a step, which fails
 * cleanly where a page fault would kill; then they are mapped, and filled with
 * what the backing has, if there is one; when all of an extent are, it is
 * registered on every device. Between steps the job looks at
 * the memory that is left and whether it was cancelled. Only a few jobs work at
 * one time; the others wait for them.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "capacity.h"
#include "macros.h"
#include "prepare.h"

#define STEP	((uint64_t)64 << 20)
#define AT_ONCE	4	/* regions; more would only be in each other's way */
#define LOOK_NS	200000000	/* how often a waiting job looks at @cancel */

static sem_t slots;
static pthread_once_t slots_once = PTHREAD_ONCE_INIT;

static int fill_step(struct prepare *prepare, uint64_t offset, uint64_t length)
{
	const struct store *store = prepare->store;
	uintptr_t start = (uintptr_t)prepare->map + offset;
	uintptr_t mask = store->page_size - 1;
	struct reason *why = &prepare->job.why;
	int err;

	/* Pages that are there take no more memory. */
	if (store->allocated < store_map_size(store) &&
	    store->page_size <= (uint64_t)sysconf(_SC_PAGESIZE)) {
		err = capacity_step(length, why);
		if (err)
			return err;
	}
	/* The ring that load.c used in this thread may still send it signals. */
	if (TEMP_FAILURE_RETRY(fallocate(store->fd, 0, (off_t)offset,
					 (off_t)length)))
		return reason_set(why, -errno,
				  "cannot allocate the region's pages: %m");

	/* The step may begin or end inside a huge page. */
	length = (length + (start & mask) + mask) & ~mask;
	start &= ~mask;
	if (madvise((void *)start, length, MADV_POPULATE_WRITE))
		return reason_set(why, -errno,
				  "cannot map the region's pages: %m");
	return 0;
}

static void count(struct prepare *prepare, uint64_t bytes)
{
	atomic_fetch_add(&prepare->steps_bytes, bytes);
}

static int load_step(struct prepare *prepare, uint64_t offset, uint64_t length)
{
	const uint64_t from = prepare->store->load_from, end = offset + length;
	struct store_load load = {
		.map = prepare->map,
		.offset = from > offset ? MIN(from, end) : offset,
		.cancel = &prepare->job.cancel,
		.done = &prepare->steps_bytes,
	};

	count(prepare, load.offset - offset);
	load.length = end - load.offset;
	if (!load.length)
		return 0;
	return prepare->store->ops->load(prepare->store, &load,
					 &prepare->job.why);
}

static int fill_extent(struct prepare *prepare, uint32_t index)
{
	uint64_t offset = prepare->layout->extent * index;
	uint64_t end = offset + layout_length(prepare->layout, index);
	int err;

	while (offset < end) {
		uint64_t length = MIN(end - offset, STEP);

		if (atomic_load(&prepare->job.cancel))
			return -ECANCELED;
		err = fill_step(prepare, offset, length);
		if (!err && prepare->load)
			err = load_step(prepare, offset, length);
		if (err)
			return err;
		offset += length;
		if (!prepare->load)
			count(prepare, length);
	}
	return 0;
}

static int register_extent(struct prepare *prepare, uint32_t index)
{
	struct region *region;
	int err;

	TAILQ_FOREACH(region, &prepare->regions, entry) {
		if (atomic_load(&prepare->job.cancel))
			return -ECANCELED;
		err = region_register(region, prepare->map, index,
				      &prepare->job.why);
		if (err)
			return err;
		if (!prepare->load)
			count(prepare, layout_length(prepare->layout, index));
	}
	return 0;
}

static int register_coarse(struct prepare *prepare)
{
	const struct staging *staging = prepare->store->staging;
	struct region *region;
	int err = 0;

	if (!staging)
		return 0;
	TAILQ_FOREACH(region, &prepare->regions, entry)
		if (!err)
			err = region_register_coarse(region, staging,
						     &prepare->job.why);
	return err;
}

static void slots_init(void)
{
	sem_init(&slots, 0, AT_ONCE);	/* fails for large numbers only */
}

static int take_slot(struct prepare *prepare)
{
	struct timespec until;

	pthread_once(&slots_once, slots_init);
	for (;;) {
		if (atomic_load(&prepare->job.cancel))
			return -ECANCELED;
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += (until.tv_nsec + LOOK_NS) / 1000000000;
		until.tv_nsec = (until.tv_nsec + LOOK_NS) % 1000000000;
		if (!sem_clockwait(&slots, CLOCK_MONOTONIC, &until))
			return 0;
	}
}

/**
 * prepare_work() - fill and register a region
 * @job: of a struct prepare
 *
 * Context: a thread of its own. Nobody else may touch the regions meanwhile.
 * Return: 0; -ECANCELED; another negative errno with @job->why set.
 */
int prepare_work(struct job *job)
{
	struct prepare *prepare = container_of(job, struct prepare, job);
	uint32_t i;
	int err;

	err = take_slot(prepare);
	if (err)
		return err;
	for (i = 0; !err && i < prepare->layout->nr; i++) {
		err = fill_extent(prepare, i);
		if (!err)
			err = register_extent(prepare, i);
	}
	if (!err)
		err = register_coarse(prepare);
	/* On a device that comes later it needs no more memory. */
	if (!err)
		prepare->store->allocated = store_map_size(prepare->store);
	/* What grows is complete when it is in the place of what it was. */
	if (!err && prepare->load && !prepare->store->load_from)
		prepare->store->ops->loaded(prepare->store);
	sem_post(&slots);
	return err;
}
