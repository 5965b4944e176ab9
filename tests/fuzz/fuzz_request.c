// SPDX-License-Identifier: GPL-2.0
/*
 * Control messages of a client (kmod/proto_request.c): whatever passes can be used
 * field by field.
 */
#include "requests.h"

static void name(const char *field, size_t size)
{
	size_t length = strnlen(field, size);

	MUST(length && length < size && rdmablk_name_valid(field, length));
}

static void open_(const struct rdmablk_msg_open *open)
{
	name(open->export, sizeof(open->export));
	MUST(open->access == RDMABLK_ACCESS_RO ||
	     open->access == RDMABLK_ACCESS_RW);
	MUST(le16toh(open->nr_queues) - 1U < RDMABLK_QUEUES_MAX);
	MUST(le32toh(open->queue_depth) - 1U < RDMABLK_DEPTH_MAX);
	MUST(le32toh(open->max_io_size) >= RDMABLK_MAX_IO_MIN);
}

static void auth(const struct rdmablk_msg_auth *msg)
{
	name(msg->export, sizeof(msg->export));
	MUST(msg->access == RDMABLK_ACCESS_RO ||
	     msg->access == RDMABLK_ACCESS_RW);
}

static void range(const struct rdmablk_range *range, uint64_t size,
		  uint32_t block)
{
	uint64_t offset = le64toh(range->offset);
	uint64_t length = le64toh(range->length);

	if (rdmablk_check_range(range, size, block))
		return;
	MUST(length && offset + length > offset && offset + length <= size);
	MUST(!(offset % block) && !(length % block));
}

/* @size, @block: of the export that the session has open. */
static void use(const struct wire *wire, uint64_t size, uint32_t block)
{
	const struct rdmablk_msg_hdr *hdr = wire->message;
	const struct rdmablk_msg_hello *hello = wire->message;
	const struct rdmablk_msg_flush *flush = wire->message;
	const struct rdmablk_msg_zero *zero = wire->message;
	const struct rdmablk_msg_keys *keys = wire->message;
	uint32_t i;

	switch (le16toh(hdr->type)) {
	case RDMABLK_MSG_HELLO:
		name(hello->host_name, sizeof(hello->host_name));
		MUST(strnlen(hello->client_id, RDMABLK_HOST_MAX) <
		     RDMABLK_HOST_MAX);
		break;
	case RDMABLK_MSG_OPEN:
		open_(wire->message);
		break;
	case RDMABLK_MSG_AUTH:
		auth(wire->message);
		break;
	case RDMABLK_MSG_KEYS:
		MUST(le16toh(keys->hctx) < RDMABLK_QUEUES_MAX);
		MUST(le32toh(keys->first) <
		     RDMABLK_EXTENTS_MAX + RDMABLK_EPOCHS);
		break;
	case RDMABLK_MSG_FLUSH:
		MUST(flush->epoch < RDMABLK_EPOCHS);
		for (i = 0; i < le32toh(flush->count); i++)
			range(&flush->range[i], size, block);
		break;
	case RDMABLK_MSG_ZERO:
		MUST(zero->epoch < RDMABLK_EPOCHS);
		MUST(le64toh(zero->range.length) <= RDMABLK_ZERO_MAX);
		range(&zero->range, size, block);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint8_t how = input_byte(&in), shape = input_byte(&in);
	uint32_t block = RDMABLK_BLOCK_MIN << (shape & 3);
	uint64_t export_size = (uint64_t)block << (shape >> 2) % 51;
	struct wire wire = wire_take(&in, how, requests[how % NR_REQUESTS].type,
				     requests[how % NR_REQUESTS].size);

	if (!rdmablk_check_request(wire.message, wire.length))
		use(&wire, export_size, block);
	free(wire.message);
	return 0;
}
