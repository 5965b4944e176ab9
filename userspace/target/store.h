/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an export's bytes live. A store hands out a file that can be mapped
 * shared and writable and registered for RDMA, and knows which contents it
 * holds. It neither maps nor fills it: prepare.c does.
 */
#ifndef RDMABLKD_STORE_H
#define RDMABLKD_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "identity.h"
#include "reason.h"
#include "spec.h"

struct backing;
struct staging;

/**
 * struct store - an open store
 * @ops: its kind
 * @fd: file whose first @size bytes are the export
 * @size: of the export, bytes
 * @page_size: of the pages behind the file, bytes
 * @allocated: bytes that the file occupies: what it did when it was opened, and
 *	       all of it when it was filled
 * @created: the file was made by this open, and is removed if nothing comes
 *	     of it
 * @identity: which contents
 * @clean: all contents are in @backing, and nobody was allowed to write since
 * @load_from: where what has to be loaded begins; not zero for a store that grows
 * @resize: size that a resize is going for, bytes; zero: none is under way
 * @path: of the file; empty for memory without a name
 * @record: file that keeps @identity; empty: nothing does
 * @backing: what keeps the contents beyond the memory's life; NULL: nothing
 * @staging: the file @fd, when there is a backing; else NULL
 */
struct store {
	const struct store_ops	*ops;
	int			fd;
	uint64_t		size;
	uint64_t		page_size;
	uint64_t		allocated;
	bool			created;
	bool			clean;
	uint64_t		load_from;
	uint64_t		resize;
	struct identity		identity;
	char			path[PATH_MAX];
	char			record[PATH_MAX];
	struct backing		*backing;
	struct staging		*staging;
};

/**
 * struct store_load - a part of the contents that is to be loaded
 * @map: where the whole of the contents is mapped
 * @offset: of the part, bytes
 * @length: of the part, bytes
 * @cancel: looked at from time to time
 * @done: bytes loaded are added to it
 */
struct store_load {
	void			*map;
	uint64_t		offset;
	uint64_t		length;
	const atomic_bool	*cancel;
	_Atomic uint64_t	*done;
};

/**
 * struct store_ops - a kind of store
 * @name: as people write it
 * @durability: enum rdmablk_durability
 * @check: refuses properties that make no sense for this kind
 * @open: fills in all of the struct store but @ops; allocates no pages
 * @save: keeps the identity after it changed, before a writer is admitted;
 *	  NULL: there is nothing to keep
 * @close: lets go of all of it; the file @fd is closed anyway
 * @load: fills a part with what the backing has, in pages that are allocated
 *	  and zero; returns -ECANCELED when it was told to stop
 * @loaded: told when all parts were loaded
 * @clean: notes that everything is in the backing and durable there
 * @remove: gives the named memory back, unless it has what the backing lacks
 * @note: keeps what is known of the store as it is, after @resize changed; NULL:
 *	  there is nothing to keep
 * @extend: makes the file long enough for @grown, which has the larger size, and
 *	    gets a staging of its own; -ERANGE: it can be resized by @refit only
 * @reserve: makes sure that @grow will not lack anything, in a thread; NULL:
 *	     nothing can be lacking
 * @grow: has the contents be as large as @grown, in a thread; all of its memory
 *	  is filled and mapped at @map. When it fails nothing was changed
 * @retract: undoes @extend, in a thread; what it added is not mapped any more
 * @refit: gives it another size while it is neither mapped nor in use, in a
 *	   thread. When it fails it is as it was
 *
 * @load to @remove are NULL where there is no backing.
 */
struct store_ops {
	const char	*name;
	unsigned int	durability;
	int (*check)(const struct spec *spec, struct reason *why);
	int (*open)(struct store *store, const struct spec *spec,
		    const char *state_dir, struct reason *why);
	int (*save)(struct store *store, struct reason *why);
	void (*close)(struct store *store);
	int (*load)(struct store *store, const struct store_load *load,
		    struct reason *why);
	void (*loaded)(struct store *store);
	int (*clean)(struct store *store, struct reason *why);
	void (*remove)(struct store *store);
	int (*note)(struct store *store, struct reason *why);
	int (*extend)(struct store *store, struct store *grown,
		      struct reason *why);
	int (*reserve)(const struct store *store, struct store *grown,
		       bool prealloc, struct reason *why);
	int (*grow)(struct store *store, struct store *grown, void *map,
		    struct reason *why);
	void (*retract)(const struct store *store);
	int (*refit)(struct store *store, uint64_t size, struct reason *why);
};

extern const struct store_ops store_mem, store_shm, store_file, store_blk;

const struct store_ops *store_find(const char *name);
int store_open(struct store *store, const struct spec *spec,
	       const char *state_dir, struct reason *why);
int store_choose_memory(struct store *store, const char *path,
			const struct spec *spec, struct reason *why);
int store_choose_record(struct store *store, const struct spec *spec,
			const char *state_dir, struct reason *why);
void store_close(struct store *store);
void store_discard(struct store *store);
int store_save(struct store *store, struct reason *why);
bool store_must_load(const struct store *store);
int store_clean(struct store *store, struct reason *why);
void store_remove(struct store *store);
void store_retracted(struct store *store);
uint64_t store_map_size(const struct store *store);

#endif /* RDMABLKD_STORE_H */
