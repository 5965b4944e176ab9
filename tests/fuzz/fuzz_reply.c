// SPDX-License-Identifier: GPL-2.0
/*
 * A target's side of a session, as the module takes it (kmod/proto_reply.c,
 * proto_grant.c and extent.c): any number of answers and events, and if there was a
 * grant with a sound table of extents, where I/O would go, and with which key.
 */
#include "extent.h"
#include "wire.h"

/**
 * struct client - what the module knows of its session
 * @open: what it asked for
 * @grant: what was granted; @granted
 * @region: the extents so far
 * @nr_keys: of one queue, so far
 */
struct client {
	struct rdmablk_msg_open		open;
	struct rdmablk_msg_grant	grant;
	int				granted;
	struct rdmablk_region		*region;
	uint32_t			nr_keys;
};

static void text(const char *field, size_t size)
{
	MUST(strnlen(field, size) < size && rdmablk_text_valid(field, size));
}

/* As the module asks: within its own limits. */
static void ask(struct client *client, struct input *in)
{
	client->open.access = input_byte(in) & 1 ? RDMABLK_ACCESS_RO :
						   RDMABLK_ACCESS_RW;
	client->open.nr_queues =
		htole16(1 + input_byte(in) % RDMABLK_QUEUES_MAX);
	client->open.queue_depth =
		htole32(1 + input_u32(in) % RDMABLK_DEPTH_MAX);
	client->open.max_io_size =
		htole32(RDMABLK_MAX_IO_MIN << input_byte(in) % 9);
}

static void take_grant(struct client *client, const struct wire *wire)
{
	const struct rdmablk_msg_grant *grant = wire->message;

	if (client->granted || rdmablk_check_grant(grant, &client->open))
		return;
	client->grant = *grant;
	MUST(le32toh(grant->nr_extents) - 1U < RDMABLK_EXTENTS_MAX);
	MUST(le16toh(grant->nr_queues) <= le16toh(client->open.nr_queues));
	MUST(le32toh(grant->queue_depth) <= le32toh(client->open.queue_depth));
	client->region = calloc(1, sizeof(*client->region) +
				le32toh(grant->nr_extents) *
				sizeof(client->region->piece[0]));
	MUST(client->region);
	client->granted = 1;
}

static uint64_t region_end(const struct rdmablk_region *region)
{
	const struct rdmablk_piece *last = &region->piece[region->nr - 1];

	return region->nr ? last->offset + last->length : 0;
}

static void take_extents(struct client *client, const struct wire *wire)
{
	const struct rdmablk_msg_extents_reply *reply = wire->message;
	struct rdmablk_region *region = client->region;
	uint32_t i;

	if (!client->granted ||
	    region->nr == le32toh(client->grant.nr_extents) ||
	    rdmablk_check_extents(reply, &client->grant, region->nr,
				  region_end(region)))
		return;
	for (i = 0; i < le32toh(reply->count); i++) {
		const struct rdmablk_extent *extent = &reply->extent[i];

		region->piece[region->nr++] = (struct rdmablk_piece){
			.offset = le64toh(extent->offset),
			.length = le64toh(extent->length),
			.addr = le64toh(extent->addr),
		};
		MUST(client->grant.key_scope != RDMABLK_SCOPE_QUEUE ||
		     !extent->rkey);
	}
	MUST(region->nr <= le32toh(client->grant.nr_extents));
}

static void take_keys(struct client *client, const struct wire *wire)
{
	const struct rdmablk_msg_keys_reply *reply = wire->message;
	uint32_t count = le32toh(reply->count), i, known = 0, nr;

	if (!client->granted)
		return;
	nr = rdmablk_nr_keys(le32toh(client->grant.nr_extents),
			     client->grant.chunk_shift);
	if (client->nr_keys == nr ||
	    rdmablk_check_keys(reply, nr, client->nr_keys))
		return;
	/* All of them are there to be read, or a sanitizer says so. */
	for (i = 0; i < count; i++)
		known += reply->key[i] || 1;
	client->nr_keys += known;
	MUST(client->nr_keys <= nr);
}

/* An I/O of the largest size: two pieces at most, all of it, nothing beyond. */
static void one_io(const struct client *client, uint64_t offset)
{
	uint64_t size = le64toh(client->grant.size), addr, span;
	uint64_t left = MIN(size - offset, le32toh(client->grant.max_io_size));
	unsigned int pieces = 0;
	uint32_t index;

	while (left) {
		span = rdmablk_region_span(client->region, offset, left, &addr,
					   &index);
		MUST(span && span <= left && addr + span > addr);
		MUST(index < client->region->nr);
		offset += span;
		left -= span;
		pieces++;
	}
	MUST(pieces <= 2);
}

static void use_region(const struct client *client, struct input *in)
{
	uint64_t size, offset, addr;
	uint32_t index;
	int i;

	if (!client->granted ||
	    client->region->nr != le32toh(client->grant.nr_extents))
		return;
	size = le64toh(client->grant.size);
	MUST(region_end(client->region) == size);
	for (i = 0; i < 8; i++) {
		input_take(in, &offset, sizeof(offset));
		one_io(client, offset % size);
	}
	one_io(client, 0);
	one_io(client, size - 1);
	MUST(!rdmablk_region_span(client->region, size, 1, &addr, &index));
}

static void one_answer(struct client *client, struct input *in)
{
	static const struct {
		unsigned int	type;
		size_t		size;
	} types[] = {
		{ RDMABLK_MSG_HELLO,	sizeof(struct rdmablk_msg_hello_reply) },
		{ RDMABLK_MSG_OPEN,	sizeof(struct rdmablk_msg_grant) },
		{ RDMABLK_MSG_EXTENTS,	sizeof(struct rdmablk_msg_extents_reply) },
		{ RDMABLK_MSG_FLUSH,	sizeof(struct rdmablk_msg_hdr) },
		/* All up to 7, so that the others keep their numbers. */
		[4 ... 6] = { RDMABLK_MSG_KEYS,
			      sizeof(struct rdmablk_msg_keys_reply) },
		{ RDMABLK_MSG_AUTH,	sizeof(struct rdmablk_msg_auth_reply) },
	};
	uint8_t how = input_byte(in), more = input_byte(in);
	unsigned int type = types[how % 8].type;
	size_t size = types[how % 8].size;
	const struct rdmablk_msg_hello_reply *hello;
	struct wire wire;
	int status;

	if (type == RDMABLK_MSG_EXTENTS)
		size += more % (RDMABLK_EXTENTS_PER_MSG + 1) *
			sizeof(struct rdmablk_extent);
	if (type == RDMABLK_MSG_KEYS)
		size += more % (RDMABLK_KEYS_PER_MSG + 1) * sizeof(__le32);
	wire = wire_take(in, how, type | RDMABLK_MSG_REPLY, size);
	status = rdmablk_check_reply(wire.message, wire.length, type);
	if (status > 0)
		text(((struct rdmablk_msg_error *)wire.message)->text,
		     RDMABLK_TEXT_MAX);
	if (!status && type == RDMABLK_MSG_HELLO) {
		hello = wire.message;
		text(hello->target_name, sizeof(hello->target_name));
	}
	if (!status && type == RDMABLK_MSG_OPEN)
		take_grant(client, &wire);
	if (!status && type == RDMABLK_MSG_EXTENTS)
		take_extents(client, &wire);
	if (!status && type == RDMABLK_MSG_KEYS)
		take_keys(client, &wire);
	free(wire.message);
}

static void one_event(struct input *in)
{
	uint8_t how = input_byte(in);
	struct wire wire = wire_take(in, how, RDMABLK_MSG_EVENT,
				     sizeof(struct rdmablk_msg_event));
	struct rdmablk_msg_event *event = wire.message;

	if (!rdmablk_check_event(event, wire.length)) {
		text(event->text, sizeof(event->text));
		MUST(*rdmablk_status_text(le32toh(event->code)));
	}
	free(event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct client client = { 0 };
	struct input in = { data, size };

	ask(&client, &in);
	while (in.left) {
		if (input_byte(&in) & 1)
			one_event(&in);
		else
			one_answer(&client, &in);
		use_region(&client, &in);
	}
	free(client.region);
	return 0;
}
