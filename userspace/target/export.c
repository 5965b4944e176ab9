// SPDX-License-Identifier: GPL-2.0
/*
 * Exports: added after the machine's limits were looked at, found by name, and
 * watched. Sessions and the control socket use them; an export knows of
 * sessions only that they hold claims. What is done with an export in the
 * background is in export_work.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "config.h"
#include "export.h"
#include "export_drain.h"
#include "export_resize.h"
#include "export_work.h"
#include "capacity.h"
#include "log.h"
#include "macros.h"
#include "size.h"
#include "timer.h"

/* Smallest max_mr_size; and how many registrations each byte will get. */
static uint64_t device_limits(const struct daemon *daemon, bool read_only,
			      unsigned int *registrations)
{
	uint64_t max_mr = UINT64_MAX;
	struct device *device;

	*registrations = 0;
	TAILQ_FOREACH(device, &daemon->devices, entry) {
		if (device->gone)
			continue;
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
	uint64_t sum = 0, left;

	TAILQ_FOREACH(export, &daemon->exports, entry) {
		if (!export->busy ||
		    (export->state != EXPORT_PREPARING && !export->resize))
			continue;
		export_progress(export, &progress);
		left = progress.total - progress.done;
		if (export->resize)
			left = MIN(left, export_resize_added(export));
		sum += left;
	}
	return sum;
}

/**
 * export_check_limits() - will the machine bear an export's memory?
 * @export: the export
 * @store: its store, or what that is to become
 * @layout: set to how it is cut into extents
 * @why: set if not
 *
 * Return: 0; -ENOMEM, -ENOSPC, -E2BIG and others when a limit stands in the way.
 */
int export_check_limits(struct export *export, const struct store *store,
			struct layout *layout, struct reason *why)
{
	uint64_t pending = promised(export->daemon), max_mr;
	unsigned int registrations;
	int err;

	max_mr = device_limits(export->daemon, export->spec.read_only,
			       &registrations);
	err = layout_cut(layout, store->size, export->spec.extent_size, max_mr,
			 why);
	if (!err)
		err = capacity_file_system(store, why);
	if (!err)
		err = capacity_memory(store, pending, why);
	if (!err)
		err = capacity_memlock(store->size * registrations,
				     pending * registrations, why);
	return err;
}

/**
 * export_map() - map a store
 * @store: open
 * @map: set to where it is; NULL on failure
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int export_map(const struct store *store, void **map, struct reason *why)
{
	size_t size = store_map_size(store);
	int err;

	*map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, store->fd,
		    0);
	if (*map == MAP_FAILED) {
		*map = NULL;
		return reason_set(why, -errno, "cannot map %zu bytes: %m", size);
	}
	/* What clients store has no place in a core dump. */
	if (!madvise(*map, size, MADV_DONTDUMP))
		return 0;
	err = reason_set(why, -errno, "cannot keep the contents out of core dumps: %m");
	munmap(*map, size);
	*map = NULL;
	return err;
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
	TAILQ_INIT(&export->places);
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
	err = export_check_limits(export, &export->store, &export->layout, why);
	if (!err)
		err = export_map(&export->store, &export->map, why);
	if (!err)
		err = export_drain_open(export, &export->store, export->map,
					&export->writeback, why);
	if (!err) {
		err = timer_new(daemon->event, &export->timer, export_work_tick, export);
		if (err)
			reason_set(why, err, "cannot make a timer: %s", strerror(-err));
	}
	if (err)
		goto undo;
	err = export_work_start(export, why);
	if (err > 0)
		return 0;
	if (!err)
		err = reason_set(why, -ENODEV, "no RDMA device is in use");

undo:
	sd_event_source_disable_unref(export->timer);
	export_drain_close(export);
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
	return region_find(&export->regions, device);
}

/**
 * export_leaving() - is an export on its way out?
 * @export: the export
 *
 * Return: true: nobody can open it any more.
 */
bool export_leaving(const struct export *export)
{
	return export->state == EXPORT_DRAINING ||
	       export->state == EXPORT_RELEASING || export->leaves;
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
		[EXPORT_RESIZING]	= "resizing",
		[EXPORT_DRAINING]	= "draining",
		[EXPORT_RELEASING]	= "releasing",
	};

	return names[export->state];
}

/**
 * export_phase_name() - what an export's job does, in a word
 * @export: something is done with it
 *
 * Return: a constant string.
 */
const char *export_phase_name(const struct export *export)
{
	if (export->state == EXPORT_PREPARING && export->prepare.load)
		return "loading";
	if (export_writing_back(export))
		return "writing back";
	return export->resize ? "resizing" : export_state_name(export);
}

/**
 * export_progress() - how far has preparing or writing back come?
 * @export: one of both is done with it
 * @progress: filled in
 */
void export_progress(const struct export *export,
		     struct export_progress *progress)
{
	uint64_t us = clock_now_us() - export->started_us;
	struct export_progress now;

	if (export_writing_back(export)) {
		now.done = writeback_progress(export->writeback, &now.total);
	} else {
		now.done = atomic_load(&export->prepare.steps_bytes) /
			   export->prepare.nr_steps;
		now.total = export->resize ? export->resize->to :
					     export->layout.size;
	}
	now.left_s = 0;
	/* In KiB, so that the product has room. */
	now.rate = us ? (now.done >> 10) * USEC_PER_SEC / us << 10 : 0;
	if (now.rate)
		now.left_s = (now.total - now.done) / now.rate;
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
