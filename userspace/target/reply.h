/* SPDX-License-Identifier: GPL-2.0 */
/* Answers to what clients ask on their control connections. */
#ifndef RDMABLKD_REPLY_H
#define RDMABLKD_REPLY_H

#include <stddef.h>

struct session;
struct rdmablk_msg_hdr;

void reply_send(struct session *session, void *reply, size_t len,
		const struct rdmablk_msg_hdr *request);
void reply_done(struct session *session,
		const struct rdmablk_msg_hdr *request);
void reply_refuse(struct session *session,
		  const struct rdmablk_msg_hdr *request, unsigned int status,
		  const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif /* RDMABLKD_REPLY_H */
