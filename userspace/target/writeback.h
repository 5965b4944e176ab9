/* SPDX-License-Identifier: GPL-2.0 */
/* Write-back: an export's dirty memory on its way to the backing. */
#ifndef RDMABLKD_WRITEBACK_H
#define RDMABLKD_WRITEBACK_H

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>
#include <time.h>

#include "backing.h"
#include "blockmap.h"
#include "dirty.h"
#include "histogram.h"
#include "log.h"
#include "queue.h"
#include "reason.h"
#include "round.h"

enum writeback_kind {
	WRITEBACK_FUA,		/* what was named, and nothing else */
	WRITEBACK_FLUSH,	/* all that is known to be dirty */
	WRITEBACK_RETRY,	/* the same, though there was an error */
};

TAILQ_HEAD(writeback_queue, writeback_request);

/**
 * struct writeback_request - somebody who waits for durability
 * @entry: in @queue
 * @queue: where it waits; NULL: nowhere
 * @kind: for what
 * @named: it is the writer's, and what was named belongs to it
 * @since_us: when it came, CLOCK_MONOTONIC
 * @err: how it ended
 * @done: told in the event loop, with 0 or a negative errno: then the
 *	  write-back's @error says what it was. It may free the write-back
 *
 * The user sets @done.
 */
struct writeback_request {
	TAILQ_ENTRY(writeback_request)	entry;
	struct writeback_queue		*queue;
	enum writeback_kind		kind;
	bool				named;
	uint64_t			since_us;
	int				err;
	void (*done)(struct writeback_request *request, int err);
};

/**
 * struct writeback_error - what the backing refused
 * @err: a negative errno; 0: nothing, or it was made good for
 * @since: when that was
 * @why: in words
 */
struct writeback_error {
	int		err;
	time_t		since;
	struct reason	why;
};

/**
 * struct writeback_stats - what was done
 * @named: bytes that clients named in flushes
 * @written: bytes written to the backing
 * @punched: bytes punched out of it
 * @rounds: that succeeded
 * @failures: rounds that failed
 * @flushes: requests that were answered with success
 * @took: how long they took, from the request to its answer
 * @took_us: all of them together
 * @last_us: when the latest was, CLOCK_MONOTONIC
 * @last_took_us: from the request to its answer
 * @last_bytes: bytes that its round wrote and punched
 */
struct writeback_stats {
	uint64_t	named;
	uint64_t	written;
	uint64_t	punched;
	uint64_t	rounds;
	uint64_t	failures;
	uint64_t	flushes;
	struct histogram took;
	uint64_t	took_us;
	uint64_t	last_us;
	uint64_t	last_took_us;
	uint64_t	last_bytes;
};

/**
 * struct writeback - an export's write-back
 * @name: of the export, for the log
 * @backing: where to
 * @dirty: the maps of chunks
 * @named: blocks that the writer named for its next flush
 * @edges: blocks of which a part was unmapped: the next flush writes them
 * @punch: blocks that were unmapped: the next flush punches them
 * @waiting: requests that no round serves yet
 * @served: requests that the round serves
 * @ended: requests whose @done is still to be called
 * @delivery: calls it, from the event loop
 * @round: the round
 * @error: the latest error, until it was made good for
 * @stats: what was done
 * @adopted: bytes written back of what ended sessions left, not logged yet
 * @log: limits how often that is, as sessions may end all the time
 */
struct writeback {
	const char		*name;
	struct backing		*backing;
	struct dirty		dirty;
	struct blockmap		named;
	struct blockmap		edges;
	struct blockmap		punch;
	struct writeback_queue	waiting;
	struct writeback_queue	served;
	struct writeback_queue	ended;
	sd_event_source		*delivery;
	struct round		round;
	struct writeback_error	error;
	struct writeback_stats	stats;
	uint64_t		adopted;
	struct log_limit	log;
};

int writeback_new(struct writeback **out, sd_event *event, const char *name,
		  struct backing *backing, const struct dirty *dirty,
		  const void *map, struct reason *why);
void writeback_free(struct writeback *wb);

void writeback_name(struct writeback *wb, uint64_t offset, uint64_t length);
void writeback_forget(struct writeback *wb);
void writeback_unmap(struct writeback *wb, uint64_t offset, uint64_t length);
void writeback_adopt(struct writeback *wb);
void writeback_submit(struct writeback *wb, struct writeback_request *request,
		      enum writeback_kind kind, bool named);
void writeback_cancel(struct writeback *wb, struct writeback_request *request);
uint64_t writeback_progress(const struct writeback *wb, uint64_t *total);

#endif /* RDMABLKD_WRITEBACK_H */
