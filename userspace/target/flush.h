/* SPDX-License-Identifier: GPL-2.0 */
/* FLUSH and ZERO: what a session asks of an export's durability. */
#ifndef RDMABLKD_FLUSH_H
#define RDMABLKD_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/rdmablk_proto.h"
#include "writeback.h"

struct session;

/**
 * struct flush - the flush that a session waits for
 * @request: what it waits for
 * @hdr: of the message that is to be answered
 * @busy: it waits
 * @flags: RDMABLK_FLUSH_*
 * @epoch: with RDMABLK_FLUSH_CLEAN: whose coarse map is cleared in the end
 * @named_end: where the ranges end that the parts before have named, bytes
 */
struct flush {
	struct writeback_request	request;
	struct rdmablk_msg_hdr		hdr;
	bool				busy;
	uint8_t				flags;
	uint8_t				epoch;
	uint64_t			named_end;
};

int flush_message(struct session *session, const struct rdmablk_msg_flush *msg);
int flush_zero(struct session *session, const struct rdmablk_msg_zero *msg);
void flush_release(struct session *session);

#endif /* RDMABLKD_FLUSH_H */
