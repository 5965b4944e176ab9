// SPDX-License-Identifier: GPL-2.0
/*
 * What the target validates of FLUSH and ZERO (kmod/proto_request.c).
 */
#include "test.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include "proto.h"

#define MIB	((uint64_t)1 << 20)

static uint8_t buffer[RDMABLK_MSG_MAX + sizeof(struct rdmablk_range)]
	__attribute__((aligned(8)));
static struct rdmablk_msg_flush *const flush = (void *)buffer;

static int check_flush(size_t len)
{
	flush->hdr.type = htole16(RDMABLK_MSG_FLUSH);
	flush->hdr.length = htole32((uint32_t)len);
	return rdmablk_check_request(flush, len);
}

static size_t flush_of(unsigned int flags, uint32_t count)
{
	memset(buffer, 0, sizeof(buffer));
	flush->flags = (uint8_t)flags;
	flush->count = htole32(count);
	return sizeof(*flush) + count * sizeof(flush->range[0]);
}

static void flush_lengths(void **state)
{
	uint32_t count;
	size_t len;

	(void)state;
	for (count = 0; count <= RDMABLK_RANGES_PER_MSG; count++)
		for (len = sizeof(flush->hdr); len <= RDMABLK_MSG_MAX; len++)
			assert_int_equal(check_flush(len),
					 len == flush_of(0, count) ?
					 0 : -EPROTO);
	len = flush_of(0, RDMABLK_RANGES_PER_MSG + 1);
	assert_int_equal(check_flush(len), -EPROTO);
	/* The product of count and size wraps in 32 bits. */
	flush_of(0, 1U << 28);
	assert_int_equal(check_flush(sizeof(*flush)), -EPROTO);
}

static void flush_flags(void **state)
{
	unsigned int flags;

	(void)state;
	for (flags = 0; flags < 256; flags++) {
		size_t len = flush_of(flags, 0);
		bool good = flags == 0 || flags == RDMABLK_FLUSH_MORE ||
			    flags == RDMABLK_FLUSH_FUA ||
			    flags == RDMABLK_FLUSH_CLEAN;

		assert_int_equal(check_flush(len), good ? 0 : -EPROTO);
	}
}

static void flush_epochs(void **state)
{
	size_t len = flush_of(RDMABLK_FLUSH_CLEAN, 0);

	(void)state;
	flush->epoch = 1;
	assert_int_equal(check_flush(len), 0);
	flush->epoch = RDMABLK_EPOCHS;
	assert_int_equal(check_flush(len), -EPROTO);
	len = flush_of(0, 0);
	flush->epoch = 1;
	assert_int_equal(check_flush(len), -EPROTO);
	len = flush_of(0, 0);
	flush->reserved[1] = 1;
	assert_int_equal(check_flush(len), -EPROTO);
}

static struct rdmablk_msg_zero good_zero(void)
{
	return (struct rdmablk_msg_zero){
		.hdr = {
			.type = htole16(RDMABLK_MSG_ZERO),
			.length = htole32(sizeof(struct rdmablk_msg_zero)),
		},
		.range = { .length = htole64(4096) },
	};
}

/* One field of a good ZERO set to a value. */
#define expect_zero(field, value, result)				\
	do {								\
		struct rdmablk_msg_zero z = good_zero();		\
		z.field = value;					\
		assert_int_equal(rdmablk_check_request(&z, sizeof(z)),	\
				 result);				\
	} while (0)

static void zero_fields(void **state)
{
	(void)state;
	expect_zero(flags, 0, 0);
	expect_zero(flags, RDMABLK_ZERO_UNMAP, 0);
	expect_zero(flags, 2, -EPROTO);
	expect_zero(epoch, 1, 0);
	expect_zero(epoch, RDMABLK_EPOCHS, -EPROTO);
	expect_zero(reserved[5], 1, -EPROTO);
	expect_zero(range.length, htole64(RDMABLK_ZERO_MAX), 0);
	expect_zero(range.length, htole64(RDMABLK_ZERO_MAX + 512), -EPROTO);
	expect_zero(range.length, htole64(UINT64_MAX), -EPROTO);
}

static int check_range(uint64_t offset, uint64_t length, uint64_t size)
{
	const struct rdmablk_range range = {
		.offset = htole64(offset), .length = htole64(length),
	};

	return rdmablk_check_range(&range, size, 512);
}

static void ranges(void **state)
{
	(void)state;
	assert_int_equal(check_range(0, MIB, MIB), 0);
	assert_int_equal(check_range(MIB - 512, 512, MIB), 0);
	assert_int_equal(check_range(0, 0, MIB), -EPROTO);
	assert_int_equal(check_range(MIB, 512, MIB), -EPROTO);
	assert_int_equal(check_range(MIB, 0, MIB), -EPROTO);
	assert_int_equal(check_range(0, MIB + 512, MIB), -EPROTO);
	assert_int_equal(check_range(MIB - 512, 1024, MIB), -EPROTO);
	assert_int_equal(check_range(256, 512, MIB), -EPROTO);
	assert_int_equal(check_range(512, 256, MIB), -EPROTO);
	assert_int_equal(check_range(512, UINT64_MAX - 511, MIB), -EPROTO);
	assert_int_equal(check_range(UINT64_MAX - 511, 1024, MIB), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(flush_lengths),
		TEST(flush_flags),
		TEST(flush_epochs),
		TEST(zero_fields),
		TEST(ranges),
	};

	return cmocka_run_group_tests_name("proto_flush", tests, NULL, NULL);
}
