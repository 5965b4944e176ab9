// SPDX-License-Identifier: GPL-2.0
/*
 * What is done with an export in the background: it is prepared, which makes
 * it ready, registered on RDMA devices that come later, and released.
 *
 * While a job runs it owns what it works on: @prepare.regions, or everything
 * while releasing. The event loop takes over when the job has ended.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "clock.h"
#include "export.h"
#include "export_drain.h"
#include "export_resize.h"
#include "export_work.h"
#include "capacity.h"
#include "log.h"
#include "macros.h"
#include "place.h"
#include "size.h"
#include "timer.h"

#define LOG_TICKS	5	/* seconds between progress lines in the log */

/**
 * export_notify() - tell all who watch an export
 * @export: the export
 * @event: what happened
 * @why: set for failures
 */
void export_notify(struct export *export, enum export_event event,
		   const struct reason *why)
{
	struct export_watch *watch, *next;

	TAILQ_FOREACH_SAFE(watch, &export->watches, entry, next)
		watch->event(watch, export, event, why);
}

/* ---- Release ----------------------------------------------------------- */

/* In a thread: unpinning and freeing take as long as pinning did. */
static int release_work(struct job *job)
{
	struct export *export = container_of(job, struct export, release);

	region_free_all(&export->prepare.regions);
	region_free_all(&export->regions);
	if (export->map)
		munmap(export->map, store_map_size(&export->store));
	if (export->failed) {
		store_discard(&export->store);
		return 0;
	}
	if (!export->keep)
		store_remove(&export->store);
	store_close(&export->store);
	return 0;
}

static void release_done(struct job *job,
			 int err __attribute__((unused)))
{
	struct export *export = container_of(job, struct export, release);

	export_notify(export, EXPORT_EVENT_GONE, NULL);
	TAILQ_REMOVE(&export->daemon->exports, export, entry);
	sd_event_source_disable_unref(export->timer);
	place_drop_all(&export->places);
	log_info("export %s: removed", export->spec.name);
	free(export);
}

static void release_start(struct export *export)
{
	export->state = EXPORT_RELEASING;
	export->keep = export->daemon->stopping;
	export_drain_close(export);
	timer_set(export->timer, clock_now_us() + USEC_PER_SEC);
	export->release.work = release_work;
	export->release.done = release_done;
	job_run(&export->release, export->daemon->event);
}

/**
 * export_release() - take an export apart
 * @export: written back, or without a backing; freed later
 */
void export_release(struct export *export)
{
	if (!export->busy) {
		release_start(export);
		return;
	}
	/* export_work_prepared() goes on. What was ready once is not undone. */
	export->failed = export->state == EXPORT_PREPARING;
	export->state = EXPORT_RELEASING;
	job_cancel(&export->prepare.job);
}

/**
 * export_remove() - take an export out of service
 * @export: nobody holds a claim on it; freed later, EXPORT_EVENT_GONE tells;
 *	    or it stays, EXPORT_EVENT_KEPT tells
 * @force: it goes even if it cannot be written back
 */
void export_remove(struct export *export, bool force)
{
	export->forced |= force;
	if (export_leaving(export))
		return;
	if (export->resize && export_resize_leave(export))
		return;
	if (export->state == EXPORT_READY && export->writeback)
		export_drain(export);
	else
		export_release(export);
}

/* ---- Preparation ------------------------------------------------------- */

static void report_ready(struct export *export)
{
	char size[SIZE_TEXT_MAX];
	uint64_t ms = (clock_now_us() - export->started_us) / USEC_PER_MSEC;

	log_info("export %s: ready: %s in %u extents, %u.%03u s",
		 export->spec.name, size_text(export->store.size, size),
		 export->layout.nr, (unsigned int)(ms / 1000),
		 (unsigned int)(ms % 1000));
}

static int alloc_regions(struct export *export, const struct layout *layout,
			 const struct region_list *covered,
			 struct region_list *list, struct reason *why)
{
	const unsigned int faces = export->spec.read_only ? 1 : NR_FACES;
	struct device *device;
	struct region *region;
	int err;

	TAILQ_FOREACH(device, &export->daemon->devices, entry) {
		if (device->gone || region_find(covered, device))
			continue;
		if (layout->extent > device->attr.max_mr_size &&
		    layout->size > device->attr.max_mr_size)
			return reason_set(why, -EOPNOTSUPP,
				"RDMA device %s cannot register an extent of %ju bytes",
				device_name(device),
				(uintmax_t)layout->extent);
		err = capacity_device(device, layout, faces, why);
		if (!err)
			err = region_alloc(device, layout,
					   export->spec.read_only, &region,
					   why);
		if (err)
			return err;
		TAILQ_INSERT_TAIL(list, region, entry);
	}
	return 0;
}

/**
 * export_work_prepare() - have a region filled and registered
 * @export: its @prepare has store, map, layout and the job's functions set, and
 *	    is not running
 * @covered: regions on devices that need no other one
 * @why: set on failure
 *
 * Return: 0, and the job runs; or a negative errno.
 */
int export_work_prepare(struct export *export,
			const struct region_list *covered, struct reason *why)
{
	struct prepare *prepare = &export->prepare;
	struct region *region;
	int err;

	TAILQ_INIT(&prepare->regions);
	atomic_store(&prepare->steps_bytes, 0);
	prepare->load = store_must_load(prepare->store);
	prepare->nr_steps = 1;
	err = alloc_regions(export, prepare->layout, covered,
			    &prepare->regions, why);
	TAILQ_FOREACH(region, &prepare->regions, entry)
		prepare->nr_steps += !prepare->load;
	if (!err)
		err = job_start(&prepare->job, export->daemon->event, why);
	if (err)
		region_free_all(&prepare->regions);
	return err;
}

static bool lacks_device(const struct export *export)
{
	const struct device *device;

	TAILQ_FOREACH(device, &export->daemon->devices, entry)
		if (!device->gone && !region_find(&export->regions, device))
			return true;
	return false;
}

/**
 * export_work_start() - register on the devices that lack registrations
 * @export: mapped; no job runs
 * @why: set on failure
 *
 * Return: 1, and the job runs; 0: no device lacks any; or a negative errno.
 */
int export_work_start(struct export *export, struct reason *why)
{
	struct prepare *prepare = &export->prepare;
	int err;

	if (!lacks_device(export))
		return 0;
	prepare->job.work = prepare_work;
	prepare->job.done = export_work_prepared;
	prepare->store = &export->store;
	prepare->map = export->map;
	prepare->layout = &export->layout;
	err = export_work_prepare(export, &export->regions, why);
	export->busy = !err;
	return err ? err : 1;
}

/* The first job of an export makes it ready or breaks it. */
static void first_succeeded(struct export *export)
{
	export->state = EXPORT_READY;
	timer_stop(export->timer);
	report_ready(export);
	if (!export->spec.read_only)
		place_restore(&export->places, &export->store.identity,
			      clock_now_us());
	/* What a daemon that was killed left behind. */
	if (export->writeback)
		writeback_adopt(export->writeback);
	export_notify(export, EXPORT_EVENT_READY, NULL);
}

static void first_failed(struct export *export)
{
	export->failed = true;
	/* Whoever is told may want it removed: that is under way. */
	export->state = EXPORT_RELEASING;
	export_notify(export, EXPORT_EVENT_FAILED, &export->prepare.job.why);
	release_start(export);
}

/**
 * export_take_regions() - take over what the job registered
 * @export: gets it, on devices that are still there
 */
void export_take_regions(struct export *export)
{
	struct region_list *regions = &export->prepare.regions;
	struct region *region, *next;

	TAILQ_FOREACH_SAFE(region, regions, entry, next) {
		TAILQ_REMOVE(regions, region, entry);
		if (region->device->gone)
			region_free(region);
		else
			TAILQ_INSERT_TAIL(&export->regions, region, entry);
	}
}

/**
 * export_work_prepared() - the job that prepares an export has ended
 * @job: of the export; freed later if that is how it ends
 * @err: 0, or a negative errno
 */
void export_work_prepared(struct job *job, int err)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct reason why;

	export->busy = false;
	if (export->state == EXPORT_RELEASING) {
		release_start(export);
		return;
	}
	if (err && export->state == EXPORT_PREPARING) {
		first_failed(export);
		return;
	}
	if (err) {
		log_error("export %s: %s", export->spec.name, job->why.message);
		region_free_all(&export->prepare.regions);
		return;
	}
	export_take_regions(export);
	if (export->state == EXPORT_PREPARING)
		first_succeeded(export);
	if (export->state == EXPORT_READY && export_work_start(export, &why) < 0)
		log_error("export %s: %s", export->spec.name, why.message);
}

/**
 * export_cover_devices() - register exports on devices that came later
 * @daemon: the daemon
 */
void export_cover_devices(struct daemon *daemon)
{
	struct export *export;
	struct reason why;

	TAILQ_FOREACH(export, &daemon->exports, entry) {
		/* One that is busy looks for new devices when it is not. */
		if (export->state != EXPORT_READY || export->busy)
			continue;
		if (export_work_start(export, &why) < 0)
			log_error("export %s: %s", export->spec.name,
				  why.message);
	}
}

/**
 * export_work_begin() - something begins that reports its progress
 * @export: whose timer ticks from now on
 */
void export_work_begin(struct export *export)
{
	export->started_us = clock_now_us();
	export->ticks = 0;
	timer_set(export->timer, export->started_us + USEC_PER_SEC);
}

/**
 * export_work_tick() - a second has passed while a job runs
 * @timer: the export's timer
 * @now_us: when that was
 * @data: the export
 *
 * Return: 0.
 */
int export_work_tick(sd_event_source *timer,
		     __attribute__((unused)) uint64_t now_us, void *data)
{
	struct export *export = data;
	char done[SIZE_TEXT_MAX], total[SIZE_TEXT_MAX], rate[SIZE_TEXT_MAX];
	struct export_progress progress;

	export->ticks++;
	if (export->state != EXPORT_RELEASING &&
	    export->ticks % LOG_TICKS == 0) {
		export_progress(export, &progress);
		log_info("export %s: %s: %s of %s, %s/s, %" PRIu64 ":%02" PRIu64 " left",
			 export->spec.name, export_phase_name(export),
			 size_text(progress.done, done),
			 size_text(progress.total, total),
			 size_text(progress.rate, rate),
			 progress.left_s / 60, progress.left_s % 60);
	}
	timer_set(timer, clock_now_us() + USEC_PER_SEC);
	export_notify(export, EXPORT_EVENT_PROGRESS, NULL);
	return 0;
}
