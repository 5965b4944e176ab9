/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The remote keys of an export: one for each extent, in order, then one for each
 * epoch's coarse map, which is zero where there is none. The grant says whether all
 * queues of a session use the same, or each has its own (RDMABLK_SCOPE_QUEUE).
 */
#ifndef RDMABLK_KEYS_H
#define RDMABLK_KEYS_H

#include <linux/types.h>

struct rdmablk_grant;
struct rdmablk_reason;
struct rdmablk_session;

u32 *rdmablk_keys_alloc(const struct rdmablk_grant *grant);
int rdmablk_keys_ask(struct rdmablk_session *session, u16 hctx, u32 *keys,
		     struct rdmablk_reason *reason);

#endif /* RDMABLK_KEYS_H */
