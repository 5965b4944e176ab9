// SPDX-License-Identifier: GPL-2.0
/*
 * What a session says on its control connection before data may flow: HELLO,
 * AUTH if it has a key, OPEN, and EXTENTS as often as the table needs. Everything
 * that the target answers is validated (proto.h) before it is used here.
 */
#include <linux/random.h>
#include <linux/slab.h>

#include "keys.h"
#include "session.h"

static struct rdmablk_call *rdmablk_caller(struct rdmablk_session *session)
{
	return &session->ctrl.calls[RDMABLK_CALL_SESSION];
}

static int rdmablk_ask(struct rdmablk_session *session, void *request,
		       size_t size, struct rdmablk_reason *reason)
{
	int err = rdmablk_call(rdmablk_caller(session), request, size,
			       session->opts->addr.timeout_ms, reason);

	/* That would be the end of the device: not by the word of just anybody. */
	if (err == -ESTALE && !rdmablk_auth_believes(&session->auth))
		err = reason->error = -EPROTO;
	return err;
}

static u8 rdmablk_access(const struct rdmablk_session *session)
{
	return session->opts->flags & RDMABLK_FLAG_READ_ONLY ?
	       RDMABLK_ACCESS_RO : RDMABLK_ACCESS_RW;
}

/* What both ends know of each other by now. */
static void rdmablk_auth_gather(struct rdmablk_session *session,
				const struct rdmablk_msg_hello *hello)
{
	const struct rdmablk_conn *conn = &session->ctrl.conn;
	const struct rdma_addr *addr = &conn->cm_id->route.addr;
	struct rdmablk_auth_input *input = &session->auth.input;

	rdmablk_auth_versions(input, RDMABLK_VERSION_MIN, RDMABLK_VERSION_MAX,
			      conn->rep.version);
	rdmablk_auth_addrs(input, (struct sockaddr *)&addr->src_addr,
			   (struct sockaddr *)&addr->dst_addr);
	rdmablk_auth_hello(input, hello,
			   (void *)rdmablk_caller(session)->answer);
}

static int rdmablk_authenticate(struct rdmablk_session *session,
				const struct rdmablk_msg_hello *hello,
				struct rdmablk_reason *reason)
{
	struct rdmablk_msg_auth msg = {
		.hdr.type	= cpu_to_le16(RDMABLK_MSG_AUTH),
		.access		= rdmablk_access(session),
	};
	int err;

	memcpy(msg.export, session->opts->export, sizeof(msg.export));
	rdmablk_auth_gather(session, hello);
	err = rdmablk_auth_prove(&session->auth, &msg);
	if (err)
		return rdmablk_reason_set(reason, err,
			"cannot compute a MAC: error %d", err);
	err = rdmablk_ask(session, &msg, sizeof(msg), reason);
	if (err)
		return err;
	return rdmablk_auth_check(&session->auth,
				  (void *)rdmablk_caller(session)->answer,
				  reason);
}

static int rdmablk_hello(struct rdmablk_session *session,
			 struct rdmablk_reason *reason)
{
	const struct rdmablk_msg_hello_reply *reply =
		(void *)rdmablk_caller(session)->answer;
	const struct rdmablk_opts *opts = session->opts;
	struct rdmablk_msg_hello hello = {
		.hdr.type = cpu_to_le16(RDMABLK_MSG_HELLO),
	};
	int err;

	memcpy(hello.host_id, opts->host_id, sizeof(hello.host_id));
	memcpy(hello.host_name, opts->host_name, sizeof(hello.host_name));
	get_random_bytes(hello.nonce, sizeof(hello.nonce));
	err = rdmablk_auth_begin(&session->auth, &hello, reason);
	if (err)
		return err;
	err = rdmablk_ask(session, &hello, sizeof(hello), reason);
	if (err)
		return err;
	err = rdmablk_check_features(reply, &hello);
	if (err)
		return rdmablk_reason_set(reason, err,
			"the target wants to use what this module does not know");
	if (hello.client_id[0] && reply->auth_required)
		return rdmablk_authenticate(session, &hello, reason);
	if (hello.client_id[0])
		return rdmablk_reason_set(reason, -EKEYREJECTED,
			"the target would do without authentication: not trusting it");
	if (reply->auth_required)
		return rdmablk_reason_set(reason, -EACCES,
			"the target requires authentication: attach with a key");
	return 0;
}

static void rdmablk_piece_take(struct rdmablk_piece *piece,
			       const struct rdmablk_extent *extent)
{
	piece->offset = le64_to_cpu(extent->offset);
	piece->length = le64_to_cpu(extent->length);
	piece->addr = le64_to_cpu(extent->addr);
}

static void rdmablk_grant_take(struct rdmablk_grant *grant,
			       const struct rdmablk_msg_grant *msg)
{
	int epoch;

	grant->session_id = le64_to_cpu(msg->session_id);
	memcpy(grant->generation, msg->generation, sizeof(grant->generation));
	grant->instance = le64_to_cpu(msg->instance);
	grant->size = le64_to_cpu(msg->size);
	grant->logical_block = le32_to_cpu(msg->logical_block);
	grant->physical_block = le32_to_cpu(msg->physical_block);
	grant->durability = msg->durability;
	grant->flags = msg->flags;
	grant->nr_queues = le16_to_cpu(msg->nr_queues);
	grant->queue_depth = le32_to_cpu(msg->queue_depth);
	grant->max_io_size = le32_to_cpu(msg->max_io_size);
	grant->keep_alive_ms = le32_to_cpu(msg->keep_alive_ms);
	grant->nr_extents = le32_to_cpu(msg->nr_extents);
	grant->chunk_shift = msg->chunk_shift;
	grant->key_scope = msg->key_scope;
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		rdmablk_piece_take(&grant->coarse[epoch], &msg->coarse[epoch]);
}

static int rdmablk_open(struct rdmablk_session *session,
			struct rdmablk_msg_grant *grant,
			struct rdmablk_reason *reason)
{
	const struct rdmablk_opts *opts = session->opts;
	u32 keep_alive = READ_ONCE(opts->settings.keep_alive_tmo);
	struct rdmablk_msg_open open = {
		.hdr.type	= cpu_to_le16(RDMABLK_MSG_OPEN),
		.access		= rdmablk_access(session),
		.nr_queues	= cpu_to_le16(opts->nr_queues),
		.queue_depth	= cpu_to_le32(opts->depth),
		.max_io_size	= cpu_to_le32(RDMABLK_MAX_IO),
		.keep_alive_ms	= cpu_to_le32(keep_alive * MSEC_PER_SEC),
		.life		= cpu_to_le64(opts->life),
		/* Not zero in a recovery: replace our own earlier session. */
		.session_id	= cpu_to_le64(session->grant.session_id),
	};
	int err;

	/* A takeover is the operator's word for the first session only. */
	if ((opts->flags & RDMABLK_FLAG_FORCE) && !session->grant.session_id)
		open.flags = RDMABLK_OPEN_FORCE;
	memcpy(open.export, opts->export, sizeof(open.export));
	err = rdmablk_ask(session, &open, sizeof(open), reason);
	if (err)
		return err;

	memcpy(grant, rdmablk_caller(session)->answer, sizeof(*grant));
	err = rdmablk_check_grant(grant, &open);
	if (err)
		return rdmablk_reason_set(reason, err,
			"the target's grant is not sound: not using it");
	rdmablk_grant_take(&session->grant, grant);
	return 0;
}

/* @keys: NULL: they come later, and each queue has its own. */
static void rdmablk_pieces_take(struct rdmablk_region *region, u32 *keys,
				const struct rdmablk_msg_extents_reply *reply)
{
	u32 count = le32_to_cpu(reply->count), i;

	for (i = 0; i < count; i++) {
		const struct rdmablk_extent *extent = &reply->extent[i];

		if (keys)
			keys[region->nr] = le32_to_cpu(extent->rkey);
		rdmablk_piece_take(&region->piece[region->nr++], extent);
	}
}

static u64 rdmablk_region_end(const struct rdmablk_region *region)
{
	const struct rdmablk_piece *last;

	if (!region->nr)
		return 0;
	last = &region->piece[region->nr - 1];
	return last->offset + last->length;
}

static int rdmablk_extents(struct rdmablk_session *session,
			   const struct rdmablk_msg_grant *grant,
			   struct rdmablk_region *region,
			   struct rdmablk_reason *reason)
{
	const struct rdmablk_msg_extents_reply *reply =
		(void *)rdmablk_caller(session)->answer;
	int err;

	while (region->nr < session->grant.nr_extents) {
		struct rdmablk_msg_extents extents = {
			.hdr.type	= cpu_to_le16(RDMABLK_MSG_EXTENTS),
			.first		= cpu_to_le32(region->nr),
		};

		err = rdmablk_ask(session, &extents, sizeof(extents), reason);
		if (err)
			return err;
		err = rdmablk_check_extents(reply, grant, region->nr,
					    rdmablk_region_end(region));
		if (err)
			return rdmablk_reason_set(reason, err,
				"the target's extent table is not sound: not using it");
		rdmablk_pieces_take(region, session->keys, reply);
	}
	return 0;
}

/* Room for the keys that all queues share, and those of them that are known. */
static int rdmablk_shared_keys(struct rdmablk_session *session,
			       const struct rdmablk_msg_grant *grant)
{
	int epoch;

	if (grant->key_scope == RDMABLK_SCOPE_QUEUE)
		return 0;
	session->keys = rdmablk_keys_alloc(&session->grant);
	if (!session->keys)
		return -ENOMEM;
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		session->keys[session->grant.nr_extents + epoch] =
			le32_to_cpu(grant->coarse[epoch].rkey);
	return 0;
}

/**
 * rdmablk_handshake() - say who we are, open the export, learn its region
 * @session: with a connected control connection and no region
 * @reason: set on failure
 *
 * Context: process.
 * Return: 0 with @session->grant, @session->region and, if all queues share them,
 * @session->keys filled in; or a negative errno.
 */
int rdmablk_handshake(struct rdmablk_session *session,
		      struct rdmablk_reason *reason)
{
	struct rdmablk_msg_grant grant;
	struct rdmablk_region *region;
	int err;

	err = rdmablk_hello(session, reason);
	if (!err)
		err = rdmablk_open(session, &grant, reason);
	if (err)
		return err;

	/* What is made from here on rdmablk_session_stop() frees. */
	region = kvzalloc(struct_size(region, piece,
				      session->grant.nr_extents), GFP_KERNEL);
	session->region = region;
	if (!region || rdmablk_shared_keys(session, &grant))
		return rdmablk_reason_set(reason, -ENOMEM,
			"no memory for a table of %u extents",
			session->grant.nr_extents);
	return rdmablk_extents(session, &grant, region, reason);
}
