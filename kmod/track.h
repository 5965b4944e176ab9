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
 * @marks: it has to mark its chunks
 * @epoch: of which epoch
 * @first: its first chunk
 * @last: its last chunk
 * @sge: the ones that the mark writes
 * @wr: the mark
 */
struct rdmablk_track {
	bool on;
	bool marks;
	u8 epoch;
	u32 first;
	u32 last;
	struct ib_sge sge;
	struct ib_rdma_wr wr;
};

void rdmablk_track_begin(struct rdmablk_queue *queue, struct request *rq,
			 struct rdmablk_track *track);
struct ib_send_wr *rdmablk_track_chain(struct rdmablk_queue *queue,
				       struct rdmablk_track *track,
				       struct ib_cqe *cqe,
				       struct ib_send_wr *first);
void rdmablk_track_posted(struct rdmablk_queue *queue,
			  struct rdmablk_track *track);
void rdmablk_track_note(struct rdmablk_queue *queue, struct request *rq);
void rdmablk_track_end(struct rdmablk_queue *queue,
		       struct rdmablk_track *track);

unsigned int rdmablk_track_turn(struct rdmablk_session *session);
int rdmablk_track_drain(struct rdmablk_session *session, unsigned int epoch);
void rdmablk_track_reset(struct rdmablk_session *session);

#endif /* RDMABLK_TRACK_H */
