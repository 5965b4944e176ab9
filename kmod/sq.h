/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The send queue of a data queue: its room, and when it is worked off.
 */
#ifndef RDMABLK_SQ_H
#define RDMABLK_SQ_H

#include <linux/atomic.h>
#include <linux/types.h>

struct ib_device;

/**
 * struct rdmablk_sq - a send queue
 * @free: free slots, each for a work request
 * @size: slots in all
 * @lonely: how many requests in a row found it empty
 * @soft: the device is software, which works in softirqs of the CPU that posts
 */
struct rdmablk_sq {
	atomic_t free;
	int size;
	unsigned int lonely;
	bool soft;
};

void rdmablk_sq_init(struct rdmablk_sq *sq, struct ib_device *ibdev, int size);
bool rdmablk_sq_take(struct rdmablk_sq *sq, int slots);
void rdmablk_sq_return(struct rdmablk_sq *sq, int slots);
bool rdmablk_sq_at_once(struct rdmablk_sq *sq, int slots, unsigned int requests);

/* Is anything under way? */
static inline bool rdmablk_sq_is_used(const struct rdmablk_sq *sq)
{
	return atomic_read(&sq->free) != READ_ONCE(sq->size);
}

#endif /* RDMABLK_SQ_H */
