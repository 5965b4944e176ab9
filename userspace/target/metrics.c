// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's figures. See metrics.h. They are read when somebody asks: only what
 * is gone by then, or would take a walk through every event, is counted as it happens,
 * and nothing of that is on the path of data, in which the daemon has no part.
 */
#include "export.h"
#include "macros.h"
#include "metrics.h"

/* ---- Of the daemon ------------------------------------------------------- */

static uint64_t sessions(const struct daemon *daemon)
{
	return daemon->nr_sessions;
}

static uint64_t half_open(const struct daemon *daemon)
{
	return daemon->nr_half_open;
}

static uint64_t opened(const struct daemon *daemon)
{
	return daemon->counters.sessions;
}

/* ---- Of an export -------------------------------------------------------- */

static bool size(const struct export *export, uint64_t *value)
{
	*value = export->store.size;
	return true;
}

static bool ready(const struct export *export, uint64_t *value)
{
	*value = export->state == EXPORT_READY;
	return true;
}

static uint64_t claims(const struct export *export, bool write)
{
	const struct claim *claim;
	uint64_t nr = 0;

	TAILQ_FOREACH(claim, &export->claims, entry)
		nr += claim->write == write;
	return nr;
}

static bool writers(const struct export *export, uint64_t *value)
{
	*value = claims(export, true);
	return true;
}

static bool readers(const struct export *export, uint64_t *value)
{
	*value = claims(export, false);
	return true;
}

static bool registered(const struct export *export, uint64_t *value)
{
	const struct region *region;

	/* While a job runs the list of registrations may be its own. */
	if (export->state != EXPORT_READY)
		return false;
	*value = 0;
	TAILQ_FOREACH(region, &export->regions, entry)
		*value += export->layout.size;
	return true;
}

/* Of one with a backing; while it is resized its maps turn into contents. */
static const struct writeback *writeback(const struct export *export)
{
	return export->state == EXPORT_RESIZING ? NULL : export->writeback;
}

static bool dirty(const struct export *export, uint64_t *value)
{
	const struct writeback *wb = writeback(export);

	*value = wb ? dirty_bytes(&wb->dirty) : 0;
	return wb;
}

static bool failed(const struct export *export, uint64_t *value)
{
	const struct writeback *wb = writeback(export);

	*value = wb && wb->error.err;
	return wb;
}

/* One of struct writeback_stats. */
#define STAT(member)							\
static bool member(const struct export *export, uint64_t *value)	\
{									\
	const struct writeback *wb = writeback(export);			\
									\
	*value = wb ? wb->stats.member : 0;				\
	return wb;							\
}

STAT(named)
STAT(written)
STAT(punched)
STAT(rounds)
STAT(failures)

/* ---- The table ----------------------------------------------------------- */

#define OF_DAEMON(name, unit, counter, read, help)			\
	{ name, unit, counter, help, read, NULL }
#define OF_EXPORT(name, unit, counter, read, help)			\
	{ name, unit, counter, help, NULL, read }

const struct metric metrics[] = {
	OF_DAEMON("sessions", NULL, false, sessions,
		  "Clients that are connected."),
	OF_DAEMON("half_open_sessions", NULL, false, half_open,
		  "Those of them that have not opened an export."),
	OF_DAEMON("opened_sessions", NULL, true, opened,
		  "Sessions that have opened an export."),
	OF_EXPORT("size_bytes", "bytes", false, size,
		  "Size of the export."),
	OF_EXPORT("ready", NULL, false, ready,
		  "1 if it can be opened, 0 while it is prepared, resized or removed."),
	OF_EXPORT("writers", NULL, false, writers,
		  "Clients that have it open to read and write."),
	OF_EXPORT("readers", NULL, false, readers,
		  "Clients that have it open to read."),
	OF_EXPORT("registered_bytes", "bytes", false, registered,
		  "Memory that is registered with RDMA devices, for each of them."),
	OF_EXPORT("dirty_bytes", "bytes", false, dirty,
		  "What the backing may lack, at most."),
	OF_EXPORT("flushed_bytes", "bytes", true, named,
		  "What clients named in flushes."),
	OF_EXPORT("written_bytes", "bytes", true, written,
		  "What was written to the backing."),
	OF_EXPORT("punched_bytes", "bytes", true, punched,
		  "What was punched out of the backing."),
	OF_EXPORT("rounds", NULL, true, rounds,
		  "Rounds of write-back that succeeded."),
	OF_EXPORT("failures", NULL, true, failures,
		  "Rounds of write-back that failed."),
	OF_EXPORT("failed", NULL, false, failed,
		  "1 if flushes fail until an operator has it tried again."),
};

const size_t nr_metrics = ARRAY_SIZE(metrics);

/**
 * metrics_refusal() - the word for why something was refused
 * @status: enum rdmablk_status
 *
 * Return: a constant string; NULL: this is no refusal.
 */
const char *metrics_refusal(unsigned int status)
{
	static const char *const words[__RDMABLK_STATUS_END] = {
		[RDMABLK_E_VERSION]	= "version",
		[RDMABLK_E_MESSAGE]	= "message",
		[RDMABLK_E_DENIED]	= "denied",
		[RDMABLK_E_NO_EXPORT]	= "no_export",
		[RDMABLK_E_BUSY]	= "busy",
		[RDMABLK_E_READ_ONLY]	= "read_only",
		[RDMABLK_E_LIMIT]	= "limit",
		[RDMABLK_E_NO_SESSION]	= "no_session",
		[RDMABLK_E_QUEUE]	= "queue",
		[RDMABLK_E_NOT_READY]	= "not_ready",
		[RDMABLK_E_FENCED]	= "fenced",
		[RDMABLK_E_STORE]	= "store",
		[RDMABLK_E_SHUTDOWN]	= "shutdown",
		[RDMABLK_E_INTERNAL]	= "internal",
		[RDMABLK_E_DEVICE]	= "device",
		[RDMABLK_E_REMOVED]	= "removed",
		[RDMABLK_E_UNSUPPORTED]	= "unsupported",
	};

	return status < ARRAY_SIZE(words) ? words[status] : NULL;
}

/**
 * metrics_flushes() - how long flushes took, from the request to its answer
 * @export: the export
 * @seconds: set to how long all of them together
 *
 * Return: a histogram; NULL: the export has no write cache.
 */
const struct histogram *metrics_flushes(const struct export *export,
					double *seconds)
{
	const struct writeback *wb = writeback(export);

	*seconds = wb ? (double)wb->stats.took_us / 1e6 : 0;
	return wb ? &wb->stats.took : NULL;
}
