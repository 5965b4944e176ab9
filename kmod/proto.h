/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Validation of what arrives from the peer: pure functions, no state, no
 * allocation, compiled into the module, the daemon, the unit tests and the
 * fuzzers. A message that passed its function here can be used field by field
 * without another check; one that did not is dropped with its session.
 */
#ifndef RDMABLK_PROTO_H
#define RDMABLK_PROTO_H

#include "uapi/rdmablk_proto.h"

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#endif

/* proto.c: what all have in common */
const char *rdmablk_status_text(unsigned int status);
int rdmablk_check_hdr(const void *msg, size_t len);

/* proto_field.c: fields */
bool rdmablk_name_valid(const char *name, size_t len);
bool rdmablk_text_valid(const char *text, size_t size);

/* proto_cm.c: private data of the connection manager */
int rdmablk_check_cm_req(const void *data, size_t len);
int rdmablk_check_cm_rep(const void *data, size_t len, unsigned int kind);
int rdmablk_check_cm_rej(const void *data, size_t len);
int rdmablk_pick_version(const struct rdmablk_cm_req *req);

/* proto_request.c: at the target */
int rdmablk_check_request(const void *msg, size_t len);
int rdmablk_check_range(const struct rdmablk_range *range, __u64 size,
			__u32 logical_block);

/* proto_reply.c, proto_grant.c: at the client */
int rdmablk_check_reply(const void *msg, size_t len, unsigned int type);
int rdmablk_check_features(const struct rdmablk_msg_hello_reply *reply,
			   const struct rdmablk_msg_hello *hello);
int rdmablk_check_event(const void *msg, size_t len);
int rdmablk_check_grant(const struct rdmablk_msg_grant *grant,
			const struct rdmablk_msg_open *open);
int rdmablk_check_extents(const struct rdmablk_msg_extents_reply *reply,
			  const struct rdmablk_msg_grant *grant, __u32 first,
			  __u64 offset);
__u32 rdmablk_nr_keys(__u32 nr_extents, unsigned int chunk_shift);
int rdmablk_check_keys(const struct rdmablk_msg_keys_reply *reply, __u32 nr,
		       __u32 first);

#endif /* RDMABLK_PROTO_H */
