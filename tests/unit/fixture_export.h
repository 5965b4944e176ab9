/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests of exports share: one export, as it is when it is ready, and
 * what is heard of it. Without RDMA devices, on real files.
 */
#ifndef RDMABLK_TEST_FIXTURE_EXPORT_H
#define RDMABLK_TEST_FIXTURE_EXPORT_H

#include <errno.h>
#include <sys/mman.h>

#include "backing.h"
#include "clock.h"
#include "config.h"
#include "disk.h"
#include "export.h"
#include "export_drain.h"
#include "export_work.h"
#include "staging.h"
#include "timer.h"

#define MIB		((uint64_t)1 << 20)
#define DEADLINE_US	(20 * USEC_PER_SEC)

static struct daemon daemon_;
static struct config config;
static struct export *export;
static char memory[64];
static unsigned int events[EXPORT_EVENT_GONE + 1];
static struct reason why, told;

static inline void on_export(struct export_watch *watch, struct export *which,
			     enum export_event event,
			     const struct reason *reason)
{
	(void)watch;
	assert_ptr_equal(which, export);
	events[event]++;
	memset(&told, 0, sizeof(told));
	if (reason)
		told = *reason;
}

static struct export_watch watch = { .event = on_export };

static inline int setup(void **state)
{
	if (disk_setup(state))
		return -1;
	snprintf(memory, sizeof(memory), "/dev/shm/rdmablk-test-%d", getpid());
	if (snprintf(config.state_dir, sizeof(config.state_dir), "%s",
		     disk_dir) >= (int)sizeof(config.state_dir))
		return -1;
	return disk_run("mkdir '%s'", disk_path("exports")) ? 0 : -1;
}

static inline int teardown(void **state)
{
	disk_run("rm -f %s*", memory);
	return disk_teardown(state);
}

static inline void specify(struct spec *spec, const char *kind)
{
	const char *key = strcmp(kind, "file") ? "path" : "staging";

	assert_int_equal(spec_init(spec, "x", &why), 0);
	assert_int_equal(spec_set(spec, "store", kind, &why), 0);
	assert_int_equal(spec_set(spec, "size", "4M", &why), 0);
	if (strcmp(kind, "mem"))
		assert_int_equal(spec_set(spec, key, memory, &why), 0);
	if (!strcmp(kind, "file"))
		assert_int_equal(spec_set(spec, "path", disk_path("disk"),
					  &why), 0);
	assert_int_equal(spec_check(spec, &why), 0);
}

/* As export_add() and its job would leave it, were there an RDMA device. */
static inline void open_export(const struct spec *spec)
{
	struct store *store;

	export = calloc(1, sizeof(*export));
	assert_non_null(export);
	store = &export->store;
	export->daemon = &daemon_;
	export->spec = *spec;
	TAILQ_INIT(&export->regions);
	TAILQ_INIT(&export->prepare.regions);
	TAILQ_INIT(&export->claims);
	TAILQ_INIT(&export->places);
	TAILQ_INIT(&export->watches);
	assert_int_equal(store_open(store, &export->spec, config.state_dir,
				    &why), 0);
	assert_int_equal(layout_cut(&export->layout, store->size, MIB,
				    UINT64_MAX, &why), 0);
	assert_int_equal(export_map(store, &export->map, &why), 0);
	if (store_must_load(store))
		store->ops->loaded(store);
	assert_int_equal(export_drain_open(export, store, export->map,
					   &export->writeback, &why), 0);
	assert_int_equal(timer_new(daemon_.event, &export->timer,
				   export_work_tick, export), 0);
	export->prepare.nr_steps = 1;
	export->state = EXPORT_READY;
	TAILQ_INSERT_TAIL(&daemon_.exports, export, entry);
	export_watch(export, &watch);
	memset(events, 0, sizeof(events));
}

static inline int begin(void **state)
{
	(void)state;
	disk_run("rm -f %s* '%s' '%s'", memory, disk_path("disk"),
		 disk_path("exports/x.json"));
	daemon_init(&daemon_, &config);
	return sd_event_new(&daemon_.event) < 0 ? -1 : 0;
}

static inline int end(void **state)
{
	(void)state;
	daemon_.event = sd_event_unref(daemon_.event);
	return 0;
}

static inline void turn(void)
{
	assert_return_code(sd_event_run(daemon_.event, USEC_PER_SEC), 0);
}

/* Takes one event of that kind off the count. */
static inline void run_until(enum export_event event)
{
	uint64_t deadline = clock_now_us() + DEADLINE_US;

	while (!events[event]) {
		assert_true(clock_now_us() < deadline);
		turn();
	}
	events[event]--;
}

#endif /* RDMABLK_TEST_FIXTURE_EXPORT_H */
