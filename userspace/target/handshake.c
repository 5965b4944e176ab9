// SPDX-License-Identifier: GPL-2.0
/*
 * What a client asks on its control connection, in which order, and HELLO, AUTH and
 * CLOSE. open.c has OPEN, extents.c EXTENTS and KEYS, flush.c FLUSH and ZERO; login.c
 * judges AUTH.
 *
 * A message that is malformed, or that may not come in this state, is answered
 * with RDMABLK_E_MESSAGE if its header is sound, and ends the session. A type
 * that this version does not know is refused, and the session goes on.
 */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "config.h"
#include "extents.h"
#include "flush.h"
#include "handshake.h"
#include "host.h"
#include "log.h"
#include "open.h"
#include "peer.h"
#include "proto.h"
#include "reply.h"
#include "session.h"

/* Answers if that is possible, and ends the session in any case. */
static void reject(struct session *session, const void *msg, size_t len,
		   const char *what)
{
	char who[SESSION_TEXT_MAX];

	if (!rdmablk_check_hdr(msg, len))
		reply_refuse(session, msg, RDMABLK_E_MESSAGE, "%s", what);
	else
		peer_log(session->peer, LOG_NOTICE, "%s: %s: session ended",
			 session_text(session, who), what);
	session_farewell(session, 0, NULL);
}

static void hello(struct session *session, const struct rdmablk_msg_hello *msg)
{
	struct rdmablk_msg_hello_reply reply = { 0 };
	struct claim *claim = &session->claim;

	memcpy(claim->host_id, msg->host_id, sizeof(claim->host_id));
	memcpy(claim->host_name, msg->host_name, sizeof(claim->host_name));
	session->state = SESSION_GREETED;
	/* Whatever else fails: nothing else is taken from it then. */
	if (msg->client_id[0] || !session->daemon->config->allow_unauthenticated) {
		session->login.state = LOGIN_AWAITED;
		reply.auth_required = 1;
	}

	host_name(reply.target_name);
	if (getrandom(reply.nonce, sizeof(reply.nonce), 0) !=
	    (ssize_t)sizeof(reply.nonce)) {
		reply_refuse(session, &msg->hdr, RDMABLK_E_INTERNAL,
			     "no random numbers");
		return;
	}
	rdmablk_auth_hello(&session->login.input, msg, &reply);
	reply_send(session, &reply, sizeof(reply), &msg->hdr);
}

/* What the log says of a proof that is none. */
static void deny_proof(struct session *session,
		       const struct rdmablk_msg_hdr *request,
		       const struct keyring_keys *keys)
{
	const char *client = session->login.input.hello.client_id;

	if (!client[0])
		reply_refuse(session, request, RDMABLK_E_DENIED,
			     "a proof without the name of a key");
	else if (!session->daemon->keyring)
		reply_refuse(session, request, RDMABLK_E_DENIED,
			     "client '%s': there is no key file", client);
	else if (!keys->nr)
		reply_refuse(session, request, RDMABLK_E_DENIED,
			     "client '%s': there is no such key", client);
	else
		reply_refuse(session, request, RDMABLK_E_DENIED,
			     "client '%s': it has another key, or somebody changed what it said",
			     client);
}

static void auth(struct session *session, const struct rdmablk_msg_auth *msg)
{
	struct rdmablk_msg_auth_reply reply = { 0 };
	struct login *login = &session->login;
	const char *client = login->input.hello.client_id;
	const struct secret *secret;
	struct keyring_keys keys;

	rdmablk_auth_wish(&login->input, msg);
	keyring_find(session->daemon->keyring, client, &keys);
	secret = login_check(login, &keys, msg->mac);
	if (!secret) {
		deny_proof(session, &msg->hdr, &keys);
		session_farewell(session, 0, NULL);
		return;
	}
	if (login_answer(login, secret, reply.mac)) {
		reply_refuse(session, &msg->hdr, RDMABLK_E_INTERNAL,
			     "out of memory");
		return;
	}
	memcpy(session->claim.client, client, sizeof(session->claim.client));
	reply_send(session, &reply, sizeof(reply), &msg->hdr);
}

static void close_session(struct session *session,
			  const struct rdmablk_msg_hdr *msg)
{
	char who[SESSION_TEXT_MAX];

	/* The answer says that the export is free: make it so first. */
	if (session->export)
		peer_log(session->peer, LOG_INFO, "%s: %s: closed",
			 session_text(session, who),
			 session->export->spec.name);
	session_release(session);
	reply_done(session, msg);
	session_farewell(session, 0, NULL);
}

/* May a message of this type come in this state? */
static bool in_order(const struct session *session, unsigned int type)
{
	switch (type) {
	case RDMABLK_MSG_HELLO:
		return session->state == SESSION_CONNECTED;
	case RDMABLK_MSG_AUTH:
		return session->state == SESSION_GREETED &&
		       session->login.state == LOGIN_AWAITED;
	case RDMABLK_MSG_OPEN:
		return session->state == SESSION_GREETED &&
		       session->login.state != LOGIN_AWAITED;
	case RDMABLK_MSG_EXTENTS:
	case RDMABLK_MSG_KEYS:
	case RDMABLK_MSG_FLUSH:
	case RDMABLK_MSG_ZERO:
		return session->state == SESSION_OPEN;
	default:
		return true;
	}
}

static void dispatch(struct session *session, unsigned int type,
		     const void *msg, size_t len)
{
	int err = 0;

	switch (type) {
	case RDMABLK_MSG_HELLO:
		hello(session, msg);
		break;
	case RDMABLK_MSG_AUTH:
		auth(session, msg);
		break;
	case RDMABLK_MSG_OPEN:
		open_message(session, msg);
		break;
	case RDMABLK_MSG_EXTENTS:
		extents_message(session, msg);
		break;
	case RDMABLK_MSG_KEYS:
		extents_keys(session, msg);
		break;
	case RDMABLK_MSG_FLUSH:
		err = flush_message(session, msg);
		break;
	case RDMABLK_MSG_ZERO:
		err = flush_zero(session, msg);
		break;
	case RDMABLK_MSG_KEEP_ALIVE:
		reply_done(session, msg);
		break;
	default:
		close_session(session, msg);
		break;
	}
	if (err)
		reject(session, msg, len, "range or epoch out of bounds or order");
}

/**
 * handshake_message() - handle a message of a client
 * @session: live; it may be ending or dead after this
 * @msg: the message
 * @len: bytes
 */
void handshake_message(struct session *session, const void *msg, size_t len)
{
	int err = rdmablk_check_request(msg, len);
	const struct rdmablk_msg_hdr *hdr = msg;
	unsigned int type;

	if (err == -EPROTO) {
		reject(session, msg, len, "malformed message");
		return;
	}
	type = le16toh(hdr->type);
	if (type == RDMABLK_MSG_EVENT || (type & RDMABLK_MSG_REPLY)) {
		reject(session, msg, len, "a message that only targets send");
	} else if (err) {
		reply_refuse(session, hdr, RDMABLK_E_UNSUPPORTED,
			     "this target does not know message type %u",
			     type);
	} else if (!in_order(session, type)) {
		reject(session, msg, len, "message out of order");
	} else {
		dispatch(session, type, msg, len);
	}
}
