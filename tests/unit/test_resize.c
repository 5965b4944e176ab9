// SPDX-License-Identifier: GPL-2.0
/*
 * Stores that are resized, and daemons that are killed meanwhile
 * (target/staged_resize.c, staging_resize.c, backing_resize.c, and what
 * store_mem.c and store_shm.c have of it). On real disks.
 */
#include "test.h"

#include <errno.h>
#include <sys/mman.h>

#include "backing.h"
#include "disk.h"
#include "identity.h"
#include "prepare.h"
#include "staging_header.h"
#include "store.h"

#define MIB	((uint64_t)1 << 20)
#define OLD	(5 * MIB + 512 * 3)	/* not whole pages, not whole chunks */
#define NEW	(9 * MIB + 512)

static struct reason why;
static struct store store, grown;
static struct layout layout;
static struct prepare prepare;
static struct spec spec;
static struct identity before;
static void *map, *grown_map;
static char memory[64], loop[64];

static int setup(void **state)
{
	if (disk_setup(state))
		return -1;
	snprintf(memory, sizeof(memory), "/dev/shm/rdmablk-test-%d", getpid());
	return disk_run("mkdir '%s'", disk_path("exports")) ? 0 : -1;
}

static int teardown(void **state)
{
	disk_run("rm -f %s*", memory);
	return disk_teardown(state);
}

static void specify(const char *kind)
{
	disk_run("rm -f %s* '%s' '%s'", memory, disk_path("exports/x.json"),
		 disk_path("disk"));
	memset(&why, 0, sizeof(why));
	assert_int_equal(spec_init(&spec, "x", &why), 0);
	assert_int_equal(spec_set(&spec, "store", kind, &why), 0);
	if (!strcmp(kind, "mem") || !strcmp(kind, "shm"))
		spec.size = OLD;
	if (!strcmp(kind, "shm"))
		strcpy(spec.path, memory);
	if (strcmp(kind, "file"))
		return;
	assert_true(disk_run("head -c %llu /dev/urandom >'%s'",
			     (unsigned long long)OLD, disk_path("disk")));
	snprintf(spec.path, sizeof(spec.path), "%s", disk_path("disk"));
	strcpy(spec.staging, memory);
}

/* A block device, of which half of what it gets is not zero. False: none here. */
static bool specify_disk(void)
{
	const char *device;

	specify("blk");
	device = disk_loop("disk", OLD, 512);
	if (!device)
		return false;
	snprintf(loop, sizeof(loop), "%s", device);
	assert_true(disk_run("head -c %llu /dev/urandom >'%s'",
			     (unsigned long long)OLD, loop));
	strcpy(spec.path, loop);
	strcpy(spec.staging, memory);
	return true;
}

static void grow_disk(void)
{
	assert_true(disk_run("head -c %llu /dev/urandom >>'%s' && losetup --set-capacity '%s'",
			     (unsigned long long)(NEW - OLD),
			     disk_path("disk"), loop));
}

static void *map_store(const struct store *which)
{
	void *at = mmap(NULL, store_map_size(which), PROT_READ | PROT_WRITE,
			MAP_SHARED, which->fd, 0);

	assert_ptr_not_equal(at, MAP_FAILED);
	return at;
}

/* What a job does, where there is no RDMA device. */
static int fill(struct store *which, void *at)
{
	int err = layout_cut(&layout, which->size, MIB, UINT64_MAX, &why);

	assert_int_equal(err, 0);
	prepare = (struct prepare){
		.store = which,
		.load = store_must_load(which),
		.map = at,
		.layout = &layout,
		.nr_steps = 1,
	};
	TAILQ_INIT(&prepare.regions);
	err = prepare_work(&prepare.job);
	why = prepare.job.why;
	return err;
}

static int open_store(void)
{
	int err;

	memset(&why, 0, sizeof(why));
	err = spec_check(&spec, &why);
	if (!err)
		err = store_open(&store, &spec, disk_dir, &why);
	if (err)
		return err;
	map = map_store(&store);
	return fill(&store, map);
}

static void close_store(void)
{
	munmap(map, store_map_size(&store));
	store_close(&store);
}

/* The daemon is killed: what it had mapped is gone, the files stay. */
static void die(void)
{
	if (grown_map)
		munmap(grown_map, store_map_size(&grown));
	grown_map = NULL;
	if (grown.staging) {
		staging_unmap(grown.staging);
		free(grown.staging);
		grown.staging = NULL;
	}
	close_store();
}

/* A writer comes and writes where its first chunk and its last one are. */
static void write_some(void)
{
	assert_int_equal(store_save(&store, &why), 0);
	memset(map, 'a', 4096);
	memset((char *)map + OLD - 512, 'z', 512);
	if (store.staging) {
		store.staging->coarse[0][0] = 1;
		store.staging->coarse[1][5] = 1;
	}
	before = store.identity;
}

static void write_back(void)
{
	if (!store.backing)
		return;
	assert_int_equal(pwrite(store.backing->fd, map, 4096, 0), 4096);
	/* 512 bytes of memory that is aligned to 512 only: through the cache. */
	assert_true(disk_run("head -c 512 /dev/zero | tr '\\0' z | dd of='%s' bs=512 seek=%llu conv=notrunc status=none && sync '%s'",
			     store.backing->path,
			     (unsigned long long)OLD / 512 - 1,
			     store.backing->path));
	memset(store.staging->tail, 0, 3 * store.staging->map_size);
	assert_int_equal(store_clean(&store, &why), 0);
}

static void assert_contents(void)
{
	const uint8_t *bytes = map;
	uint64_t i;

	assert_true(sd_id128_equal(before.generation,
				   store.identity.generation));
	assert_int_equal(before.instance, store.identity.instance);
	assert_int_equal(bytes[0], 'a');
	assert_int_equal(bytes[4095], 'a');
	assert_int_equal(bytes[OLD - 512], 'z');
	assert_int_equal(bytes[OLD - 1], 'z');
	assert_true(store.size == OLD || store.size == NEW);
	if (store.ops == &store_blk)
		return;
	for (i = OLD; i < store.size; i++)
		assert_int_equal(bytes[i], 0);
}

static void assert_as_disk(void)
{
	FILE *file = fopen(loop, "re");
	char *bytes = malloc(store.size);

	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, store.size, file), store.size);
	assert_memory_equal(bytes, map, store.size);
	fclose(file);
	free(bytes);
}

/* ---- Growing, up to a step ------------------------------------------------- */

enum step { NOTED, LONGER, EXTENDED, FILLED, CLEAN, RESIZED, INVALID, MOVED,
	    DONE, NR_STEPS };

static void begin_growing(enum step last)
{
	grown = store;
	grown.size = NEW;
	grown.allocated = store_map_size(&store);
	grown.staging = NULL;
	if (last <= LONGER) {
		store.resize = NEW;
		if (store.ops->note)
			assert_int_equal(store.ops->note(&store, &why), 0);
		if (last == LONGER)
			assert_return_code(ftruncate(store.fd, 12 * MIB), 0);
		return;
	}
	assert_int_equal(store.ops->extend(&store, &grown, &why), 0);
	if (last == EXTENDED)
		return;
	grown_map = map_store(&grown);
	if (store.ops->reserve)
		assert_int_equal(store.ops->reserve(&store, &grown, true, &why),
				 0);
	assert_int_equal(fill(&grown, grown_map), 0);
}

/* The steps of the switch of a store with a backing, one by one. */
static void switch_to(enum step last)
{
	struct tie tie;

	if (last >= CLEAN)
		write_back();
	if (last >= RESIZED)
		assert_int_equal(backing_resize(store.backing, NEW, &why), 0);
	if (last == INVALID)
		store.staging->header->state = STAGING_STATE_LOADING;
	if (last == MOVED) {
		assert_int_equal(backing_tie(store.backing, &tie, &why), 0);
		staging_grow(store.staging, grown.staging, grown_map, &tie);
	}
}

/* As an export does it when all went well. */
static void exchange(void)
{
	void *old_map = map;

	assert_int_equal(store.ops->grow(&store, &grown, grown_map, &why), 0);
	munmap(old_map, store_map_size(&store));
	map = grown_map;
	grown_map = NULL;
	if (store.staging) {
		staging_unmap(store.staging);
		*store.staging = *grown.staging;
		free(grown.staging);
		grown.staging = store.staging;
	}
	store = grown;
	store.load_from = 0;
	grown.staging = NULL;
}

static void killed_at(enum step step, uint64_t asked)
{
	spec.size = 0;
	assert_int_equal(open_store(), 0);
	write_some();
	begin_growing(step);
	if (step == DONE) {
		write_back();
		exchange();
		assert_int_equal(store.size, NEW);
		assert_contents();
	} else if (store.backing) {
		switch_to(step);
	}
	die();
	spec.size = asked;
	assert_int_equal(open_store(), 0);
	assert_contents();
	if (asked)
		assert_int_equal(store.size, asked);
	assert_int_equal(store.size, step < RESIZED ? OLD :
			 asked ? asked : NEW);
	assert_false(step < CLEAN && store.clean);
	/* All is settled: it is found like that again. */
	close_store();
	assert_int_equal(open_store(), 0);
	assert_contents();
	close_store();
}

static void file_killed(void **state)
{
	enum step step;

	(void)state;
	for (step = NOTED; step < NR_STEPS; step++) {
		specify("file");
		killed_at(step, 0);
		if (step != DONE) {
			specify("file");
			killed_at(step, OLD);
		}
		if (step >= RESIZED) {
			specify("file");
			killed_at(step, NEW);
		}
	}
}

static void disk_killed(void **state)
{
	enum step step;

	(void)state;
	for (step = NOTED; step < NR_STEPS; step++) {
		if (!specify_disk())
			skip();
		assert_int_equal(open_store(), 0);
		write_some();
		/* Larger by itself, before anybody resizes the export. */
		grow_disk();
		if (step == NOTED) {
			close_store();
			assert_int_equal(open_store(), 0);
			assert_contents();
			assert_int_equal(store.size, OLD);
		}
		begin_growing(step);
		if (step == DONE) {
			write_back();
			exchange();
			assert_contents();
			assert_as_disk();
		} else {
			switch_to(step);
		}
		die();
		assert_int_equal(open_store(), 0);
		assert_contents();
		/* Once everything is on the disk, it is read as it is. */
		assert_int_equal(store.size, step < CLEAN ? OLD : NEW);
		if (step >= CLEAN)
			assert_as_disk();
		close_store();
		disk_unloop(loop);
	}
}

/* All is in the backing when the resize begins: its new size is taken at once. */
static void killed_when_clean(void **state)
{
	bool disk;
	enum step step;
	unsigned int i;

	(void)state;
	for (i = 0; i < 2 * (FILLED + 1); i++) {
		disk = i % 2;
		step = i / 2;
		if (disk && !specify_disk())
			continue;
		if (!disk)
			specify("file");
		assert_int_equal(open_store(), 0);
		write_some();
		write_back();
		if (disk)
			grow_disk();
		begin_growing(step);
		die();
		if (!disk)
			spec.size = NEW;
		assert_int_equal(open_store(), 0);
		assert_int_equal(store.size, NEW);
		assert_contents();
		close_store();
		if (disk)
			disk_unloop(loop);
	}
}

/* What is to be read only from now on stays as it was found. */
static void killed_then_read_only(void **state)
{
	enum step step;

	(void)state;
	for (step = NOTED; step < RESIZED; step++) {
		specify("file");
		assert_int_equal(open_store(), 0);
		write_some();
		write_back();
		begin_growing(step);
		die();
		spec.read_only = true;
		assert_int_equal(open_store(), 0);
		assert_int_equal(store.size, OLD);
		assert_contents();
		close_store();
	}
}

/* It grows while nobody uses it: that is as good as a resize. */
static void a_disk_grows_by_itself(void **state)
{
	(void)state;
	if (!specify_disk())
		skip();
	assert_int_equal(open_store(), 0);
	write_some();
	write_back();
	close_store();
	grow_disk();
	assert_int_equal(open_store(), 0);
	assert_contents();
	assert_int_equal(store.size, NEW);
	assert_as_disk();
	close_store();
	/* A smaller one is another one. */
	assert_return_code(truncate(disk_path("disk"), 2 * MIB), 0);
	assert_true(disk_run("losetup --set-capacity '%s'", loop));
	assert_int_equal(open_store(), 0);
	assert_false(sd_id128_equal(before.generation,
				    store.identity.generation));
	close_store();
	disk_unloop(loop);
}

static void shm_killed(void **state)
{
	const uint64_t asked[] = { 0, OLD };
	enum step step;
	size_t i;

	(void)state;
	for (step = NOTED; step <= FILLED; step++) {
		if (step == LONGER)
			continue;
		for (i = 0; i < 2; i++) {
			specify("shm");
			assert_int_equal(open_store(), 0);
			write_some();
			begin_growing(step);
			die();
			spec.size = asked[i];
			assert_int_equal(open_store(), 0);
			assert_contents();
			assert_int_equal(store.size, OLD);
			close_store();
			assert_int_equal(open_store(), 0);
			assert_contents();
			close_store();
		}
	}
	/* Who asks for the new size gets it. */
	specify("shm");
	assert_int_equal(open_store(), 0);
	write_some();
	begin_growing(FILLED);
	die();
	spec.size = NEW;
	assert_int_equal(open_store(), 0);
	assert_contents();
	close_store();
}

static void grown_in_memory(void **state)
{
	static const char * const kinds[] = { "mem", "shm" };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		specify(kinds[i]);
		assert_int_equal(open_store(), 0);
		write_some();
		begin_growing(FILLED);
		exchange();
		assert_int_equal(store.size, NEW);
		assert_contents();
		close_store();
	}
	spec.size = OLD;
	assert_int_equal(open_store(), -EINVAL);
	assert_contains(why.message, "exists and has");
	spec.size = NEW;
	assert_int_equal(open_store(), 0);
	assert_contents();
	close_store();
}

/* Nothing comes of it: everything is as it was. */
static void given_up(void **state)
{
	static const char * const kinds[] = { "mem", "shm", "file" };
	struct stat st;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		specify(kinds[i]);
		assert_int_equal(open_store(), 0);
		write_some();
		begin_growing(FILLED);
		munmap(grown_map, store_map_size(&grown));
		grown_map = NULL;
		if (grown.staging) {
			staging_unmap(grown.staging);
			free(grown.staging);
			grown.staging = NULL;
		}
		store.ops->retract(&store);
		store_retracted(&store);
		assert_return_code(fstat(store.fd, &st), 0);
		assert_true((uint64_t)st.st_size < 6 * MIB);
		assert_contents();
		close_store();
		if (!i)
			continue;
		assert_int_equal(open_store(), 0);
		assert_contents();
		assert_int_equal(store.size, OLD);
		close_store();
	}
}

/* The backing cannot grow: it is served on. */
static void refused(void **state)
{
	(void)state;
	specify("file");
	assert_int_equal(open_store(), 0);
	write_some();
	begin_growing(FILLED);
	write_back();
	assert_return_code(unlink(disk_path("disk")), 0);
	assert_int_equal(store.ops->grow(&store, &grown, grown_map, &why),
			 -ENOENT);
	assert_true(store.staging->loaded);
	assert_int_equal(store.backing->size, OLD);
	assert_contents();
	die();

	specify("file");
	assert_int_equal(open_store(), 0);
	grown = store;
	grown.size = OLD + 512;
	grown.staging = NULL;
	assert_int_equal(store.ops->extend(&store, &grown, &why), -ERANGE);
	assert_null(grown.staging);
	grown.size = OLD + 100;
	assert_int_equal(store.ops->extend(&store, &grown, &why), -EINVAL);
	assert_contains(why.message, "direct I/O unit");
	close_store();
	assert_int_equal(spec_set(&spec, "read-only", "yes", &why), 0);
	assert_int_equal(open_store(), 0);
	grown.size = NEW;
	assert_int_equal(store.ops->extend(&store, &grown, &why), -EROFS);
	close_store();
}

/* ---- From the ground up ---------------------------------------------------- */

/* Noted, with a staging of the new size, and the backing as large. */
static void refit_killed_at(unsigned int step, uint64_t size, uint64_t asked)
{
	struct staging fresh;
	struct tie tie;

	specify("file");
	assert_int_equal(open_store(), 0);
	write_some();
	write_back();
	if (size < OLD)
		assert_int_equal(identity_new(&store.identity, &why), 0);
	before = store.identity;
	store.resize = size;
	assert_int_equal(store.ops->note(&store, &why), 0);
	if (step > 0) {
		assert_int_equal(backing_tie(store.backing, &tie, &why), 0);
		tie.size = size;
		assert_int_equal(staging_make(&fresh, memory, size, &tie, &why),
				 0);
		staging_close(&fresh);
	}
	if (step > 1)
		assert_int_equal(backing_resize(store.backing, size, &why), 0);
	close_store();

	spec.size = asked;
	assert_int_equal(open_store(), 0);
	assert_true(store.clean);
	assert_int_equal(store.size, asked ? asked : step > 1 ? size : OLD);
	assert_true(sd_id128_equal(before.generation,
				   store.identity.generation));
	assert_int_equal(before.instance, store.identity.instance);
	assert_int_equal(*(char *)map, 'a');
	close_store();
}

static void refit_killed(void **state)
{
	const uint64_t sizes[] = { 2 * MIB, OLD + 512 };
	unsigned int step;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		for (step = 0; step < 3; step++) {
			refit_killed_at(step, sizes[i], 0);
			refit_killed_at(step, sizes[i], OLD);
		}
		refit_killed_at(2, sizes[i], sizes[i]);
	}
}

static void refitted(const char *kind, uint64_t size)
{
	uint8_t *bytes;
	uint64_t i;

	specify(kind);
	assert_int_equal(open_store(), 0);
	write_some();
	write_back();
	munmap(map, store_map_size(&store));
	assert_int_equal(store.ops->refit(&store, size, &why), 0);
	assert_int_equal(store.size, size);
	map = map_store(&store);
	assert_int_equal(fill(&store, map), 0);
	bytes = map;
	assert_int_equal(bytes[0], 'a');
	for (i = OLD; i < store_map_size(&store); i++)
		assert_int_equal(bytes[i], 0);
	for (i = size; i < store_map_size(&store); i++)
		assert_int_equal(bytes[i], 0);
	/* What was cut off makes them others. */
	assert_int_equal(sd_id128_equal(before.generation,
					store.identity.generation),
			 size > OLD);
	before = store.identity;
	close_store();
	if (store.ops == &store_mem)
		return;
	spec.size = size;
	assert_int_equal(open_store(), 0);
	assert_int_equal(*(char *)map, 'a');
	assert_true(sd_id128_equal(before.generation,
				   store.identity.generation));
	close_store();
}

static void from_the_ground_up(void **state)
{
	(void)state;
	refitted("mem", 2 * MIB);
	refitted("shm", 2 * MIB + 512);
	refitted("file", 2 * MIB + 512);
	refitted("file", OLD + 512);
	refitted("file", OLD + 4096);
}


int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(file_killed),
		TEST(disk_killed),
		TEST(killed_when_clean),
		TEST(killed_then_read_only),
		TEST(a_disk_grows_by_itself),
		TEST(shm_killed),
		TEST(grown_in_memory),
		TEST(given_up),
		TEST(refused),
		TEST(from_the_ground_up),
		TEST(refit_killed),
	};

	return cmocka_run_group_tests_name("resize", tests, setup, teardown);
}
