// SPDX-License-Identifier: GPL-2.0
/*
 * Where an export is, and what opens it: the requests EXTENTS and KEYS, by which a
 * client reads the two tables in parts.
 */
#include "extents.h"
#include "macros.h"
#include "reply.h"
#include "session.h"
#include "window.h"

/**
 * extents_message() - handle EXTENTS
 * @session: open
 * @msg: validated
 */
void extents_message(struct session *session,
		     const struct rdmablk_msg_extents *msg)
{
	uint8_t buffer[RDMABLK_MSG_MAX] __attribute__((aligned(8))) = { 0 };
	struct rdmablk_msg_extents_reply *reply = (void *)buffer;
	uint32_t first = le32toh(msg->first), nr, count, i;

	nr = session->region->layout->nr;
	if (first >= nr) {
		reply_refuse(session, &msg->hdr, RDMABLK_E_MESSAGE,
			     "there are %u extents, no number %u", nr,
			     first);
		return;
	}
	count = MIN(nr - first, (uint32_t)RDMABLK_EXTENTS_PER_MSG);
	reply->first = htole32(first);
	reply->count = htole32(count);
	for (i = 0; i < count; i++)
		region_extent(session->region, session->face, first + i,
			      &reply->extent[i]);
	reply_send(session, reply, sizeof(*reply) +
		   count * sizeof(reply->extent[0]), &msg->hdr);
}

/* The windows of a data queue, or NULL when the refusal is sent. */
static const struct windows *find_windows(struct session *session,
					  const struct rdmablk_msg_keys *msg)
{
	unsigned int hctx = le16toh(msg->hctx);
	const struct data *data = hctx < session->nr_queues ?
				  session->queues[hctx] : NULL;

	if (!session->region->windows)
		reply_refuse(session, &msg->hdr, RDMABLK_E_UNSUPPORTED,
			     "a queue has no keys of its own here");
	else if (!data)
		reply_refuse(session, &msg->hdr, RDMABLK_E_QUEUE,
			     "queue %u is not connected", hctx);
	else if (le32toh(msg->first) >= data->windows->nr)
		reply_refuse(session, &msg->hdr, RDMABLK_E_MESSAGE,
			     "there are %u keys, no number %u",
			     data->windows->nr, le32toh(msg->first));
	else
		return data->windows;
	return NULL;
}

/**
 * extents_keys() - handle KEYS
 * @session: open
 * @msg: validated
 */
void extents_keys(struct session *session, const struct rdmablk_msg_keys *msg)
{
	const struct windows *windows = find_windows(session, msg);
	uint8_t buffer[RDMABLK_MSG_MAX] __attribute__((aligned(8))) = { 0 };
	struct rdmablk_msg_keys_reply *reply = (void *)buffer;
	uint32_t first = le32toh(msg->first), count, i;

	if (!windows)
		return;
	count = MIN(windows->nr - first, (uint32_t)RDMABLK_KEYS_PER_MSG);
	reply->first = htole32(first);
	reply->count = htole32(count);
	for (i = 0; i < count; i++)
		reply->key[i] = htole32(windows->window[first + i].key);
	reply_send(session, reply, sizeof(*reply) +
		   count * sizeof(reply->key[0]), &msg->hdr);
}
