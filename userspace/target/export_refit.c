// SPDX-License-Identifier: GPL-2.0
/*
 * Resizing an export from the ground up: nobody has it open, everything is
 * written back, and all that it is served from is taken apart. The store gets
 * its new size, and the export is prepared again as if it were new. Should the
 * store not get it, that happens with the old one.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "export_drain.h"
#include "export_resize.h"
#include "export_work.h"
#include "log.h"
#include "macros.h"

/* Its contents are kept, if they are kept anywhere. */
static void lose(struct resize *resize, int err, const struct reason *why)
{
	struct export *export = resize->export;

	log_error("export %s: cannot be served any more: %s",
		  export->spec.name, why->message);
	resize->err = err;
	resize->why = *why;
	export->leaves = false;
	export->state = EXPORT_RELEASING;
	export_resize_end(resize);
}

static void prepared(struct job *job, int err)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;

	if (err == -ECANCELED)
		reason_set(&job->why, err, "it is being removed");
	if (err) {
		region_free_all(&export->prepare.regions);
		lose(resize, err, &job->why);
		return;
	}
	export_take_regions(export);
	export->state = EXPORT_READY;
	export_resize_end(resize);
}

static int start_preparing(struct export *export, struct reason *why)
{
	struct prepare *prepare = &export->prepare;

	prepare->job.work = prepare_work;
	prepare->job.done = prepared;
	prepare->store = &export->store;
	prepare->map = export->map;
	prepare->layout = &export->layout;
	return export_work_prepare(export, &export->regions, why);
}

/* The limits were looked at before: what it had is free again, if not its own. */
static int prepare_again(struct export *export, struct reason *why)
{
	int err = export_map(&export->store, &export->map, why);

	if (!err)
		err = export_drain_open(export, &export->store, export->map,
					&export->writeback, why);
	return err ? err : start_preparing(export, why);
}

static void refitted(struct job *job, int err)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;
	struct reason why;

	resize->err = err;
	resize->why = job->why;
	export->store = resize->grown;
	if (!err)
		export->layout = resize->layout;
	err = prepare_again(export, &why);
	if (err)
		lose(resize, err, &why);
}

/* In a thread. What others see of the store is exchanged afterwards. */
static int refit_work(struct job *job)
{
	struct export *export = container_of(job, struct export, prepare.job);
	struct resize *resize = export->resize;

	region_free_all(&resize->regions);
	munmap(resize->map, resize->map_size);
	return resize->grown.ops->refit(&resize->grown, resize->to,
					&job->why);
}

/**
 * export_refit() - take an export apart, and prepare it with another size
 * @resize: of the export, which nobody has open, and which is clean
 */
void export_refit(struct resize *resize)
{
	struct export *export = resize->export;
	struct job *job = &export->prepare.job;

	export_drain_close(export);
	TAILQ_CONCAT(&resize->regions, &export->regions, entry);
	resize->map = export->map;
	resize->map_size = store_map_size(&export->store);
	export->map = NULL;
	resize->grown = export->store;
	resize->grown.allocated = resize->map_size;
	atomic_store(&export->prepare.steps_bytes, 0);
	job->work = refit_work;
	job->done = refitted;
	job_run(job, export->daemon->event);
}
