// SPDX-License-Identifier: GPL-2.0
/*
 * Remote keys. See keys.h.
 */
#include <linux/slab.h>

#include "keys.h"
#include "session.h"

/**
 * rdmablk_keys_alloc() - make a table of remote keys
 * @grant: says how many there are
 *
 * Context: process.
 * Return: the table, zeroed, to be freed with kvfree(); or NULL.
 */
u32 *rdmablk_keys_alloc(const struct rdmablk_grant *grant)
{
	return kvcalloc(grant->nr_extents + RDMABLK_EPOCHS, sizeof(u32),
			GFP_KERNEL);
}

/**
 * rdmablk_keys_ask() - learn the remote keys of one queue
 * @session: granted, with keys for each queue
 * @hctx: index of the queue; connected
 * @keys: a table; filled in
 * @reason: set on failure
 *
 * Context: process; sleeps up to the connect time-out for each part of the table.
 * Return: 0, or a negative errno.
 */
int rdmablk_keys_ask(struct rdmablk_session *session, u16 hctx, u32 *keys,
		     struct rdmablk_reason *reason)
{
	struct rdmablk_call *call = &session->ctrl.calls[RDMABLK_CALL_SESSION];
	const struct rdmablk_msg_keys_reply *reply = (void *)call->answer;
	const struct rdmablk_grant *grant = &session->grant;
	u32 nr = rdmablk_nr_keys(grant->nr_extents, grant->chunk_shift);
	u32 known = 0, i;
	int err;

	while (known < nr) {
		struct rdmablk_msg_keys msg = {
			.hdr.type	= cpu_to_le16(RDMABLK_MSG_KEYS),
			.hctx		= cpu_to_le16(hctx),
			.first		= cpu_to_le32(known),
		};

		err = rdmablk_call(call, &msg, sizeof(msg),
				   session->opts->addr.timeout_ms, reason);
		if (err)
			return err;
		err = rdmablk_check_keys(reply, nr, known);
		if (err)
			return rdmablk_reason_set(reason, err,
				"the target's table of keys is not sound: not using it");
		for (i = 0; i < le32_to_cpu(reply->count); i++)
			keys[known + i] = le32_to_cpu(reply->key[i]);
		known += i;
	}
	return 0;
}
