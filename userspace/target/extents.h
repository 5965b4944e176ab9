/* SPDX-License-Identifier: GPL-2.0 */
/* Where an export is, and what opens it: EXTENTS and KEYS. */
#ifndef RDMABLKD_EXTENTS_H
#define RDMABLKD_EXTENTS_H

#include "uapi/rdmablk_proto.h"

struct session;

void extents_message(struct session *session,
		     const struct rdmablk_msg_extents *msg);
void extents_keys(struct session *session, const struct rdmablk_msg_keys *msg);

#endif /* RDMABLKD_EXTENTS_H */
