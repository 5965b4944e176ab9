// SPDX-License-Identifier: GPL-2.0
/*
 * FLUSH and ZERO. What a client names goes into a set of blocks as it arrives,
 * whose size does not depend on the client; the message that ends a flush is
 * answered when a round of the write-back has made it durable. The session may
 * end while it waits: then the round goes on, and nobody is answered.
 */
#include <errno.h>
#include <string.h>

#include "flush.h"
#include "macros.h"
#include "proto.h"
#include "reply.h"
#include "session.h"

static void refuse_store(struct session *session,
			 const struct rdmablk_msg_hdr *hdr)
{
	/* As much of it as a message holds: the log has the rest. */
	reply_refuse(session, hdr, RDMABLK_E_STORE, "%.191s",
		     session->export->writeback->error.why.message);
}

static void flush_done(struct writeback_request *request, int err)
{
	struct flush *flush = container_of(request, struct flush, request);
	struct session *session = container_of(flush, struct session, flush);

	flush->busy = false;
	if (err) {
		refuse_store(session, &flush->hdr);
		return;
	}
	if (flush->flags & RDMABLK_FLUSH_CLEAN)
		dirty_clear(&session->export->writeback->dirty, flush->epoch);
	reply_done(session, &flush->hdr);
}

static bool range_valid(const struct session *session,
			const struct rdmablk_range *range)
{
	const struct export *export = session->export;

	return !rdmablk_check_range(range, export->store.size,
				    export->spec.block_size);
}

/*
 * In order, over all parts of a flush: what it names costs as much time as the
 * export has blocks, and no more. A message that named all of a large export again
 * and again would keep the event loop from others for seconds.
 */
static bool ranges_valid(const struct session *session,
			 const struct rdmablk_msg_flush *msg, uint64_t *end)
{
	uint32_t i;

	for (i = 0; i < le32toh(msg->count); i++) {
		const struct rdmablk_range *range = &msg->range[i];

		if (!range_valid(session, range) ||
		    le64toh(range->offset) < *end)
			return false;
		*end = le64toh(range->offset) + le64toh(range->length);
	}
	return true;
}

static void name_ranges(struct writeback *wb,
			const struct rdmablk_msg_flush *msg)
{
	uint32_t i;

	for (i = 0; i < le32toh(msg->count); i++)
		writeback_name(wb, le64toh(msg->range[i].offset),
			       le64toh(msg->range[i].length));
}

/* Whether it may be asked for; false: the refusal is sent. */
static bool may_flush(struct session *session,
		      const struct rdmablk_msg_flush *msg)
{
	if (!session->export->writeback)
		reply_refuse(session, &msg->hdr, RDMABLK_E_UNSUPPORTED,
			     "the export has no write cache");
	else if (session->flush.busy)
		reply_refuse(session, &msg->hdr, RDMABLK_E_MESSAGE,
			     "a flush is under way already");
	else if (!session->claim.write && (msg->count || msg->flags))
		reply_refuse(session, &msg->hdr, RDMABLK_E_READ_ONLY,
			     "a reader has nothing to flush of its own");
	else
		return true;
	return false;
}

/**
 * flush_message() - handle FLUSH
 * @session: open
 * @msg: validated, but for its ranges
 *
 * Return: 0; -EPROTO when a range is not one of the export, or not behind those before.
 */
int flush_message(struct session *session, const struct rdmablk_msg_flush *msg)
{
	struct writeback *wb = session->export->writeback;
	struct flush *flush = &session->flush;
	uint64_t end = flush->named_end;

	if (!ranges_valid(session, msg, &end))
		return -EPROTO;
	if (!may_flush(session, msg))
		return 0;
	name_ranges(wb, msg);
	if (msg->flags & RDMABLK_FLUSH_MORE) {
		flush->named_end = end;
		reply_done(session, &msg->hdr);
		return 0;
	}
	flush->named_end = 0;
	flush->hdr = msg->hdr;
	flush->busy = true;
	flush->flags = msg->flags;
	flush->epoch = msg->epoch;
	flush->request.done = flush_done;
	writeback_submit(wb, &flush->request,
			 msg->flags & RDMABLK_FLUSH_FUA ? WRITEBACK_FUA :
							  WRITEBACK_FLUSH,
			 session->claim.write);
	return 0;
}

/* The marks of an epoch that is being cleaned are about to be cleared. */
static bool being_cleaned(const struct flush *flush, unsigned int epoch)
{
	return flush->busy && (flush->flags & RDMABLK_FLUSH_CLEAN) &&
	       flush->epoch == epoch;
}

static void zero(struct export *export, const struct rdmablk_msg_zero *msg)
{
	uint64_t offset = le64toh(msg->range.offset);
	uint64_t length = le64toh(msg->range.length);
	struct writeback *wb = export->writeback;

	/* Killed in between, the next daemon finds the mark. */
	if (wb)
		dirty_mark(&wb->dirty, msg->epoch, offset, length);
	memset((char *)export->map + offset, 0, length);
	if (wb && (msg->flags & RDMABLK_ZERO_UNMAP))
		writeback_unmap(wb, offset, length);
}

/**
 * flush_zero() - handle ZERO
 * @session: open
 * @msg: validated, but for its range
 *
 * Return: 0; -EPROTO when the range is not one of the export, or the epoch not
 * one that may be marked.
 */
int flush_zero(struct session *session, const struct rdmablk_msg_zero *msg)
{
	struct export *export = session->export;

	if (!range_valid(session, &msg->range))
		return -EPROTO;
	if (!session->claim.write) {
		reply_refuse(session, &msg->hdr, RDMABLK_E_READ_ONLY,
			     "a reader cannot zero");
		return 0;
	}
	if (export->writeback ? being_cleaned(&session->flush, msg->epoch) :
				msg->epoch)
		return -EPROTO;
	zero(export, msg);
	reply_done(session, &msg->hdr);
	return 0;
}

/**
 * flush_release() - a session loses its export
 * @session: open, its data connections are gone
 *
 * What it may have written is written back from now on.
 */
void flush_release(struct session *session)
{
	struct writeback *wb = session->export->writeback;

	if (!wb)
		return;
	if (session->flush.busy)
		writeback_cancel(wb, &session->flush.request);
	session->flush.busy = false;
	if (!session->claim.write)
		return;
	writeback_forget(wb);
	writeback_adopt(wb);
}
