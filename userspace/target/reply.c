// SPDX-License-Identifier: GPL-2.0
/*
 * Answers to what clients ask on their control connections. A session whose answer
 * cannot be sent is of no use any more, and ends.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "proto.h"
#include "reply.h"
#include "session.h"

static void send_or_drop(struct session *session, const void *msg, size_t len)
{
	int err = ctrl_send(&session->ctrl, msg, len);

	if (err)
		session_drop(session, strerror(-err));
}

/**
 * reply_send() - answer a request with success
 * @session: the session
 * @reply: the answer, but for its header
 * @len: bytes
 * @request: header of what is answered
 */
void reply_send(struct session *session, void *reply, size_t len,
		const struct rdmablk_msg_hdr *request)
{
	struct rdmablk_msg_hdr *hdr = reply;

	*hdr = (struct rdmablk_msg_hdr){
		.type = request->type | htole16(RDMABLK_MSG_REPLY),
		.length = htole32((uint32_t)len),
		.tag = request->tag,
	};
	send_or_drop(session, reply, len);
}

/**
 * reply_done() - answer a request whose success says it all
 * @session: the session
 * @request: header of what is answered
 */
void reply_done(struct session *session,
		const struct rdmablk_msg_hdr *request)
{
	struct rdmablk_msg_hdr reply;

	reply_send(session, &reply, sizeof(reply), request);
}

/* What is refused is logged; whoever may not is worth a warning. */
static void log_refused(const struct session *session, unsigned int status,
			const char *why)
{
	char who[SESSION_TEXT_MAX];

	session_text(session, who);
	if (status == RDMABLK_E_DENIED)
		peer_log(session->peer, LOG_WARNING, "%s: access denied: %s",
			 who, why);
	else
		peer_log(session->peer, LOG_NOTICE, "%s: refused: %s", who, why);
}

/**
 * reply_refuse() - answer a request with an error
 * @session: the session
 * @request: header of what is answered
 * @status: enum rdmablk_status, not RDMABLK_OK
 * @format: printf format of the reason, for people. With RDMABLK_E_DENIED it is for
 *	    the log only: a client that may not is told nothing more
 */
void reply_refuse(struct session *session,
		  const struct rdmablk_msg_hdr *request, unsigned int status,
		  const char *format, ...)
{
	struct rdmablk_msg_error error = {
		.hdr = {
			.type = request->type | htole16(RDMABLK_MSG_REPLY),
			.status = htole16((uint16_t)status),
			.length = htole32(sizeof(error)),
			.tag = request->tag,
		},
	};
	char why[RDMABLK_TEXT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	log_refused(session, status, why);
	session->daemon->counters.refused[status]++;
	snprintf(error.text, sizeof(error.text), "%s",
		 status == RDMABLK_E_DENIED ? rdmablk_status_text(status) : why);
	send_or_drop(session, &error, sizeof(error));
}
