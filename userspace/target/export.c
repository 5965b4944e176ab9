// SPDX-License-Identifier: GPL-2.0
/*
 * An export's life: added, prepared in the background, ready, released in the
 * background. Sessions and the control socket look at exports and watch them;
 * an export knows of sessions only that they hold claims.
 *
 * What takes long runs in jobs. While one does, it owns the registrations that
 * it works on: @prepare.regions, or everything while releasing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "config.h"
#include "export.h"
#include "limits.h"
#include "log.h"
#include "macros.h"
#include "size.h"
#include "timer.h"

#define LOG_TICKS	5	/* seconds between progress lines in the log */

static void notify(struct export *export, enum export_event event,
		   const struct reason *why)
{
	struct export_watch *watch, *next;

	TAILQ_FOREACH_SAFE(watch, &export->watches, entry, next)
		watch->event(watch, export, event, why);
}

/* ---- Release ----------------------------------------------------------- */

static void free_regions(struct region_list *regions)
{
	struct region *region, *next;

	TAILQ_FOREACH_SAFE(region, regions, entry, next) {
		TAILQ_REMOVE(regions, region, entry);
		region_free(region);
	}
}

/* In a thread: unpinning and freeing take as long as pinning did. */
static int release_work(struct job *job)
{
	struct export *export = container_of(job, struct export, release);

	free_regions(&export->prepare.regions);
	free_regions(&export->regions);
	if (export->map)
		munmap(export->map, store_map_size(&export->store));
	if (export->failed)
		store_discard(&export->store);
	else
		store_close(&export->store);
	return 0;
}

static void release_done(struct job *job,
			 int err __attribute__((unused)))
{
	struct export *export = container_of(job, struct export, release);

	notify(export, EXPORT_EVENT_GONE, NULL);
	TAILQ_REMOVE(&export->daemon->exports, export, entry);
	sd_event_source_disable_unref(export->timer);
	log_info("export %s: removed", export->spec.name);
	free(export);
}

static void release_start(struct export *export)
{
	struct reason why;

	export->state = EXPORT_RELEASING;
	timer_set(export->timer, clock_now_us() + USEC_PER_SEC);
	export->release.work = release_work;
	export->release.done = release_done;
	if (!job_start(&export->release, export->daemon->event, &why))
		return;
	/* Without a thread the loop has to wait. */
	log_warning("export %s: %s", export->spec.name, why.message);
	release_done(&export->release, release_work(&export->release));
}

/**
 * export_remove() - take an export out of service
 * @export: nobody holds a claim on it; freed later, EXPORT_EVENT_GONE tells
 */
void export_remove(struct export *export)
{
	if (export->state == EXPORT_RELEASING)
		return;
	if (!export->busy) {
		release_start(export);
		return;
	}
	/* prepare_done() goes on. */
	export->state = EXPORT_RELEASING;
	job_cancel(&export->prepare.job);
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

static bool start_missing(struct export *export, struct reason *why, int *err);

/* The first job of an export makes it ready or breaks it. */
static void first_done(struct export *export, int err)
{
	if (err) {
		export->failed = true;
		notify(export, EXPORT_EVENT_FAILED, &export->prepare.job.why);
		release_start(export);
		return;
	}
	export->state = EXPORT_READY;
	timer_stop(export->timer);
	report_ready(export);
	notify(export, EXPORT_EVENT_READY, NULL);
}

static void prepare_done(struct job *job, int err)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct reason why;

	export->busy = false;
	if (export->state == EXPORT_RELEASING) {
		export->failed = TAILQ_EMPTY(&export->regions);
		release_start(export);
		return;
	}
	if (!err)
		TAILQ_CONCAT(&export->regions, &export->prepare.regions, entry);
	if (export->state == EXPORT_PREPARING) {
		first_done(export, err);
	} else if (err) {
		log_error("export %s: %s", export->spec.name, job->why.message);
		free_regions(&export->prepare.regions);
		return;
	}
	if (export->state == EXPORT_READY && start_missing(export, &why, &err) &&
	    err)
		log_error("export %s: %s", export->spec.name, why.message);
}

static int alloc_regions(struct export *export, struct region_list *list,
			 struct reason *why)
{
	const unsigned int faces = export->spec.read_only ? 1 : NR_FACES;
	struct device *device;
	struct region *region;
	int err;

	TAILQ_FOREACH(device, &export->daemon->devices, entry) {
		if (device->gone || export_region(export, device))
			continue;
		if (export->layout.extent > device->attr.max_mr_size &&
		    export->layout.size > device->attr.max_mr_size)
			return reason_set(why, -EOPNOTSUPP,
				"RDMA device %s cannot register an extent of %ju bytes",
				device_name(device),
				(uintmax_t)export->layout.extent);
		err = limits_device(device, &export->layout, faces, why);
		if (!err)
			err = region_alloc(device, &export->layout,
					   export->spec.read_only, &region,
					   why);
		if (err)
			return err;
		TAILQ_INSERT_TAIL(list, region, entry);
	}
	return 0;
}

/* Starts a job for the devices that lack registrations. False: none does. */
static bool start_missing(struct export *export, struct reason *why, int *err)
{
	struct prepare *prepare = &export->prepare;
	struct region *region;

	TAILQ_INIT(&prepare->regions);
	*err = alloc_regions(export, &prepare->regions, why);
	if (!*err && TAILQ_EMPTY(&prepare->regions))
		return false;

	prepare->job.work = prepare_work;
	prepare->job.done = prepare_done;
	prepare->store = &export->store;
	prepare->map = export->map;
	prepare->layout = &export->layout;
	atomic_store(&prepare->steps_bytes, 0);
	prepare->nr_steps = 1;
	TAILQ_FOREACH(region, &prepare->regions, entry)
		prepare->nr_steps++;
	if (!*err)
		*err = job_start(&prepare->job, export->daemon->event, why);
	if (*err)
		free_regions(&prepare->regions);
	else
		export->busy = true;
	return true;
}

/**
 * export_cover_devices() - register exports on devices that came later
 * @daemon: the daemon
 */
void export_cover_devices(struct daemon *daemon)
{
	struct export *export;
	struct reason why;
	int err;

	TAILQ_FOREACH(export, &daemon->exports, entry) {
		/* One that is busy looks for new devices when it is not. */
		if (export->state != EXPORT_READY || export->busy)
			continue;
		if (start_missing(export, &why, &err) && err)
			log_error("export %s: %s", export->spec.name,
				  why.message);
	}
}

static int on_tick(sd_event_source *timer,
		   uint64_t now_us __attribute__((unused)), void *data)
{
	struct export *export = data;
	char done[SIZE_TEXT_MAX], total[SIZE_TEXT_MAX], rate[SIZE_TEXT_MAX];
	struct export_progress progress;

	export->ticks++;
	if (export->state == EXPORT_PREPARING &&
	    export->ticks % LOG_TICKS == 0) {
		export_progress(export, &progress);
		log_info("export %s: preparing: %s of %s, %s/s",
			 export->spec.name, size_text(progress.done, done),
			 size_text(progress.total, total),
			 size_text(progress.rate, rate));
	}
	timer_set(timer, clock_now_us() + USEC_PER_SEC);
	notify(export, EXPORT_EVENT_PROGRESS, NULL);
	return 0;
}

/* ---- Addition ---------------------------------------------------------- */

/* Smallest max_mr_size; and how many registrations each byte will get. */
static uint64_t device_limits(const struct daemon *daemon, bool read_only,
			      unsigned int *registrations)
{
	uint64_t max_mr = UINT64_MAX;
	struct device *device;

	*registrations = 0;
	TAILQ_FOREACH(device, &daemon->devices, entry) {
		max_mr = MIN(max_mr, (uint64_t)device->attr.max_mr_size);
		*registrations += read_only ? 1 : NR_FACES;
	}
	return max_mr;
}

/* Bytes that exports in preparation have still to fill. */
static uint64_t promised(const struct daemon *daemon)
{
	const struct export *export;
	struct export_progress progress;
	uint64_t sum = 0;

	TAILQ_FOREACH(export, &daemon->exports, entry) {
		if (export->state != EXPORT_PREPARING || !export->busy)
			continue;
		export_progress(export, &progress);
		sum += progress.total - progress.done;
	}
	return sum;
}

static int check_limits(struct export *export, struct reason *why)
{
	struct store *store = &export->store;
	uint64_t pending = promised(export->daemon), max_mr;
	unsigned int registrations;
	int err;

	max_mr = device_limits(export->daemon, export->spec.read_only,
			       &registrations);
	err = layout_cut(&export->layout, store->size,
			 export->spec.extent_size, max_mr, why);
	if (!err)
		err = limits_file_system(store, why);
	if (!err)
		err = limits_memory(store, pending, why);
	if (!err)
		err = limits_memlock(store->size * registrations,
				     pending * registrations, why);
	return err;
}

static int map_store(struct export *export, struct reason *why)
{
	size_t size = store_map_size(&export->store);

	export->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			   export->store.fd, 0);
	if (export->map == MAP_FAILED) {
		export->map = NULL;
		return reason_set(why, -errno, "cannot map %zu bytes: %m", size);
	}
	/* What clients store has no place in a core dump. */
	if (madvise(export->map, size, MADV_DONTDUMP))
		return reason_set(why, -errno, "madvise: %m");
	return 0;
}

static struct export *export_alloc(struct daemon *daemon,
				   const struct spec *spec)
{
	struct export *export = calloc(1, sizeof(*export));

	if (!export)
		return NULL;
	export->daemon = daemon;
	export->spec = *spec;
	export->store.fd = -1;
	export->started_us = clock_now_us();
	TAILQ_INIT(&export->regions);
	TAILQ_INIT(&export->prepare.regions);
	TAILQ_INIT(&export->claims);
	TAILQ_INIT(&export->watches);
	return export;
}

static int export_start(struct export *export, struct reason *why)
{
	struct daemon *daemon = export->daemon;
	int err;

	err = store_open(&export->store, &export->spec,
			 daemon->config->state_dir, why);
	if (err)
		return err;
	err = check_limits(export, why);
	if (!err)
		err = map_store(export, why);
	if (!err) {
		err = timer_new(daemon->event, &export->timer, on_tick, export);
		if (err)
			reason_set(why, err, "timer: %s", strerror(-err));
	}
	if (!err && !start_missing(export, why, &err))
		err = reason_set(why, -ENODEV, "no RDMA device is in use");
	if (!err)
		return 0;

	sd_event_source_disable_unref(export->timer);
	if (export->map)
		munmap(export->map, store_map_size(&export->store));
	store_discard(&export->store);
	return err;
}

/**
 * export_add() - begin to offer an export
 * @daemon: the daemon
 * @spec: passed spec_check()
 * @out: set to the export, which is being prepared: watch it
 * @why: set on failure
 *
 * Return: 0; -EEXIST when there is one of that name; -ENOMEM, -ENOSPC and
 * others when a limit stands in the way: then nothing was changed.
 */
int export_add(struct daemon *daemon, const struct spec *spec,
	       struct export **out, struct reason *why)
{
	struct export *export;
	int err;

	if (export_find(daemon, spec->name))
		return reason_set(why, -EEXIST, "there is an export %s already",
				  spec->name);
	export = export_alloc(daemon, spec);
	if (!export)
		return reason_set(why, -ENOMEM, "out of memory");
	err = export_start(export, why);
	if (err) {
		free(export);
		return err;
	}
	timer_set(export->timer, export->started_us + USEC_PER_SEC);
	TAILQ_INSERT_TAIL(&daemon->exports, export, entry);
	*out = export;
	return 0;
}

/* ---- Looking at exports ------------------------------------------------- */

/**
 * export_find() - look an export up
 * @daemon: the daemon
 * @name: its name
 *
 * Return: the export, in whatever state, or NULL.
 */
struct export *export_find(struct daemon *daemon, const char *name)
{
	struct export *export;

	TAILQ_FOREACH(export, &daemon->exports, entry)
		if (!strcmp(export->spec.name, name))
			return export;
	return NULL;
}

/**
 * export_region() - an export's registrations on a device
 * @export: the export
 * @device: the device
 *
 * Return: the region, complete, or NULL.
 */
struct region *export_region(struct export *export, const struct device *device)
{
	struct region *region;

	TAILQ_FOREACH(region, &export->regions, entry)
		if (region->device == device)
			return region;
	return NULL;
}

/**
 * export_state_name() - an export's state in a word
 * @export: the export
 *
 * Return: a constant string.
 */
const char *export_state_name(const struct export *export)
{
	static const char * const names[] = {
		[EXPORT_PREPARING]	= "preparing",
		[EXPORT_READY]		= "ready",
		[EXPORT_RELEASING]	= "releasing",
	};

	return names[export->state];
}

/**
 * export_progress() - how far has preparing come?
 * @export: being prepared
 * @progress: filled in
 */
void export_progress(const struct export *export,
		     struct export_progress *progress)
{
	uint64_t us = clock_now_us() - export->started_us;
	struct export_progress now = {
		.done	= atomic_load(&export->prepare.steps_bytes) /
			  export->prepare.nr_steps,
		.total	= export->layout.size,
	};

	/* In KiB, so that the product has room. */
	now.rate = us ? (now.done >> 10) * USEC_PER_SEC / us << 10 : 0;
	*progress = now;
}

/**
 * export_watch() - be told how an export fares
 * @export: the export
 * @watch: with its function set; stays in the list until export_unwatch()
 */
void export_watch(struct export *export, struct export_watch *watch)
{
	TAILQ_INSERT_TAIL(&export->watches, watch, entry);
}

/**
 * export_unwatch() - be told no more; also from within the watch's function
 * @export: the export
 * @watch: in the list
 */
void export_unwatch(struct export *export, struct export_watch *watch)
{
	TAILQ_REMOVE(&export->watches, watch, entry);
}
