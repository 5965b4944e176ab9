/* SPDX-License-Identifier: GPL-2.0 */
/* What an operator asks an export to be. */
#ifndef RDMABLKD_SPEC_H
#define RDMABLKD_SPEC_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "access.h"
#include "reason.h"
#include "uapi/rdmablk_proto.h"

#define SPEC_BLOCK_DEFAULT	512U
#define SPEC_EXTENT_MIN		((uint64_t)1 << 20)
#define SPEC_EXTENT_DEFAULT	((uint64_t)4 << 30)

struct store_ops;

/**
 * struct spec - an export as it was asked for
 * @name: its name, valid by rdmablk_name_valid()
 * @store: where the bytes live
 * @size: bytes; zero: not given, as large as the file that exists
 * @path: of the file or block device; empty: the store's default
 * @staging: of the memory file of a store with a backing; empty: the default
 * @block_size: logical block, bytes
 * @hugepage: page size wanted for memory of our own, bytes; zero: ordinary
 * @extent_size: most bytes in one memory registration
 * @prealloc: a backing file that is made gets all of its space
 * @read_only: nobody may write
 * @shared_read: readers are admitted beside a writer
 * @access: who may open it; of an export that is there the rules may change
 */
struct spec {
	char			name[RDMABLK_NAME_MAX];
	const struct store_ops	*store;
	uint64_t		size;
	char			path[PATH_MAX];
	char			staging[PATH_MAX];
	uint32_t		block_size;
	uint64_t		hugepage;
	uint64_t		extent_size;
	bool			prealloc;
	bool			read_only;
	bool			shared_read;
	struct access		access;
};

int spec_init(struct spec *spec, const char *name, struct reason *why);
int spec_set(struct spec *spec, const char *key, const char *value,
	     struct reason *why);
int spec_check(const struct spec *spec, struct reason *why);
int spec_parse(struct spec *spec, const char *text, struct reason *why);
int spec_check_size(uint64_t size, uint64_t unit, const char *unit_name,
		    struct reason *why);

#endif /* RDMABLKD_SPEC_H */
