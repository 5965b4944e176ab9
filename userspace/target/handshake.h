/* SPDX-License-Identifier: GPL-2.0 */
/* What a client asks on its control connection, and what it is answered. */
#ifndef RDMABLKD_HANDSHAKE_H
#define RDMABLKD_HANDSHAKE_H

#include <stddef.h>

struct session;
struct rdmablk_msg_hdr;
struct rdmablk_msg_open;

void handshake_message(struct session *session, const void *msg, size_t len);
void handshake_open(struct session *session,
		    const struct rdmablk_msg_open *open);
void handshake_reply(struct session *session, void *reply, size_t len,
		     const struct rdmablk_msg_hdr *request);
void handshake_refuse(struct session *session,
		      const struct rdmablk_msg_hdr *request,
		      unsigned int status, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void handshake_deny(struct session *session,
		    const struct rdmablk_msg_hdr *request,
		    const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* RDMABLKD_HANDSHAKE_H */
