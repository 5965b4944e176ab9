/* SPDX-License-Identifier: GPL-2.0 */
/* The named memory that an export with a backing is served from. */
#ifndef RDMABLKD_STAGING_H
#define RDMABLKD_STAGING_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <systemd/sd-id128.h>

#include "reason.h"
#include "tie.h"
#include "uapi/rdmablk_proto.h"

#define STAGING_CHUNK_SHIFT	20	/* a map has one byte for 1 MiB */

struct staging_header;

/**
 * struct staging - an open staging file
 * @fd: the file, locked against other users
 * @page_size: of the pages behind it, bytes
 * @size: of the export, bytes
 * @tail_offset: where the tail begins in the file: behind the contents
 * @tail_size: bytes of the tail, whole pages, which are all allocated
 * @tail: where the tail is mapped
 * @coarse: maps in the tail, @nr_chunks bytes each; coarse[0] is where the tail
 *	    begins, the others follow, each at a multiple of 4 KiB
 * @orphan: the third map
 * @map_size: from one map to the next, bytes
 * @nr_chunks: chunks of the export; the last may be cut short
 * @chunk_shift: log2 of a chunk's bytes
 * @header: in the tail, behind the maps
 * @beneath: of a grown one: what the backing has where the tail was before, from
 *	     the old size on; NULL: zeros
 * @beneath_size: bytes mapped there
 * @id: of this file, unlike any other
 * @loaded: the contents are complete, and newer than the backing where a map
 *	    says so
 * @path: of the file
 */
struct staging {
	int			fd;
	uint64_t		page_size;
	uint64_t		size;
	uint64_t		tail_offset;
	size_t			tail_size;
	void			*tail;
	uint8_t			*coarse[RDMABLK_EPOCHS];
	uint8_t			*orphan;
	size_t			map_size;
	uint32_t		nr_chunks;
	uint32_t		chunk_shift;
	struct staging_header	*header;
	void			*beneath;
	size_t			beneath_size;
	sd_id128_t		id;
	bool			loaded;
	char			path[PATH_MAX];
};

/* What staging_open() found in the place of an export's staging. */
enum staging_found {
	STAGING_NOTHING,	/* no file */
	STAGING_UNFIT,		/* of another backing, or another size */
	STAGING_LOADING,	/* its contents were never complete */
	STAGING_READY,		/* of this backing, and complete */
};

bool staging_is_one(int fd);
int staging_open(struct staging *staging, const char *path, uint64_t size,
		 uint64_t size_before, const struct tie *tie,
		 enum staging_found *found, struct reason *why);
int staging_make(struct staging *staging, const char *path, uint64_t size,
		 const struct tie *tie, struct reason *why);
int staging_extend(const struct staging *staging, uint64_t size,
		   struct staging *grown, struct reason *why);
void staging_retract(const struct staging *staging);
void staging_grow(struct staging *staging, struct staging *grown, void *map,
		  const struct tie *tie);
void staging_unmap(struct staging *staging);
void staging_set_loaded(struct staging *staging);
bool staging_is_dirty(const struct staging *staging);
uint64_t staging_allocated(const struct staging *staging);
void staging_unlink(const struct staging *staging);
void staging_close(struct staging *staging);

#endif /* RDMABLKD_STAGING_H */
