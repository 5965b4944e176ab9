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
		return reason_set(why, -errno, "memfd_create: %m");

	store->size = spec->size;
	store->page_size = spec->hugepage ? spec->hugepage :
					    (uint64_t)sysconf(_SC_PAGESIZE);
	store->created = true;
	if (ftruncate(store->fd, (off_t)store_map_size(store))) {
		err = reason_set(why, -errno,
				 "cannot make a memory file of %" PRIu64 " bytes: %m",
				 store_map_size(store));
		store_close(store);
		return err;
	}
	return identity_new(&store->identity, why);
}

const struct store_ops store_mem = {
	.name		= "mem",
	.durability	= RDMABLK_VOLATILE,
	.check		= mem_check,
	.open		= mem_open,
};
