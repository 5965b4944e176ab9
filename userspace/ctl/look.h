/* SPDX-License-Identifier: GPL-2.0 */
/* Looking at figures again and again: what stats and top have in common. */
#ifndef RBDCTL_LOOK_H
#define RBDCTL_LOOK_H

#include "exits.h"
#include "sample.h"

#define LOOK_INTERVAL_MAX	1000	/* seconds */
#define LOOK_COUNT_MAX		1000000000

/* Options of both; for a table. */
#define LOOK_OPTIONS(look)						\
	{ "interval", "SECONDS", "how often to look",			\
	  OPTION_NUMBER, &(look).interval, 1, LOOK_INTERVAL_MAX },	\
	{ "count", "N", "end after so many intervals",			\
	  OPTION_NUMBER, &(look).count, 1, LOOK_COUNT_MAX },		\
	{ "verbose", NULL, "each queue by itself, too",			\
	  OPTION_FLAG, &(look).per_queue, 0, 0 }

/**
 * struct look - see above
 * @interval: seconds
 * @count: of intervals after which it ends; 0: none
 * @per_queue: at each queue, too
 * @index: of the device, or SAMPLE_ALL
 * @genl: the module's family
 * @signals: from signals_open()
 * @blind: we may not have latencies counted
 * @last: the latest look
 * @next_ms: when the present interval ends
 */
struct look {
	int64_t interval;
	int64_t count;
	bool per_queue;
	uint32_t index;
	struct genl *genl;
	int signals;
	bool blind;
	struct sample last;
	int64_t next_ms;
};

/**
 * enum look_event - what ended the wait
 * @LOOK_TIME: the interval
 * @LOOK_KEY: something can be read from the terminal
 * @LOOK_AGAIN: a signal that ends nothing, such as of a terminal that was resized
 * @LOOK_SIGNAL: a signal that ends the program
 */
enum look_event { LOOK_TIME, LOOK_KEY, LOOK_AGAIN, LOOK_SIGNAL };

enum rbdctl_exit look_device(const char *word, uint32_t *index);
enum rbdctl_exit look_failed(const struct look *look, int err);
enum rbdctl_exit look_begin(struct look *look);
enum look_event look_wait(const struct look *look, int keys);
enum rbdctl_exit look_since(struct look *look, struct sample *since,
			    double *seconds);
enum rbdctl_exit look_loop(struct look *look);
void look_end(struct look *look);

#endif /* RBDCTL_LOOK_H */
