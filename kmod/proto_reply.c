// SPDX-License-Identifier: GPL-2.0
/*
 * Answers and events, as the client reads them.
 */
#include "proto_field.h"

static bool error_valid(const struct rdmablk_msg_error *error, size_t len)
{
	return len == sizeof(*error) &&
	       rdmablk_text_valid(error->text, sizeof(error->text));
}

static bool hello_reply_valid(const struct rdmablk_msg_hello_reply *reply)
{
	return rdmablk_field_valid(reply->target_name,
				   sizeof(reply->target_name), false) &&
	       reply->auth_required <= 1 &&
	       rdmablk_all_zero(reply->reserved0, sizeof(reply->reserved0)) &&
	       rdmablk_all_zero(reply->reserved, sizeof(reply->reserved));
}

/**
 * rdmablk_check_reply() - validate an answer, at the client
 * @msg: the message
 * @len: bytes that arrived
 * @type: enum rdmablk_msg_type of the request
 *
 * Features, and the contents of a grant, of extents and of keys depend on what was
 * asked: rdmablk_check_features(), rdmablk_check_grant(), rdmablk_check_extents()
 * and rdmablk_check_keys() come next for those.
 *
 * Return: 0; the peer's status (positive) when @msg is a sound
 * struct rdmablk_msg_error; -EPROTO.
 */
int rdmablk_check_reply(const void *msg, size_t len, unsigned int type)
{
	const struct rdmablk_msg_hdr *hdr = msg;

	if (rdmablk_check_hdr(msg, len) ||
	    le16_to_cpu(hdr->type) != (type | RDMABLK_MSG_REPLY))
		return -EPROTO;
	if (hdr->status)
		return error_valid(msg, len) ? le16_to_cpu(hdr->status) : -EPROTO;

	switch (type) {
	case RDMABLK_MSG_HELLO:
		return len == sizeof(struct rdmablk_msg_hello_reply) &&
		       hello_reply_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_AUTH:
		return len == sizeof(struct rdmablk_msg_auth_reply) ?
		       0 : -EPROTO;
	case RDMABLK_MSG_OPEN:
		return len == sizeof(struct rdmablk_msg_grant) ? 0 : -EPROTO;
	case RDMABLK_MSG_EXTENTS:
		return len > sizeof(struct rdmablk_msg_extents_reply) ?
		       0 : -EPROTO;
	case RDMABLK_MSG_KEYS:
		return len > sizeof(struct rdmablk_msg_keys_reply) ?
		       0 : -EPROTO;
	default:
		return len == sizeof(*hdr) ? 0 : -EPROTO;
	}
}

/**
 * rdmablk_check_features() - does a session use only what was offered?
 * @reply: passed rdmablk_check_reply()
 * @hello: the request that it answers
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_features(const struct rdmablk_msg_hello_reply *reply,
			   const struct rdmablk_msg_hello *hello)
{
	return reply->features & ~hello->features ? -EPROTO : 0;
}

/**
 * rdmablk_check_event() - validate an event, at the client
 * @msg: the message
 * @len: bytes that arrived
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_event(const void *msg, size_t len)
{
	const struct rdmablk_msg_event *event = msg;

	if (rdmablk_check_hdr(msg, len) || len != sizeof(*event) ||
	    le16_to_cpu(event->hdr.type) != RDMABLK_MSG_EVENT ||
	    event->hdr.status || event->hdr.tag || event->reserved ||
	    !rdmablk_text_valid(event->text, sizeof(event->text)))
		return -EPROTO;
	return 0;
}
