/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a write does so that the target's write cache can be flushed: the mark
 * before it, and the note behind it.
 */
#ifndef RDMABLK_TRACK_H
#define RDMABLK_TRACK_H

#include <linux/blk-mq.h>
#include <rdma/ib_verbs.h>

struct rdmablk_queue;
struct rdmablk_session;

/* Work requests that a mark takes, at most. */
#define RDMABLK_TRACK_WRS	1

/**
 * struct rdmablk_track - a request's part in dirty tracking
 * @on: it counts as a write of an epoch
 * @epoch: of which epoch
 * @sge: the ones that its mark writes
 * @wr: the mark
 */
struct rdmablk_track {
	bool on;
	u8 epoch;
	struct ib_sge sge;
	struct ib_rdma_wr wr;
};

/**
 * struct rdmablk_mark - what a request has to mark
 * @needed: the chunks are not all marked
 * @epoch: whose map it marks; it counts as a write there, too
 * @first: the first chunk
 * @last: the last chunk
 *
 * On the poster's stack: the request may have ended when posting returns.
 */
struct rdmablk_mark {
	bool needed;
	u8 epoch;
	u32 first;
	u32 last;
};

void rdmablk_track_begin(struct rdmablk_queue *queue,
			 struct rdmablk_track *track);
void rdmablk_track_note(struct rdmablk_queue *queue, struct request *rq);
void rdmablk_track_end(struct rdmablk_queue *queue,
		       struct rdmablk_track *track);

void rdmablk_mark_begin(struct rdmablk_queue *queue, struct request *rq,
			const struct rdmablk_track *track,
			struct rdmablk_mark *mark);
struct ib_send_wr *rdmablk_mark_chain(struct rdmablk_queue *queue,
				      const struct rdmablk_mark *mark,
				      struct rdmablk_track *track,
				      struct ib_cqe *cqe,
				      struct ib_send_wr *first);
void rdmablk_mark_end(struct rdmablk_queue *queue,
		      const struct rdmablk_mark *mark, bool posted);

unsigned int rdmablk_track_turn(struct rdmablk_session *session);
int rdmablk_track_drain(struct rdmablk_session *session, unsigned int epoch);
void rdmablk_track_reset(struct rdmablk_session *session);

#endif /* RDMABLK_TRACK_H */
