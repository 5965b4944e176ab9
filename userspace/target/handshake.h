/* SPDX-License-Identifier: GPL-2.0 */
/* What a client asks on its control connection. */
#ifndef RDMABLKD_HANDSHAKE_H
#define RDMABLKD_HANDSHAKE_H

#include <stddef.h>

struct session;

void handshake_message(struct session *session, const void *msg, size_t len);

#endif /* RDMABLKD_HANDSHAKE_H */
