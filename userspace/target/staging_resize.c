// SPDX-License-Identifier: GPL-2.0
/*
 * Growing a staging file while it is in use. It is made longer, and has two
 * tails for a while. The one at the end belongs to the larger export, and its
 * header says LOADING, and where the other one is; that one counts. To grow is
 * to have it count no more, to make contents of its pages, and to say READY in
 * the header at the end. At any instant it is clear which header counts, and
 * before the old one counts no more everything is in the backing.
 *
 * Both ranges of pages are registered meanwhile: nothing is punched.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"
#include "macros.h"
#include "staging_header.h"

/* Whoever sees the magic number sees all of the header. */
static void write_header(const struct staging *staging,
			 struct staging *grown)
{
	struct staging_header *header = grown->header;

	*header = (struct staging_header){
		.version = STAGING_VERSION,
		.state = STAGING_STATE_LOADING,
		.size = grown->size,
		.chunk_shift = grown->chunk_shift,
		.id = staging->id,
		.tie = staging->header->tie,
		.grown_from = staging->size,
	};
	atomic_thread_fence(memory_order_release);
	*(volatile uint64_t *)&header->magic = STAGING_MAGIC;
}

/**
 * staging_extend() - make a staging file long enough for a larger export
 * @staging: loaded; stays as it is, and in use
 * @size: of the larger export, bytes
 * @grown: filled in: the same file, with a tail of its own; to be unmapped
 * @why: set on failure
 *
 * Return: 0; -ERANGE when it is larger by so little that the tails would
 * overlap, or another negative errno: then nothing was changed.
 */
int staging_extend(const struct staging *staging, uint64_t size,
		   struct staging *grown, struct reason *why)
{
	int err;

	*grown = *staging;
	grown->size = size;
	grown->tail = NULL;
	grown->beneath = NULL;
	err = staging_lay_out(grown, why);
	if (!err && grown->tail_offset < staging_end(staging))
		err = reason_set(why, -ERANGE, "staging %s has no room to grow by so little",
				 staging->path);
	if (err)
		return err;
	if (ftruncate(staging->fd, (off_t)staging_end(grown)))
		err = reason_set(why, -errno, "cannot give staging %s %" PRIu64
				 " bytes: %m", staging->path,
				 staging_end(grown));
	if (!err)
		err = staging_map_tail(grown, why);
	if (!err) {
		write_header(staging, grown);
		return 0;
	}
	staging_unmap(grown);
	staging_retract(staging);
	return err;
}

/**
 * staging_retract() - make a staging file as long as it was
 * @staging: in use; what is behind its tail is not mapped and not registered
 *
 * Context: any thread.
 */
void staging_retract(const struct staging *staging)
{
	if (ftruncate(staging->fd, (off_t)staging_end(staging)))
		log_warning("cannot give staging %s %" PRIu64 " bytes again: %m",
			    staging->path, staging_end(staging));
}

/**
 * staging_grow() - have a staging file be that of the larger export
 * @staging: everything that it has is in the backing, and nobody uses it; it is
 *	     not open any more when this returns
 * @grown: from staging_extend(); its contents are complete but for the pages of
 *	   the other one's tail
 * @map: where all of its contents are mapped
 * @tie: of the backing, which has its new size
 *
 * Context: any thread.
 */
void staging_grow(struct staging *staging, struct staging *grown, void *map,
		  const struct tie *tie)
{
	const uint64_t end = MIN(staging_end(staging), grown->size);
	char *old_end = (char *)map + staging->size;

	atomic_store(&staging->header->state, STAGING_STATE_LOADING);
	/* Behind the end of contents that are not whole pages there are zeros. */
	memset((char *)map + staging->tail_offset, 0, staging->tail_size);
	if (grown->beneath)
		memcpy(old_end, (char *)grown->beneath +
		       grown->beneath_size - (end - staging->size),
		       end - staging->size);
	grown->header->tie = *tie;
	staging_set_loaded(grown);
	grown->header->grown_from = 0;
	staging->loaded = false;
}
