/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The books of a device whose target has a write cache: its maps (maps.h), and
 * in which epoch writes mark. track.c, flush.c and zero.c say what happens when.
 */
#ifndef RDMABLK_DIRTY_H
#define RDMABLK_DIRTY_H

#include <linux/mutex.h>

#include "maps.h"

/**
 * struct rdmablk_dirty - the books
 * @life: held by who looks from outside, and while the maps are exchanged for
 *	  larger ones
 * @maps: of size zero: there are no books
 * @epoch: in which writes mark
 * @marked: some queue has marked in that epoch
 * @cleaning: the other epoch's map at the target is not clear yet
 * @unmapped: bytes that the target has to unmap at the next flush
 */
struct rdmablk_dirty {
	struct mutex life;
	struct rdmablk_maps maps;
	unsigned int epoch;
	bool marked[RDMABLK_EPOCHS];
	bool cleaning;
	atomic64_t unmapped;
};

void rdmablk_dirty_init(struct rdmablk_dirty *dirty);
int rdmablk_dirty_open(struct rdmablk_dirty *dirty, u64 size, u32 chunk_shift,
		       u32 nr_queues);
int rdmablk_dirty_resize(struct rdmablk_dirty *dirty, u64 size);
void rdmablk_dirty_close(struct rdmablk_dirty *dirty);

/* There is something to keep books of. */
static inline bool rdmablk_dirty_is_open(const struct rdmablk_dirty *dirty)
{
	return dirty->maps.size;
}

u64 rdmablk_dirty_bytes(struct rdmablk_dirty *dirty);
void rdmablk_dirty_forget_marks(struct rdmablk_dirty *dirty,
				unsigned int epoch);

#endif /* RDMABLK_DIRTY_H */
