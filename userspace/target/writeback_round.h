/* SPDX-License-Identifier: GPL-2.0 */
/* What the rounds of the write-back do. */
#ifndef RDMABLKD_WRITEBACK_ROUND_H
#define RDMABLKD_WRITEBACK_ROUND_H

#include "writeback.h"

void writeback_next_round(struct writeback *wb);
void writeback_round_done(struct round *round, int err);

/* Of writeback.c. */
void writeback_enqueue(struct writeback_queue *queue,
		       struct writeback_request *request);
void writeback_end(struct writeback *wb, struct writeback_request *request,
		   int err);

#endif /* RDMABLKD_WRITEBACK_ROUND_H */
