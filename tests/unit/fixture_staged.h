/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of stores file and blk share: a backing with a pattern, its
 * staging, and what a daemon does with them. On real disks.
 */
#ifndef RDMABLK_TEST_FIXTURE_STAGED_H
#define RDMABLK_TEST_FIXTURE_STAGED_H

#include <errno.h>
#include <sys/mman.h>

#include "backing.h"
#include "disk.h"
#include "prepare.h"
#include "staging.h"
#include "store.h"

#define MIB	((uint64_t)1 << 20)
#define SIZE	(5 * MIB + 512 * 3)	/* not whole pages, not whole chunks */

static struct reason why;
static struct store store;
static struct layout layout;
static struct prepare prepare;
static struct spec spec;
static char staging[64], staging2[80], record[PATH_MAX + 32];

static inline int setup(void **state)
{
	if (disk_setup(state))
		return -1;
	snprintf(staging, sizeof(staging), "/dev/shm/rdmablk-test-%d",
		 getpid());
	snprintf(staging2, sizeof(staging2), "%s.2", staging);
	return disk_run("mkdir '%s'", disk_path("exports")) ? 0 : -1;
}

static inline int teardown(void **state)
{
	disk_run("rm -f %s*", staging);
	return disk_teardown(state);
}

/* Every test begins with a backing of its own, which has a pattern. */
static inline int begin(void **state)
{
	(void)state;
	snprintf(record, sizeof(record), "%s", disk_path("exports/x.json"));
	if (!disk_run("rm -f %s* '%s' '%s'", staging, record,
		      disk_path("disk")) ||
	    !disk_run("head -c %llu /dev/urandom >'%s'",
		      (unsigned long long)SIZE, disk_path("disk")))
		return -1;
	memset(&why, 0, sizeof(why));
	if (spec_init(&spec, "x", &why) ||
	    spec_set(&spec, "store", "file", &why) ||
	    spec_set(&spec, "path", disk_path("disk"), &why) ||
	    spec_set(&spec, "staging", staging, &why))
		return -1;
	return 0;
}

#define STAGED_TEST(function)	cmocka_unit_test_setup(function, begin)

static inline int open_store(void)
{
	int err;

	memset(&why, 0, sizeof(why));
	err = spec_check(&spec, &why);
	return err ? err : store_open(&store, &spec, disk_dir, &why);
}

/* What a job does with an export, where there is no RDMA device. */
static inline int prepare_store(void)
{
	int err = layout_cut(&layout, store.size, MIB, UINT64_MAX, &why);

	assert_int_equal(err, 0);
	prepare = (struct prepare){
		.store = &store,
		.load = store_must_load(&store),
		.layout = &layout,
		.nr_steps = 1,
	};
	TAILQ_INIT(&prepare.regions);
	prepare.map = mmap(NULL, store_map_size(&store), PROT_READ | PROT_WRITE,
			   MAP_SHARED, store.fd, 0);
	assert_ptr_not_equal(prepare.map, MAP_FAILED);
	err = prepare_work(&prepare.job);
	why = prepare.job.why;
	return err;
}

static inline void close_store(void)
{
	munmap(prepare.map, store_map_size(&store));
	store_close(&store);
}

static inline void start(void)
{
	assert_int_equal(open_store(), 0);
	assert_int_equal(prepare_store(), 0);
}

/* A writer comes, writes into the first chunk, and has it marked. */
static inline void write_some(char byte)
{
	assert_int_equal(store_save(&store, &why), 0);
	store.staging->coarse[0][0] = 1;
	memset(prepare.map, byte, 4096);
}

/* Everything is written back, as far as the maps are concerned. */
static inline void write_back(void)
{
	assert_int_equal(pwrite(store.backing->fd, prepare.map, 4096, 0), 4096);
	memset(store.staging->tail, 0, 2 * store.staging->map_size);
	assert_int_equal(store_clean(&store, &why), 0);
}

static inline bool same_generation(const struct identity *before)
{
	return sd_id128_equal(before->generation, store.identity.generation);
}

static inline bool same_instance(const struct identity *before)
{
	return before->instance == store.identity.instance;
}

/* Clients may go on with what they have in their caches. */
static inline void assert_same(const struct identity *before)
{
	assert_true(same_generation(before));
	assert_true(same_instance(before));
}

/* Is what clients would read what the backing has? */
static inline void assert_as_backing(const char *name)
{
	FILE *file = fopen(name, "re");
	char *bytes = malloc(store.size);

	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, store.size, file), store.size);
	assert_memory_equal(bytes, prepare.map, store.size);
	fclose(file);
	free(bytes);
}

static inline void begin_disk(const char *loop)
{
	assert_int_equal(spec_init(&spec, "x", &why), 0);
	assert_int_equal(spec_set(&spec, "store", "blk", &why), 0);
	assert_int_equal(spec_set(&spec, "path", loop, &why), 0);
	assert_int_equal(spec_set(&spec, "staging", staging, &why), 0);
}

#endif /* RDMABLK_TEST_FIXTURE_STAGED_H */
