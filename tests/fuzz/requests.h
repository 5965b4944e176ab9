/* SPDX-License-Identifier: GPL-2.0 */
/* What a client may say, and one message that it may not. */
#ifndef RDMABLK_FUZZ_REQUESTS_H
#define RDMABLK_FUZZ_REQUESTS_H

#include "wire.h"

static const struct {
	unsigned int	type;
	size_t		size;
} requests[] = {
	{ RDMABLK_MSG_HELLO,		sizeof(struct rdmablk_msg_hello) },
	{ RDMABLK_MSG_OPEN,		sizeof(struct rdmablk_msg_open) },
	{ RDMABLK_MSG_EXTENTS,		sizeof(struct rdmablk_msg_extents) },
	{ RDMABLK_MSG_KEEP_ALIVE,	sizeof(struct rdmablk_msg_hdr) },
	{ RDMABLK_MSG_CLOSE,		sizeof(struct rdmablk_msg_hdr) },
	{ RDMABLK_MSG_FLUSH,		sizeof(struct rdmablk_msg_flush) },
	{ RDMABLK_MSG_ZERO,		sizeof(struct rdmablk_msg_zero) },
	{ RDMABLK_MSG_EVENT,		sizeof(struct rdmablk_msg_event) },
	/* All numbers up to 15, so that the others keep theirs in the corpora. */
	[8 ... 14] = { RDMABLK_MSG_KEYS, sizeof(struct rdmablk_msg_keys) },
	{ RDMABLK_MSG_AUTH,		sizeof(struct rdmablk_msg_auth) },
};

#define NR_REQUESTS	(sizeof(requests) / sizeof(requests[0]))

#endif /* RDMABLK_FUZZ_REQUESTS_H */
