/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control messages for the fuzzers. Chance seldom makes a header whose length is
 * that of the message: unless the first byte says otherwise, it is set right,
 * so that what comes behind it is looked at.
 */
#ifndef RDMABLK_FUZZ_WIRE_H
#define RDMABLK_FUZZ_WIRE_H

#include <endian.h>

#include "input.h"
#include "proto.h"

#define WIRE_RAW	0x80	/* leave the header as it is */
#define WIRE_ODD	0x40	/* another length than that of the type */

struct wire {
	void	*message;	/* to be freed */
	size_t	length;
};

static inline void wire_header(void *message, size_t length, unsigned int type)
{
	struct rdmablk_msg_hdr *hdr = message;

	hdr->type = htole16((uint16_t)type);
	hdr->length = htole32((uint32_t)length);
}

/* @natural: the length of a message of @type. */
static inline struct wire wire_take(struct input *in, uint8_t how,
				    unsigned int type, size_t natural)
{
	struct wire wire = { .length = natural };

	if (how & (WIRE_RAW | WIRE_ODD))
		wire.length = input_u32(in) % (RDMABLK_MSG_MAX + 16);
	wire.message = input_message(in, wire.length);
	if (!(how & WIRE_RAW) && wire.length >= sizeof(struct rdmablk_msg_hdr))
		wire_header(wire.message, wire.length, type);
	return wire;
}

#endif /* RDMABLK_FUZZ_WIRE_H */
