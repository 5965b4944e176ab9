// SPDX-License-Identifier: GPL-2.0
/*
 * What the client validates of what it was granted (kmod/proto_grant.c): the grant,
 * the tables of extents and of keys.
 */
#include "test.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "proto.h"

#define TIB	((uint64_t)1 << 40)

static const struct rdmablk_msg_open asked = {
	.access = RDMABLK_ACCESS_RW,
	.nr_queues = 8,
	.queue_depth = 128,
	.max_io_size = 1 << 20,
};

static struct rdmablk_msg_grant good_grant(void)
{
	return (struct rdmablk_msg_grant){
		.hdr = {
			.type = htole16(RDMABLK_MSG_OPEN | RDMABLK_MSG_REPLY),
			.length = htole32(sizeof(struct rdmablk_msg_grant)),
		},
		.session_id = htole64(1), .size = htole64(TIB),
		.logical_block = htole32(512), .physical_block = htole32(4096),
		.durability = RDMABLK_VOLATILE, .nr_queues = htole16(8),
		.queue_depth = htole32(128), .max_io_size = htole32(1 << 20),
		.nr_extents = htole32(2),
	};
}

static int check(const struct rdmablk_msg_grant *grant)
{
	assert_int_equal(rdmablk_check_reply(grant, sizeof(*grant),
					     RDMABLK_MSG_OPEN), 0);
	return rdmablk_check_grant(grant, &asked);
}

/* One field of a good grant set to a value. */
#define expect(field, value, result)					\
	do {								\
		struct rdmablk_msg_grant g = good_grant();		\
		g.field = value;					\
		assert_int_equal(check(&g), result);			\
	} while (0)

static void grant_fields(void **state)
{
	struct rdmablk_msg_grant grant = good_grant();
	size_t i;

	(void)state;
	assert_int_equal(check(&grant), 0);
	expect(session_id, 0, -EPROTO);
	expect(durability, 0, -EPROTO);
	expect(durability, RDMABLK_DURABLE, 0);
	expect(durability, RDMABLK_DURABLE + 1, -EPROTO);
	expect(flags, RDMABLK_GRANT_ZERO, 0);
	expect(flags, 8, -EPROTO);
	/* Write access was asked for: it may be refused, not taken away. */
	expect(flags, RDMABLK_GRANT_READ_ONLY, -EPROTO);
	for (i = 0; i < sizeof(grant.reserved); i++)
		expect(reserved[i], 1, -EPROTO);
	assert_int_equal(rdmablk_check_reply(&grant, sizeof(grant) - 1,
					     RDMABLK_MSG_OPEN), -EPROTO);
}

static void read_only_grant(void **state)
{
	struct rdmablk_msg_open open = asked;
	struct rdmablk_msg_grant grant = good_grant();

	(void)state;
	open.access = RDMABLK_ACCESS_RO;
	grant.flags = RDMABLK_GRANT_READ_ONLY;
	assert_int_equal(rdmablk_check_grant(&grant, &open), 0);
}

static void grant_geometry(void **state)
{
	(void)state;
	expect(size, 0, -EPROTO);
	expect(size, htole64(512), 0);
	expect(size, htole64(513), -EPROTO);
	expect(size, htole64((uint64_t)1 << 62), 0);
	expect(size, htole64(((uint64_t)1 << 62) + 512), -EPROTO);
	expect(size, htole64(UINT64_MAX), -EPROTO);
	expect(logical_block, htole32(0), -EPROTO);
	expect(logical_block, htole32(256), -EPROTO);
	expect(logical_block, htole32(768), -EPROTO);
	expect(logical_block, htole32(4096), 0);
	expect(logical_block, htole32(8192), -EPROTO);
	expect(logical_block, htole32(1U << 31), -EPROTO);
	expect(physical_block, htole32(256), -EPROTO);
	expect(physical_block, htole32(512), 0);
	expect(physical_block, htole32(65536), 0);
	expect(physical_block, htole32(131072), -EPROTO);
	expect(physical_block, htole32(5000), -EPROTO);
}

static void grant_limits(void **state)
{
	(void)state;
	expect(nr_queues, 0, -EPROTO);
	expect(nr_queues, htole16(1), 0);
	expect(nr_queues, htole16(9), -EPROTO);
	expect(queue_depth, 0, -EPROTO);
	expect(queue_depth, htole32(1), 0);
	expect(queue_depth, htole32(129), -EPROTO);
	expect(max_io_size, 0, -EPROTO);
	expect(max_io_size, htole32(32768), -EPROTO);
	expect(max_io_size, htole32(65536), 0);
	expect(max_io_size, htole32(65536 + 4096), -EPROTO);
	expect(max_io_size, htole32(2 << 20), -EPROTO);
	expect(nr_extents, 0, -EPROTO);
	expect(nr_extents, htole32(RDMABLK_EXTENTS_MAX), 0);
	expect(nr_extents, htole32(RDMABLK_EXTENTS_MAX + 1), -EPROTO);
	expect(keep_alive_ms, htole32(RDMABLK_KEEP_ALIVE_MIN - 1), -EPROTO);
	expect(keep_alive_ms, htole32(RDMABLK_KEEP_ALIVE_MIN), 0);
	expect(keep_alive_ms, htole32(RDMABLK_KEEP_ALIVE_MAX), 0);
	expect(keep_alive_ms, htole32(RDMABLK_KEEP_ALIVE_MAX + 1), -EPROTO);
}

/* ---- Extents ---------------------------------------------------------------- */

static union {
	struct rdmablk_msg_extents_reply reply;
	uint8_t bytes[RDMABLK_MSG_MAX];
} msg;

static struct rdmablk_msg_grant tracking_grant(void)
{
	struct rdmablk_msg_grant grant = good_grant();
	int epoch;

	grant.flags = RDMABLK_GRANT_WRITE_CACHE;
	grant.durability = RDMABLK_DURABLE;
	grant.chunk_shift = 20;
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		grant.coarse[epoch].length = htole64(TIB >> 20);
	return grant;
}

/* One field of a good grant with dirty tracking set to a value. */
#define expect_tracking(field, value, result)				\
	do {								\
		struct rdmablk_msg_grant g = tracking_grant();		\
		g.field = value;					\
		assert_int_equal(check(&g), result);			\
	} while (0)

static void grant_tracking(void **state)
{
	(void)state;
	expect_tracking(flags, RDMABLK_GRANT_WRITE_CACHE | RDMABLK_GRANT_ZERO, 0);
	expect_tracking(flags, 0, -EPROTO);
	expect_tracking(flags, RDMABLK_GRANT_ZERO, -EPROTO);
	expect_tracking(chunk_shift, 0, -EPROTO);
	expect_tracking(chunk_shift, RDMABLK_CHUNK_SHIFT_MIN - 1, -EPROTO);
	expect_tracking(chunk_shift, RDMABLK_CHUNK_SHIFT_MAX + 1, -EPROTO);
	expect_tracking(chunk_shift, 21, -EPROTO);
	expect_tracking(coarse[1].length, htole64((TIB >> 20) + 1), -EPROTO);
	expect_tracking(coarse[0].offset, htole64(1), -EPROTO);
	expect_tracking(coarse[0].reserved, htole32(1), -EPROTO);
	expect_tracking(coarse[1].addr, htole64(UINT64_MAX - 512), -EPROTO);
	/* The last chunk may be short. */
	expect_tracking(size, htole64(TIB - 512), 0);
	expect_tracking(size, htole64(TIB + 512), -EPROTO);
}

static void reader_gets_no_maps(void **state)
{
	struct rdmablk_msg_open reader = asked;
	struct rdmablk_msg_grant grant = tracking_grant();

	(void)state;
	reader.access = RDMABLK_ACCESS_RO;
	grant.flags |= RDMABLK_GRANT_READ_ONLY;
	assert_int_equal(rdmablk_check_grant(&grant, &reader), -EPROTO);
	grant.chunk_shift = 0;
	memset(grant.coarse, 0, sizeof(grant.coarse));
	assert_int_equal(rdmablk_check_grant(&grant, &reader), 0);
}

static void set_extent(unsigned int i, uint64_t offset, uint64_t length)
{
	msg.reply.extent[i] = (struct rdmablk_extent){
		.offset = htole64(offset), .length = htole64(length),
		.addr = htole64(0x1000), .rkey = htole32(0x100 + i),
	};
}

static void set_count(uint32_t first, uint32_t count)
{
	size_t len = sizeof(msg.reply) + count * sizeof(struct rdmablk_extent);

	msg.reply.hdr.type = htole16(RDMABLK_MSG_EXTENTS | RDMABLK_MSG_REPLY);
	msg.reply.hdr.length = htole32((uint32_t)len);
	msg.reply.first = htole32(first);
	msg.reply.count = htole32(count);
}

/* Two halves of a region of one TiB. */
static void set_good(void)
{
	memset(&msg, 0, sizeof(msg));
	set_count(0, 2);
	set_extent(0, 0, TIB / 2);
	set_extent(1, TIB / 2, TIB / 2);
}

static int check_table(uint32_t first, uint64_t offset)
{
	struct rdmablk_msg_grant grant = good_grant();

	return rdmablk_check_extents(&msg.reply, &grant, first, offset);
}

static void extents_in_order(void **state)
{
	(void)state;
	set_good();
	assert_int_equal(check_table(0, 0), 0);
	set_extent(0, 512, TIB / 2);
	assert_int_equal(check_table(0, 0), -EPROTO);	/* a gap in front */
	set_good();
	set_extent(1, TIB / 2 + 512, TIB / 2 - 512);
	assert_int_equal(check_table(0, 0), -EPROTO);	/* a gap between */
	set_extent(1, TIB / 2 - 512, TIB / 2);
	assert_int_equal(check_table(0, 0), -EPROTO);	/* an overlap */
	set_extent(1, TIB / 2, TIB / 2 + 512);
	assert_int_equal(check_table(0, 0), -EPROTO);	/* beyond the end */
	set_extent(1, TIB / 2, UINT64_MAX - 511);
	assert_int_equal(check_table(0, 0), -EPROTO);
}

static void extents_that_end_early(void **state)
{
	(void)state;
	set_good();
	set_extent(1, TIB / 2, TIB / 4);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_extent(0, 0, TIB);	/* all of it, and then another one */
	set_extent(1, TIB, 512);
	assert_int_equal(check_table(0, 0), -EPROTO);
}

static void extent_lengths(void **state)
{
	(void)state;
	set_good();
	set_extent(0, 0, 0);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_extent(0, 0, TIB / 2 + 256);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_extent(0, 0, (1 << 20) - 512);	/* less than an I/O, not last */
	set_extent(1, (1 << 20) - 512, TIB - (1 << 20) + 512);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_extent(0, 0, 1 << 20);
	set_extent(1, 1 << 20, TIB - (1 << 20));
	assert_int_equal(check_table(0, 0), 0);
	set_extent(0, 0, TIB - 512);		/* the last one may be short */
	set_extent(1, TIB - 512, 512);
	assert_int_equal(check_table(0, 0), 0);
}

static void extent_addresses(void **state)
{
	(void)state;
	set_good();
	msg.reply.extent[0].addr = htole64(UINT64_MAX - TIB / 2);
	assert_int_equal(check_table(0, 0), 0);
	msg.reply.extent[0].addr = htole64(UINT64_MAX - TIB / 2 + 1);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_good();
	msg.reply.extent[1].reserved = htole32(1);
	assert_int_equal(check_table(0, 0), -EPROTO);
}

static void extents_header(void **state)
{
	(void)state;
	set_good();
	assert_int_equal(check_table(1, TIB / 2), -EPROTO);
	set_count(0, 0);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_count(0, 3);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_count(0, UINT32_MAX);
	assert_int_equal(check_table(0, 0), -EPROTO);
	set_good();
	msg.reply.hdr.length = htole32(sizeof(msg.reply) + 32);
	assert_int_equal(check_table(0, 0), -EPROTO);

	/* Not all of them, though they fit. */
	set_good();
	set_count(0, 1);
	assert_int_equal(check_table(0, 0), -EPROTO);

	/* The second half, asked for by itself. */
	set_good();
	set_count(1, 1);
	set_extent(0, TIB / 2, TIB / 2);
	assert_int_equal(check_table(1, TIB / 2), 0);
	set_count(2, 1);
	assert_int_equal(check_table(2, TIB), -EPROTO);
}

/* A part of a table that takes several messages. */
static int check_part(uint32_t total, uint32_t first, uint32_t count)
{
	struct rdmablk_msg_grant grant = good_grant();
	uint64_t length = TIB / total;
	uint32_t i;

	memset(&msg, 0, sizeof(msg));
	set_count(first, count);
	grant.nr_extents = htole32(total);
	for (i = 0; i < count; i++)
		set_extent(i, (first + i) * length, length);
	return rdmablk_check_extents(&msg.reply, &grant, first, first * length);
}

static void extents_in_parts(void **state)
{
	const uint32_t most = RDMABLK_EXTENTS_PER_MSG;

	(void)state;
	assert_int_equal(check_part(32, 0, most), 0);
	assert_int_equal(check_part(32, 0, most - 1), -EPROTO);
	assert_int_equal(check_part(32, 0, 1), -EPROTO);
	assert_int_equal(check_part(32, most, 1), 0);
	assert_int_equal(check_part(64, most, most), 0);
	assert_int_equal(check_part(64, most, 1), -EPROTO);
	assert_int_equal(check_part(64, 2 * most, 2), 0);
	assert_int_equal(check_part(64, 2 * most, 1), -EPROTO);
}

/* ---- Keys ------------------------------------------------------------------- */

/* Where each queue has its own there are none in the table. */
static void keys_in_the_table(void **state)
{
	struct rdmablk_msg_grant grant = good_grant();

	(void)state;
	set_good();
	grant.key_scope = RDMABLK_SCOPE_QUEUE;
	assert_int_equal(check(&grant), 0);
	assert_int_equal(rdmablk_check_extents(&msg.reply, &grant, 0, 0),
			 -EPROTO);
	msg.reply.extent[0].rkey = 0;
	assert_int_equal(rdmablk_check_extents(&msg.reply, &grant, 0, 0),
			 -EPROTO);
	msg.reply.extent[1].rkey = 0;
	assert_int_equal(rdmablk_check_extents(&msg.reply, &grant, 0, 0), 0);

	expect(key_scope, RDMABLK_SCOPE_QUEUE + 1, -EPROTO);
	grant = tracking_grant();
	grant.key_scope = RDMABLK_SCOPE_QUEUE;
	assert_int_equal(check(&grant), 0);
	grant.coarse[1].rkey = htole32(1);
	assert_int_equal(check(&grant), -EPROTO);
}

static void set_keys(uint32_t first, uint32_t count)
{
	struct rdmablk_msg_keys_reply *keys = (void *)&msg;

	keys->hdr.type = htole16(RDMABLK_MSG_KEYS | RDMABLK_MSG_REPLY);
	keys->hdr.length = htole32(sizeof(*keys) + count * sizeof(keys->key[0]));
	keys->first = htole32(first);
	keys->count = htole32(count);
}

static int check_keys(uint32_t nr, uint32_t first)
{
	return rdmablk_check_keys((void *)&msg, nr, first);
}

static void keys_of_a_queue(void **state)
{
	struct rdmablk_msg_keys_reply *keys = (void *)&msg;

	(void)state;
	assert_int_equal(rdmablk_nr_keys(5, 0), 5);
	assert_int_equal(rdmablk_nr_keys(5, 20), 5 + RDMABLK_EPOCHS);
	set_keys(0, 7);
	assert_int_equal(rdmablk_check_reply(&msg, le32toh(keys->hdr.length),
					     RDMABLK_MSG_KEYS), 0);
	assert_int_equal(check_keys(7, 0), 0);
	assert_int_equal(check_keys(8, 0), -EPROTO);	/* why not all? */
	assert_int_equal(check_keys(6, 0), -EPROTO);
	assert_int_equal(check_keys(8, 1), -EPROTO);	/* not as asked */
	set_keys(7, 1);
	assert_int_equal(check_keys(8, 7), 0);
	assert_int_equal(check_keys(7, 7), -EPROTO);
	set_keys(0, 0);
	assert_int_equal(rdmablk_check_reply(&msg, le32toh(keys->hdr.length),
					     RDMABLK_MSG_KEYS), -EPROTO);
	assert_int_equal(check_keys(7, 0), -EPROTO);
	set_keys(0, RDMABLK_KEYS_PER_MSG);
	assert_int_equal(check_keys(UINT32_MAX, 0), 0);
	set_keys(0, RDMABLK_KEYS_PER_MSG + 1);
	assert_int_equal(check_keys(UINT32_MAX, 0), -EPROTO);
	set_keys(0, UINT32_MAX);
	assert_int_equal(check_keys(UINT32_MAX, 0), -EPROTO);
	set_keys(0, 3);
	keys->count = htole32(2);
	assert_int_equal(check_keys(7, 0), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(grant_fields),
		TEST(read_only_grant),
		TEST(grant_geometry),
		TEST(grant_limits),
		TEST(grant_tracking),
		TEST(reader_gets_no_maps),
		TEST(extents_in_order),
		TEST(extents_that_end_early),
		TEST(extent_lengths),
		TEST(extent_addresses),
		TEST(extents_header),
		TEST(extents_in_parts),
		TEST(keys_in_the_table),
		TEST(keys_of_a_queue),
	};

	return cmocka_run_group_tests_name("proto_grant", tests, NULL, NULL);
}
