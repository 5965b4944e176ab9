// SPDX-License-Identifier: GPL-2.0
/*
 * Writing an export back as a whole. Before an export with a backing goes, all
 * that may be dirty is written and made durable, and its store notes that. If
 * that fails the export stays, unless its removal was forced or the daemon
 * stops: then its staging stays, and has what the backing lacks.
 */
#include <errno.h>
#include <inttypes.h>

#include "export.h"
#include "export_drain.h"
#include "export_resize.h"
#include "export_work.h"
#include "log.h"
#include "macros.h"
#include "shutdown.h"
#include "size.h"
#include "staging.h"
#include "timer.h"

/* What is to be written changes a backing that nobody wrote to since it was clean. */
static void note_dirty(struct export *export)
{
	struct reason why;

	if (export->store.clean && dirty_has_orphans(&export->writeback->dirty) &&
	    store_save(&export->store, &why))
		log_warning("%s", why.message);
}

/* Nothing is dirty any more, and nobody can write. */
static int note_clean(struct export *export, struct reason *why)
{
	uint64_t written = export->writeback->stats.written -
			   export->drain_from;
	char size[SIZE_TEXT_MAX];
	int err = store_clean(&export->store, why);

	if (!err)
		log_info("export %s: clean: %s written back",
			 export->spec.name, size_text(written, size));
	return err;
}

static void keep(struct export *export, int err, const struct reason *why)
{
	struct reason kept;

	reason_set(&kept, err, "export %s cannot be written back, and stays: %s",
		   export->spec.name, why->message);
	reason_hint(&kept, "'rbdctl export retry %.127s' tries again; --force removes it, and leaves what is not written back in %.128s",
		    export->spec.name, export->store.path);
	export->state = EXPORT_READY;
	timer_stop(export->timer);
	export_notify(export, EXPORT_EVENT_KEPT, &kept);
	/* Those that came while it was not ready were left out. */
	export_cover_devices(export->daemon);
}

static void drained(struct writeback_request *request, int err)
{
	struct export *export = container_of(request, struct export, drain);
	struct daemon *daemon = export->daemon;
	struct reason why;
	char size[SIZE_TEXT_MAX];

	if (err)
		why = export->writeback->error.why;
	else
		err = note_clean(export, &why);
	if (!err) {
		export_release(export);
		return;
	}
	if (!export->forced && !daemon->stopping) {
		keep(export, err, &why);
		return;
	}
	log_error("export %s: up to %s are not written back, and stay in %s: %s",
		  export->spec.name,
		  size_text(dirty_bytes(&export->writeback->dirty), size),
		  export->store.path, why.message);
	if (daemon->stopping)
		shutdown_failed();
	export_release(export);
}

/**
 * export_drain() - write an export back, then release it
 * @export: ready, with a backing; nobody holds a claim on it
 */
void export_drain(struct export *export)
{
	export->state = EXPORT_DRAINING;
	export->drain_from = export->writeback->stats.written;
	export_work_begin(export);
	export->drain.done = drained;
	note_dirty(export);
	/* Also after an error: this is the last chance. */
	writeback_submit(export->writeback, &export->drain, WRITEBACK_RETRY,
			 false);
}

static void retried(struct writeback_request *request, int err)
{
	struct export *export = container_of(request, struct export, retry);

	if (export->state == EXPORT_READY && !export->resize)
		timer_stop(export->timer);
	export_notify(export, EXPORT_EVENT_RETRIED,
		      err ? &export->writeback->error.why : NULL);
}

/**
 * export_retry() - write everything that is dirty, though there was an error
 * @export: ready, with a backing; EXPORT_EVENT_RETRIED tells how it went
 */
void export_retry(struct export *export)
{
	if (export->retry.queue)
		return;
	export_work_begin(export);
	export->retry.done = retried;
	note_dirty(export);
	writeback_submit(export->writeback, &export->retry, WRITEBACK_RETRY,
			 false);
}

/**
 * export_drain_open() - get ready to write back, if there is a backing
 * @export: the export
 * @store: its store, or what that is to become; open
 * @map: where it is mapped
 * @out: set to the write-back, or NULL
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int export_drain_open(struct export *export, const struct store *store,
		      const void *map, struct writeback **out,
		      struct reason *why)
{
	const struct staging *staging = store->staging;
	struct dirty dirty;

	*out = NULL;
	if (!staging)
		return 0;
	dirty = (struct dirty){
		.coarse = { staging->coarse[0], staging->coarse[1] },
		.orphan = staging->orphan,
		.nr_chunks = staging->nr_chunks,
		.chunk_shift = staging->chunk_shift,
		.size = store->size,
	};
	return writeback_new(out, export->daemon->event, export->spec.name,
			     store->backing, &dirty, map, why);
}

/**
 * export_drain_close() - write back no more
 * @export: nothing of it is being written back; its memory and its store are
 *	    still there
 */
void export_drain_close(struct export *export)
{
	if (!export->writeback)
		return;
	writeback_cancel(export->writeback, &export->drain);
	writeback_cancel(export->writeback, &export->retry);
	writeback_free(export->writeback);
	export->writeback = NULL;
}

/**
 * export_writing_back() - is an export being written back as a whole?
 * @export: the export
 *
 * Return: true if it is.
 */
bool export_writing_back(const struct export *export)
{
	return export->state == EXPORT_DRAINING || export->retry.queue ||
	       (export->resize && export->resize->drain.queue);
}

/**
 * export_drain_any() - are exports being written back as a whole?
 * @daemon: the daemon
 * @done: set to a number that grows while that makes progress
 *
 * Return: true if there are any.
 */
bool export_drain_any(const struct daemon *daemon, uint64_t *done)
{
	const struct export *export;
	bool any = false;
	uint64_t total;

	*done = 0;
	TAILQ_FOREACH(export, &daemon->exports, entry) {
		if (!export_writing_back(export))
			continue;
		any = true;
		*done += export->writeback->stats.written +
			 writeback_progress(export->writeback, &total);
	}
	return any;
}
