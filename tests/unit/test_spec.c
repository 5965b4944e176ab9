// SPDX-License-Identifier: GPL-2.0
/*
 * What an operator may ask an export to be (target/spec.c), and how a region
 * is cut into extents (target/layout.c).
 */
#include "test.h"

#include <errno.h>

#include "macros.h"
#include "region.h"
#include "spec.h"
#include "store.h"

static struct reason why;
static struct spec spec;

static int parse(const char *text)
{
	memset(&why, 0, sizeof(why));
	return spec_parse(&spec, text, &why);
}

static void complete(void **state)
{
	(void)state;
	assert_int_equal(parse("disk:store=shm,size=8M,path=/dev/shm/x:y,block-size=4096,read-only,shared-read=yes,extent-size=2M"),
			 0);
	assert_string_equal(spec.name, "disk");
	assert_ptr_equal(spec.store, &store_shm);
	assert_int_equal(spec.size, 8 << 20);
	assert_string_equal(spec.path, "/dev/shm/x:y");
	assert_int_equal(spec.block_size, 4096);
	assert_int_equal(spec.extent_size, 2 << 20);
	assert_true(spec.read_only);
	assert_true(spec.shared_read);
}

static void stores_with_a_backing(void **state)
{
	(void)state;
	assert_int_equal(parse("disk:store=file,path=/srv/disk,size=8M,prealloc,staging=/dev/hugepages/disk"),
			 0);
	assert_ptr_equal(spec.store, &store_file);
	assert_string_equal(spec.staging, "/dev/hugepages/disk");
	assert_true(spec.prealloc);
	assert_int_equal(parse("disk:store=blk,path=/dev/sda"), 0);
	assert_ptr_equal(spec.store, &store_blk);
	assert_false(spec.prealloc);
	assert_string_equal(spec.staging, "");
}

static void bad_backings(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "a:store=file,size=1M", "store file needs a path" },
		{ "a:store=blk", "store blk needs a path" },
		{ "a:store=blk,path=/dev/sda,size=1M", "takes no size" },
		{ "a:store=blk,path=/dev/sda,prealloc", "for store file" },
		{ "a:store=file,path=/x,prealloc", "takes a size" },
		{ "a:store=file,path=/x,hugepages=2M", "for store mem" },
		{ "a:store=blk,path=/x,hugepages=1G", "for store mem" },
		{ "a:store=file,path=/x,staging=x", "absolute path" },
		{ "a:store=shm,staging=/x", "staging is for stores with a backing" },
		{ "a:size=1M,staging=/x", "not for store mem" },
		{ "a:size=1M,prealloc", "prealloc is for stores with a backing" },
		{ "a:store=file,path=/x,size=1000", "not a multiple" },
		{ "a:store=file,path=/x,prealloc=7", "prealloc" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(parse(cases[i].text) < 0);
		assert_contains(why.message, cases[i].message);
	}
	parse("a:store=file,path=/x,hugepages=2M");
	assert_contains(why.hint, "hugetlbfs");
}

static void defaults(void **state)
{
	(void)state;
	assert_int_equal(parse("a:b:size=1G"), 0);
	assert_string_equal(spec.name, "a:b");
	assert_ptr_equal(spec.store, &store_mem);
	assert_int_equal(spec.block_size, 512);
	assert_int_equal(spec.hugepage, 0);
	assert_false(spec.read_only);
	assert_false(spec.shared_read);
	assert_int_equal(parse("x:store=shm"), 0);
	assert_int_equal(spec.size, 0);
}

static void bad_names(void **state)
{
	char name[RDMABLK_NAME_MAX + 1];

	(void)state;
	assert_int_equal(parse(":size=1M"), -EINVAL);
	assert_contains(why.message, "empty");
	assert_int_equal(parse("a/b:size=1M"), -EINVAL);
	assert_int_equal(parse("a\nb:size=1M"), -EINVAL);
	assert_int_equal(parse("%n:size=1M"), -EINVAL);
	memset(name, 'a', sizeof(name));
	name[RDMABLK_NAME_MAX] = '\0';
	assert_int_equal(spec_init(&spec, name, &why), -ENAMETOOLONG);
	name[RDMABLK_NAME_MAX - 1] = '\0';
	assert_int_equal(spec_init(&spec, name, &why), 0);
	assert_string_equal(spec.name, name);
}

static void bad_sizes(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "a:size=0", "must not be 0" },
		{ "a:size=1", "less than the block size 512" },
		{ "a:size=511", "less than the block size 512" },
		{ "a:size=4097",
		  "not a multiple of the block size 512: the nearest are 4096 and 4608" },
		{ "a:size=4097,block-size=4096", "4096 and 8192" },
		{ "a:block-size=4096,size=512", "less than the block size 4096" },
		{ "a:size=5E", "larger than 4 EiB" },
		{ "a:size=99E", "does not fit into 64 bits" },
		{ "a:size=-1", "is not a size" },
		{ "a:size=1X", "is not a size" },
		{ "a:size=", "is not a size" },
		{ "a", "needs a size" },
		{ "a:hugepages=2M,size=1M",
		  "less than the huge page size 2097152" },
		{ "a:hugepages=1G,size=1536M", "1073741824 and 2147483648" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(parse(cases[i].text) < 0);
		assert_contains(why.message, cases[i].message);
	}
	assert_int_equal(parse("a:size=512"), 0);
	assert_int_equal(parse("a:size=4E"), 0);
}

static void bad_values(void **state)
{
	static const char * const cases[] = {
		"a:size=1M,block-size=0", "a:size=1M,block-size=768",
		"a:size=1M,block-size=256", "a:size=1M,block-size=8192",
		"a:size=1M,block-size=2147483648", "a:size=1M,store=disk",
		"a:size=1M,read-only=maybe", "a:size=1M,hugepages=4M",
		"a:size=1M,extent-size=0", "a:size=1M,extent-size=512K",
		"a:size=1M,extent-size=1500K", "a:size=1M,path=/x",
		"a:store=shm,path=x", "a:store=shm,path=",
		"a:store=shm,hugepages=2M", "a:size=1M,", "a:size=1M,,",
		"a:", "a:=",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(parse(cases[i]) < 0);
		assert_true(why.message[0]);
	}
}

static void keys_alone(void **state)
{
	static const char *const keys[] = {
		"store", "size", "path", "staging", "block-size", "hugepages",
		"extent-size", "allow",
	};
	char text[64];
	size_t i;

	(void)state;
	assert_int_equal(parse("a:read-only,shared-read,size=1M"), 0);
	assert_true(spec.read_only && spec.shared_read);
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		snprintf(text, sizeof(text), "a:size=1M,%s", keys[i]);
		assert_int_equal(parse(text), -EINVAL);
		assert_contains(why.message, keys[i]);
		assert_contains(why.message, "needs a value");
	}
}

static void unknown_keys(void **state)
{
	(void)state;
	assert_int_equal(parse("a:sise=1M"), -ENOENT);
	assert_contains(why.message, "unknown key 'sise'");
	assert_contains(why.hint, "'size'");
	assert_int_equal(parse("a:blocksize=512"), -ENOENT);
	assert_contains(why.hint, "'block-size'");
	assert_int_equal(parse("a:elephant=512"), -ENOENT);
	assert_string_equal(why.hint, "");
}

/* ---- Extents --------------------------------------------------------------- */

#define MIB	((uint64_t)1 << 20)
#define TIB	((uint64_t)1 << 40)

static void layouts(void **state)
{
	static const struct {
		uint64_t size, wanted, max_mr, extent, last;
		uint32_t nr;
	} cases[] = {
		{ 512, 4 * MIB, UINT64_MAX, 4 * MIB, 512, 1 },
		{ 4 * MIB, 4 * MIB, UINT64_MAX, 4 * MIB, 4 * MIB, 1 },
		{ 4 * MIB + 512, 4 * MIB, UINT64_MAX, 4 * MIB, 512, 2 },
		{ 10 * MIB, MIB, UINT64_MAX, MIB, MIB, 10 },
		/* The device takes less than was wanted. */
		{ 10 * MIB, 4 * MIB, 3 * MIB - 1, 2 * MIB, 2 * MIB, 5 },
		{ 10 * MIB, 4 * MIB, MIB, MIB, MIB, 10 },
		{ 3 * TIB, 4096 * MIB, UINT64_MAX, 4096 * MIB, 4096 * MIB, 768 },
		{ 2 * TIB + 512, TIB, UINT64_MAX, TIB, 512, 3 },
		{ 65536 * MIB, MIB, UINT64_MAX, MIB, MIB, 65536 },
	};
	struct layout layout;
	uint64_t sum;
	uint32_t n;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(layout_cut(&layout, cases[i].size,
					    cases[i].wanted, cases[i].max_mr,
					    &why), 0);
		assert_int_equal(layout.extent, cases[i].extent);
		assert_int_equal(layout.nr, cases[i].nr);
		assert_int_equal(layout_length(&layout, layout.nr - 1),
				 cases[i].last);
		for (sum = 0, n = 0; n < layout.nr; n++)
			sum += layout_length(&layout, n);
		assert_int_equal(sum, cases[i].size);
	}
}

static void impossible_layouts(void **state)
{
	struct layout layout;

	(void)state;
	assert_int_equal(layout_cut(&layout, TIB, MIB, UINT64_MAX, &why),
			 -E2BIG);
	assert_contains(why.hint, "extent-size");
	assert_int_equal(layout_cut(&layout, 65536 * MIB + 1, MIB, UINT64_MAX,
				    &why), -E2BIG);
	assert_int_equal(layout_cut(&layout, TIB, TIB, 2 * MIB, &why), -E2BIG);
	assert_contains(why.hint, "max_mr_size");
	assert_int_equal(layout_cut(&layout, TIB, TIB, MIB - 1, &why),
			 -EOPNOTSUPP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(complete),
		TEST(stores_with_a_backing),
		TEST(bad_backings),
		TEST(defaults),
		TEST(bad_names),
		TEST(bad_sizes),
		TEST(bad_values),
		TEST(keys_alone),
		TEST(unknown_keys),
		TEST(layouts),
		TEST(impossible_layouts),
	};

	return cmocka_run_group_tests_name("spec", tests, NULL, NULL);
}
