// SPDX-License-Identifier: GPL-2.0
/*
 * Will the machine bear another region? Each function compares one limit with
 * what is needed; its error says which limit, by how much it is exceeded, and
 * what can be done. A limit that cannot be read does not stand in the way:
 * then the kernel's own refusal is what the user gets.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cgroup.h"
#include "capacity.h"
#include "procfile.h"
#include "size.h"

#define MEMINFO	"/proc/meminfo"
#define STATUS	"/proc/self/status"
#define STEP_MARGIN	((uint64_t)32 << 20)

/* For page tables, the registrations' page lists, and everybody else. */
static uint64_t margin(uint64_t bytes)
{
	return ((uint64_t)64 << 20) + bytes / 32;
}

/* Bytes that @store has still to get. */
static uint64_t missing(const struct store *store)
{
	uint64_t size = store_map_size(store);

	return size > store->allocated ? size - store->allocated : 0;
}

static int hugepages_free(uint64_t page_size, uint64_t *pages)
{
	uint64_t free, reserved = 0, surplus = 0, extra = 0;
	const struct {
		const char *name;
		uint64_t *value;
	} files[] = {
		{ "free_hugepages", &free },
		{ "resv_hugepages", &reserved },
		{ "surplus_hugepages", &surplus },
		{ "nr_overcommit_hugepages", &extra },
	};
	char path[128];
	size_t i;
	int err;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path),
			 "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/%s",
			 page_size >> 10, files[i].name);
		err = procfile_number(path, files[i].value);
		if (err)
			return err;
	}
	*pages = (free > reserved ? free - reserved : 0) +
		 (extra > surplus ? extra - surplus : 0);
	return 0;
}

static int check_hugepages(const struct store *store, struct reason *why)
{
	uint64_t need = missing(store) / store->page_size, have;
	char size[SIZE_TEXT_MAX];
	int err;

	err = hugepages_free(store->page_size, &have);
	if (err == -ENOENT)
		return reason_set(why, err, "this kernel has no huge pages of %s",
				  size_text(store->page_size, size));
	if (err || have >= need)
		return 0;
	reason_set(why, -ENOMEM, "%" PRIu64 " free huge pages of %s are needed, there are %"
		   PRIu64, need, size_text(store->page_size, size), have);
	if (store->page_size == (uint64_t)2 << 20)
		reason_hint(why, "'sysctl vm.nr_hugepages=N' reserves more: N must grow by %" PRIu64,
			    need - have);
	else
		reason_hint(why, "write a number larger by %" PRIu64
			    " to /sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages",
			    need - have, store->page_size >> 10);
	return -ENOMEM;
}

/**
 * capacity_memory() - is there memory for a store's pages?
 * @store: an open store
 * @promised: bytes that regions in preparation have still to get
 * @why: set if not
 *
 * Return: 0 or -ENOMEM.
 */
int capacity_memory(const struct store *store, uint64_t promised,
		  struct reason *why)
{
	char want[SIZE_TEXT_MAX], have[SIZE_TEXT_MAX], lack[SIZE_TEXT_MAX];
	uint64_t need = missing(store), total, available, room;
	const char *limit = "available memory";

	if (store->page_size > (uint64_t)sysconf(_SC_PAGESIZE))
		return check_hugepages(store, why);
	if (!need || procfile_field(MEMINFO, "MemAvailable", &available))
		return 0;
	if (!cgroup_memory_room(&room) && room < available) {
		available = room;
		limit = "memory limit of the daemon's control group";
	}

	total = need + margin(need) + promised;
	if (total <= available)
		return 0;
	reason_set(why, -ENOMEM,
		   "the region needs %s with its page tables, %s are left (%s): %s too much",
		   size_text(need + margin(need), want),
		   size_text(available > promised ? available - promised : 0,
			     have), limit, size_text(total - available, lack));
	reason_hint(why, "choose a smaller size or free memory");
	return -ENOMEM;
}

/**
 * capacity_step() - is there still memory for the next part of a region?
 * @bytes: of the part
 * @why: set if not
 *
 * Asked before each part, because others use memory too: better to refuse a
 * region halfway than to have the kernel kill somebody.
 *
 * Context: any thread.
 * Return: 0 or -ENOMEM.
 */
int capacity_step(uint64_t bytes, struct reason *why)
{
	uint64_t available, room;
	char have[SIZE_TEXT_MAX];

	if (procfile_field(MEMINFO, "MemAvailable", &available))
		return 0;
	if (!cgroup_memory_room(&room) && room < available)
		available = room;
	if (available >= bytes + STEP_MARGIN)
		return 0;
	return reason_set(why, -ENOMEM, "memory ran out while the region was filled: %s are left",
			  size_text(available, have));
}

/**
 * capacity_file_system() - has the store's file system room?
 * @store: an open store
 * @why: set if not
 *
 * Return: 0 or -ENOSPC.
 */
int capacity_file_system(const struct store *store, struct reason *why)
{
	char want[SIZE_TEXT_MAX], have[SIZE_TEXT_MAX];
	uint64_t need = missing(store), room;
	struct statfs fs;

	/* No blocks at all: mounted without a limit. */
	if (!store->path[0] || fstatfs(store->fd, &fs) || !fs.f_blocks)
		return 0;
	room = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize;
	if (room >= need)
		return 0;
	reason_set(why, -ENOSPC, "the file system of %s has %s left, %s are needed",
		   store->path, size_text(room, have), size_text(need, want));
	reason_hint(why, "'mount -o remount,size=SIZE MOUNTPOINT' enlarges it");
	return -ENOSPC;
}

static bool may_lock_without_limit(void)
{
	uint64_t capabilities;

	return !procfile_hex_field(STATUS, "CapEff", &capabilities) &&
	       (capabilities & ((uint64_t)1 << CAP_IPC_LOCK));
}

/**
 * capacity_memlock() - may the daemon pin so much memory?
 * @bytes: that will be registered, counted once for each registration
 * @promised: bytes that regions in preparation have still to register
 * @why: set if not
 *
 * Return: 0 or -ENOMEM.
 */
int capacity_memlock(uint64_t bytes, uint64_t promised, struct reason *why)
{
	char want[SIZE_TEXT_MAX], have[SIZE_TEXT_MAX];
	uint64_t pinned = 0, need;
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY || may_lock_without_limit())
		return 0;
	procfile_field(STATUS, "VmPin", &pinned);
	need = pinned + promised + bytes;
	if (need <= limit.rlim_cur)
		return 0;
	reason_set(why, -ENOMEM, "the limit of locked memory (RLIMIT_MEMLOCK) is %s, %s are needed",
		   size_text(limit.rlim_cur, have), size_text(need, want));
	reason_hint(why, "set LimitMEMLOCK=infinity in the service, use 'ulimit -l unlimited', or give the daemon CAP_IPC_LOCK");
	return -ENOMEM;
}

/**
 * capacity_device() - can a device register a region?
 * @device: the device
 * @layout: the region's extents
 * @faces: how often each is registered
 * @why: set if not
 *
 * Return: 0 or -ENOSPC.
 */
int capacity_device(const struct device *device, const struct layout *layout,
		  unsigned int faces, struct reason *why)
{
	uint64_t need = (uint64_t)layout->nr * faces;

	if (device->attr.max_mr <= 0 || need <= (uint64_t)device->attr.max_mr)
		return 0;
	reason_set(why, -ENOSPC,
		   "RDMA device %s has %d memory registrations (max_mr), %" PRIu64
		   " are needed", device_name(device), device->attr.max_mr, need);
	reason_hint(why, "choose a larger extent-size");
	return -ENOSPC;
}
