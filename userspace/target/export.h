/* SPDX-License-Identifier: GPL-2.0 */
/* An export: what it was asked to be, its bytes, and who uses it. */
#ifndef RDMABLKD_EXPORT_H
#define RDMABLKD_EXPORT_H

#include <stdbool.h>

#include "claim.h"
#include "daemon.h"
#include "job.h"
#include "prepare.h"
#include "region.h"
#include "spec.h"
#include "store.h"
#include "writeback.h"

enum export_state {
	EXPORT_PREPARING,	/* being filled and registered */
	EXPORT_READY,
	EXPORT_RESIZING,	/* taken from its clients, who come again */
	EXPORT_DRAINING,	/* being written back, because it is to go */
	EXPORT_RELEASING,	/* being taken apart */
};

enum export_event {
	EXPORT_EVENT_PROGRESS,	/* about once a second while a job runs */
	EXPORT_EVENT_READY,
	EXPORT_EVENT_FAILED,	/* preparing failed; it goes away by itself */
	EXPORT_EVENT_RETRIED,	/* was written back again, or not: @why is set */
	EXPORT_EVENT_RESIZED,	/* was resized, or not: @why is set */
	EXPORT_EVENT_KEPT,	/* removing failed; it is ready again */
	EXPORT_EVENT_GONE,	/* about to be freed */
};

/**
 * struct export_watch - somebody who wants to know how an export fares
 * @entry: in the export's list
 * @event: called in the event loop; @why is set for failures
 */
struct export_watch {
	TAILQ_ENTRY(export_watch) entry;
	void (*event)(struct export_watch *watch, struct export *export,
		      enum export_event event, const struct reason *why);
};

TAILQ_HEAD(export_watch_list, export_watch);

struct resize;

/**
 * struct export - an export
 * @entry: in the daemon's list
 * @daemon: the daemon
 * @spec: as it was asked for
 * @state: what can be done with it
 * @store: its bytes
 * @map: where they are mapped
 * @layout: its extents
 * @writeback: writes it back; NULL: its store has no backing
 * @drain: everything is written back, because it is to go
 * @drain_from: bytes that had been written when that began
 * @retry: everything is written back, after an error
 * @resize: a resize is under way; else NULL
 * @regions: registrations that are complete, one for each device
 * @prepare: the job that makes registrations, or resizes
 * @release: the job that takes everything apart
 * @busy: @prepare is running
 * @forced: it goes even if it cannot be written back
 * @failed: preparing failed: remove what was made for it
 * @leaves: it is to be removed when it has been resized
 * @keep: the daemon stops: named memory stays, for its next start
 * @started_us: when preparing or writing back began, CLOCK_MONOTONIC
 * @ticks: seconds that it has taken
 * @timer: reports progress
 * @claims: sessions that have it open
 * @places: kept for sessions that a resize has ended
 * @watches: who wants to know
 */
struct export {
	TAILQ_ENTRY(export)		entry;
	struct daemon			*daemon;
	struct spec			spec;
	enum export_state		state;
	struct store			store;
	void				*map;
	struct layout			layout;
	struct writeback		*writeback;
	struct writeback_request	drain;
	uint64_t			drain_from;
	struct writeback_request	retry;
	struct resize			*resize;
	struct region_list		regions;
	struct prepare			prepare;
	struct job			release;
	bool				busy;
	bool				forced;
	bool				failed;
	bool				leaves;
	bool				keep;
	uint64_t			started_us;
	unsigned int			ticks;
	sd_event_source			*timer;
	struct claim_list		claims;
	struct claim_list		places;
	struct export_watch_list	watches;
};

/**
 * struct export_progress - how far preparing or writing back has come
 * @done: bytes filled and registered, or written back
 * @total: bytes in all
 * @rate: bytes a second, on average
 * @left_s: seconds that it will take at this rate; zero: not known
 */
struct export_progress {
	uint64_t	done;
	uint64_t	total;
	uint64_t	rate;
	uint64_t	left_s;
};

int export_add(struct daemon *daemon, const struct spec *spec,
	       struct export **out, struct reason *why);
void export_remove(struct export *export, bool force);
void export_cover_devices(struct daemon *daemon);
int export_check_limits(struct export *export, const struct store *store,
			struct layout *layout, struct reason *why);
int export_map(const struct store *store, void **map, struct reason *why);
struct export *export_find(struct daemon *daemon, const char *name);
struct region *export_region(struct export *export,
			     const struct device *device);
bool export_leaving(const struct export *export);
const char *export_state_name(const struct export *export);
const char *export_phase_name(const struct export *export);
void export_progress(const struct export *export,
		     struct export_progress *progress);
void export_watch(struct export *export, struct export_watch *watch);
void export_unwatch(struct export *export, struct export_watch *watch);

#endif /* RDMABLKD_EXPORT_H */
