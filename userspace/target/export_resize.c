// SPDX-License-Identifier: GPL-2.0
/*
 * Resizing an export. It grows while its clients go on: the memory is made
 * longer, and mapped, filled and registered a second time as a whole. Then it
 * is taken from them for a moment: what is dirty is written back, the backing
 * and what belongs to the memory get the new size, and the second registrations
 * take the place of the first. The clients come back by themselves, and see
 * the new size.
 *
 * What does not go like that, because something is cut off or too little is
 * added, is done from the ground up, in export_refit.c.
 *
 * Until the store has grown nothing is lost by going back, and whatever fails
 * leaves the export as it was, and serving. @busy is set from the beginning to
 * the end, and one job runs at a time.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "clock.h"
#include "export_drain.h"
#include "export_resize.h"
#include "export_work.h"
#include "log.h"
#include "macros.h"
#include "place.h"
#include "session.h"
#include "size.h"
#include "staging.h"
#include "timer.h"

/* ---- How it ends --------------------------------------------------------- */

static void report(const struct resize *resize)
{
	const struct export *export = resize->export;
	char from[SIZE_TEXT_MAX], to[SIZE_TEXT_MAX];

	if (resize->err) {
		log_error("export %s: not resized: %s", export->spec.name,
			  resize->why.message);
		return;
	}
	log_info("export %s: resized from %s to %s", export->spec.name,
		 size_text(resize->from, from),
		 size_text(export->store.size, to));
}

/**
 * export_resize_end() - nothing is left to be done for a resize
 * @resize: freed; what belonged to it is gone
 */
void export_resize_end(struct resize *resize)
{
	struct export *export = resize->export;

	report(resize);
	place_begin(&export->places, clock_now_us());
	export->busy = false;
	if (export->state == EXPORT_READY)
		timer_stop(export->timer);
	export_notify(export, EXPORT_EVENT_RESIZED,
		      resize->err ? &resize->why : NULL);
	export->resize = NULL;
	free(resize);
	if (export->state == EXPORT_RELEASING) {
		export_release(export);
	} else if (export->leaves) {
		export->leaves = false;
		export_remove(export, export->forced);
	} else {
		/* Those that came meanwhile were left out. */
		export_cover_devices(export->daemon);
	}
}

/* In a thread: unpinning takes as long as pinning did. */
static int free_work(struct job *job)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;

	region_free_all(&resize->regions);
	munmap(resize->map, resize->map_size);
	if (resize->grown.staging)
		staging_unmap(resize->grown.staging);
	if (resize->err)
		export->store.ops->retract(&export->store);
	return 0;
}

static void freed(struct job *job, int err __attribute__((unused)))
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;

	free(resize->grown.staging);
	if (resize->err)
		store_retracted(&export->store);
	export_resize_end(resize);
}

static void start_job(struct export *export, int (*work)(struct job *job),
		      void (*done)(struct job *job, int err))
{
	struct job *job = &export->prepare.job;

	job->work = work;
	job->done = done;
	job_run(job, export->daemon->event);
}

/* What it is not, or not any more, served from. */
static void free_rest(struct resize *resize)
{
	writeback_free(resize->writeback);
	start_job(resize->export, free_work, freed);
}

/* Nothing was exchanged: the export stays as it is, and is served. */
static void give_up(struct resize *resize, int err, const struct reason *why)
{
	struct export *export = resize->export;

	resize->err = err;
	resize->why = *why;
	if (export->state == EXPORT_RESIZING)
		export->state = EXPORT_READY;
	if (resize->anew)
		export_resize_end(resize);
	else
		free_rest(resize);
}

/* ---- The switch ---------------------------------------------------------- */

/* Each list's regions point to the layout beside it. */
static void exchange_regions(struct resize *resize)
{
	struct export *export = resize->export;
	struct layout layout = export->layout;
	struct region *region, *next;
	struct region_list old;

	TAILQ_INIT(&old);
	TAILQ_CONCAT(&old, &export->regions, entry);
	TAILQ_FOREACH_SAFE(region, &resize->regions, entry, next) {
		if (region->device->gone)
			continue;
		TAILQ_REMOVE(&resize->regions, region, entry);
		TAILQ_INSERT_TAIL(&export->regions, region, entry);
		region->layout = &export->layout;
	}
	export->layout = resize->layout;
	/* What is left is that of devices that went away, of the new layout. */
	region_free_all(&resize->regions);
	TAILQ_CONCAT(&resize->regions, &old, entry);
	resize->layout = layout;
	TAILQ_FOREACH(region, &resize->regions, entry)
		region->layout = &resize->layout;
}

static void exchange(struct resize *resize)
{
	struct export *export = resize->export;
	struct writeback *writeback = export->writeback;
	struct staging *staging = export->store.staging;
	void *map = export->map;

	exchange_regions(resize);
	resize->map_size = store_map_size(&export->store);
	export->map = resize->map;
	resize->map = map;
	export->writeback = resize->writeback;
	if (writeback)
		export->writeback->stats = writeback->stats;
	resize->writeback = writeback;
	export->store = resize->grown;
	export->store.load_from = 0;
	resize->grown.staging = staging;
}

static void grown(struct job *job, int err)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;

	if (err) {
		give_up(resize, err, &job->why);
		return;
	}
	exchange(resize);
	export->state = EXPORT_READY;
	log_info("export %s: was taken from its clients for %" PRIu64 " ms",
		 export->spec.name,
		 (clock_now_us() - resize->taken_us) / USEC_PER_MSEC);
	free_rest(resize);
}

static int grow_work(struct job *job)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;

	return export->store.ops->grow(&export->store, &resize->grown,
				       resize->map, &job->why);
}

static void go_on(struct resize *resize)
{
	struct export *export = resize->export;
	struct reason why;
	int err;

	if (export->leaves) {
		err = reason_set(&why, -ECANCELED, "export %s is being removed",
				 export->spec.name);
		give_up(resize, err, &why);
	} else if (resize->anew) {
		export_refit(resize);
	} else {
		start_job(export, grow_work, grown);
	}
}

static void drained(struct writeback_request *request, int err)
{
	struct resize *resize = container_of(request, struct resize, drain);
	struct export *export = resize->export;
	struct reason why;

	if (err)
		why = export->writeback->error.why;
	else
		err = store_clean(&export->store, &why);
	if (err)
		give_up(resize, err, &why);
	else
		go_on(resize);
}

/* Short: from here on its clients wait. */
static void take(struct resize *resize)
{
	struct export *export = resize->export;

	export->state = EXPORT_RESIZING;
	resize->taken_us = clock_now_us();
	session_suspend_all(export, "the export is being resized");
	if (!export->writeback) {
		go_on(resize);
		return;
	}
	resize->drain.done = drained;
	writeback_submit(export->writeback, &resize->drain, WRITEBACK_FLUSH,
			 false);
}

/* ---- In the background --------------------------------------------------- */

static int fill_work(struct job *job)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;
	const struct store_ops *ops = export->store.ops;
	int err = 0;

	if (ops->reserve)
		err = ops->reserve(&export->store, &resize->grown,
				   export->spec.prealloc, &job->why);
	return err ? err : prepare_work(job);
}

static void filled(struct job *job, int err)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;

	TAILQ_CONCAT(&resize->regions, &export->prepare.regions, entry);
	if (err == -ECANCELED || (!err && export->state != EXPORT_READY))
		err = reason_set(&job->why, -ECANCELED,
				 "export %s is being removed",
				 export->spec.name);
	/* For nothing its clients need not wait. */
	if (!err && export->writeback)
		err = export_resize_check_error(export, &job->why);
	if (err)
		give_up(resize, err, &job->why);
	else
		take(resize);
}

static int start_filling(struct resize *resize, struct reason *why)
{
	struct export *export = resize->export;
	struct prepare *prepare = &export->prepare;
	struct region_list nothing;

	TAILQ_INIT(&nothing);
	prepare->job.work = fill_work;
	prepare->job.done = filled;
	prepare->store = &resize->grown;
	prepare->map = resize->map;
	prepare->layout = &resize->layout;
	return export_work_prepare(export, &nothing, why);
}

static int grow(struct resize *resize, struct reason *why)
{
	struct export *export = resize->export;
	struct store *store = &export->store, *larger = &resize->grown;
	int err;

	err = store->ops->extend(store, larger, why);
	if (err)
		return err;
	resize->map_size = store_map_size(larger);
	err = export_map(larger, &resize->map, why);
	if (err)
		goto retract;
	err = export_drain_open(export, larger, resize->map,
				&resize->writeback, why);
	if (err)
		goto unmap;
	err = start_filling(resize, why);
	if (!err)
		return 0;

	writeback_free(resize->writeback);
unmap:
	munmap(resize->map, resize->map_size);
retract:
	if (larger->staging)
		staging_unmap(larger->staging);
	free(larger->staging);
	larger->staging = NULL;
	store->ops->retract(store);
	store_retracted(store);
	return err;
}

static struct resize *resize_new(struct export *export, uint64_t size)
{
	struct resize *resize = calloc(1, sizeof(*resize));

	if (!resize)
		return NULL;
	resize->export = export;
	resize->grown = export->store;
	resize->grown.size = size;
	resize->grown.allocated = store_map_size(&export->store);
	resize->grown.staging = NULL;
	resize->from = export->store.size;
	resize->to = size;
	TAILQ_INIT(&resize->regions);
	return resize;
}

/**
 * export_resize() - begin to resize an export
 * @export: passed export_resize_check()
 * @size: bytes. Who has it open loses it if that is less than it has
 * @why: set on failure
 *
 * Return: 0, and EXPORT_EVENT_RESIZED tells how it went; or a negative errno:
 * then nothing was changed.
 */
int export_resize(struct export *export, uint64_t size, struct reason *why)
{
	struct resize *resize = resize_new(export, size);
	int err;

	if (!resize)
		return reason_set(why, -ENOMEM, "out of memory");
	resize->anew = size < export->store.size;
	err = export_check_limits(export, &resize->grown, &resize->layout, why);
	/* The job may look for it at once. */
	export->resize = resize;
	if (!err && !resize->anew) {
		err = grow(resize, why);
		resize->anew = err == -ERANGE;
		if (resize->anew)
			err = 0;
	}
	if (err) {
		export->resize = NULL;
		free(resize);
		return err;
	}
	export->busy = true;
	export_work_begin(export);
	if (resize->anew)
		take(resize);
	return 0;
}

/* ---- For others ---------------------------------------------------------- */

/**
 * export_resize_leave() - an export that is being resized is to be removed
 * @export: the export
 *
 * Return: true: that has to wait, and is seen to when the resize has ended.
 */
bool export_resize_leave(struct export *export)
{
	job_cancel(&export->prepare.job);
	export->leaves = export->state == EXPORT_RESIZING;
	return export->leaves;
}

/**
 * export_resize_added() - how much memory does a resize add?
 * @export: being resized
 *
 * Return: bytes.
 */
uint64_t export_resize_added(const struct export *export)
{
	const struct resize *resize = export->resize;

	return resize->to > resize->from ? resize->to - resize->from : 0;
}
