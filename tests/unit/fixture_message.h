/* SPDX-License-Identifier: GPL-2.0 */
/* What tests of control messages share. */
#ifndef RDMABLK_FIXTURE_MESSAGE_H
#define RDMABLK_FIXTURE_MESSAGE_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>

#include "proto.h"

/* Starts a message of so many bytes, whatever its type. */
static inline void set_hdr(void *msg, unsigned int type, size_t len)
{
	struct rdmablk_msg_hdr *hdr = msg;

	hdr->type = htole16((uint16_t)type);
	hdr->length = htole32((uint32_t)len);
	hdr->tag = htole64(UINT64_MAX);
}

#endif /* RDMABLK_FIXTURE_MESSAGE_H */
