// SPDX-License-Identifier: GPL-2.0
/*
 * Store mem: anonymous memory of the daemon. Its contents, and so the
 * generation, end with the daemon.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "identity.h"
#include "log.h"
#include "size.h"
#include "store.h"

static int mem_check(const struct spec *spec, struct reason *why)
{
	if (!spec->size) {
		reason_set(why, -EINVAL, "store mem needs a size");
		reason_hint(why, "for example size=256M");
		return -EINVAL;
	}
	if (spec->path[0])
		return reason_set(why, -EINVAL, "store mem has no path: that is store shm");
	if (spec->hugepage)
		return spec_check_size(spec->size, spec->hugepage,
				       "huge page size", why);
	return 0;
}

static int set_length(const struct store *store, uint64_t size,
		      struct reason *why)
{
	if (!ftruncate(store->fd, (off_t)size))
		return 0;
	return reason_set(why, -errno,
			  "cannot make a memory file of %" PRIu64 " bytes: %m",
			  size);
}

static unsigned int memfd_flags(uint64_t hugepage)
{
	if (!hugepage)
		return MFD_CLOEXEC;
	return MFD_CLOEXEC | MFD_HUGETLB |
	       (hugepage == (uint64_t)1 << 30 ? MFD_HUGE_1GB : MFD_HUGE_2MB);
}

static int mem_open(struct store *store, const struct spec *spec,
		    const char *state_dir __attribute__((unused)),
		    struct reason *why)
{
	char size[SIZE_TEXT_MAX];
	int err;

	store->fd = memfd_create(spec->name, memfd_flags(spec->hugepage));
	if (store->fd < 0 && spec->hugepage) {
		err = reason_set(why, -errno, "this kernel offers no huge pages of %s: %m",
				 size_text(spec->hugepage, size));
		reason_hint(why, "try hugepages=2M or hugepages=off");
		return err;
	}
	if (store->fd < 0)
		return reason_set(why, -errno, "cannot make the memory: %m");

	store->size = spec->size;
	store->page_size = spec->hugepage ? spec->hugepage :
					    (uint64_t)sysconf(_SC_PAGESIZE);
	store->created = true;
	err = set_length(store, store_map_size(store), why);
	if (!err)
		err = identity_new(&store->identity, why);
	if (err)
		store_close(store);
	return err;
}

static int mem_extend(struct store *store, struct store *grown,
		      struct reason *why)
{
	return set_length(store, store_map_size(grown), why);
}

static void mem_retract(const struct store *store)
{
	struct reason why;

	if (set_length(store, store_map_size(store), &why))
		log_warning("%s", why.message);
}

static int mem_grow(struct store *store, struct store *grown,
		    void *map __attribute__((unused)),
		    struct reason *why __attribute__((unused)))
{
	grown->identity = store->identity;
	return 0;
}

/* Cut off to the byte first: what grows again has zeros there. */
static int mem_refit(struct store *store, uint64_t size, struct reason *why)
{
	struct identity identity;
	int err = identity_new(&identity, why);

	if (!err && store->page_size <= (uint64_t)sysconf(_SC_PAGESIZE))
		err = set_length(store, size, why);
	if (err)
		return err;
	store->identity = identity;
	store->size = size;
	return set_length(store, store_map_size(store), why);
}

const struct store_ops store_mem = {
	.name		= "mem",
	.durability	= RDMABLK_VOLATILE,
	.check		= mem_check,
	.open		= mem_open,
	.extend		= mem_extend,
	.grow		= mem_grow,
	.retract	= mem_retract,
	.refit		= mem_refit,
};
