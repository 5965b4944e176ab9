/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fences: that a write has completed means that the target's card has it. A READ
 * behind it on the same QP returns when it is in the target's memory, where the
 * target's CPU sees it.
 */
#ifndef RDMABLK_FENCE_H
#define RDMABLK_FENCE_H

#include <rdma/ib_verbs.h>

struct rdmablk_queue;
struct rdmablk_session;

/* Who has the target's CPU look at the memory, or change it. */
enum rdmablk_fencer {
	RDMABLK_FENCE_FLUSH,
	RDMABLK_FENCE_ZERO,
	RDMABLK_FENCERS
};

/**
 * struct rdmablk_fence - READs that are awaited together
 * @session: the owner
 * @fencer: whose it is
 * @pending: READs that have not completed
 * @failed: one of them failed
 */
struct rdmablk_fence {
	struct rdmablk_session *session;
	enum rdmablk_fencer fencer;
	atomic_t pending;
	bool failed;
};

/**
 * struct rdmablk_fence_read - the READ of a fence on a data queue
 * @cqe: its completion
 * @fence: which fence
 */
struct rdmablk_fence_read {
	struct ib_cqe cqe;
	struct rdmablk_fence *fence;
};

void rdmablk_fence_init(struct rdmablk_fence *fence,
			struct rdmablk_session *session,
			enum rdmablk_fencer fencer);
void rdmablk_fence_note(struct rdmablk_queue *queue);
int rdmablk_fence_wait(struct rdmablk_fence *fence);

#endif /* RDMABLK_FENCE_H */
