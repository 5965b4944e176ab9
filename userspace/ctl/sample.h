/* SPDX-License-Identifier: GPL-2.0 */
/* One look at the figures of all devices, or of one, and the time of it. */
#ifndef RBDCTL_SAMPLE_H
#define RBDCTL_SAMPLE_H

#include "figures.h"

/**
 * struct sample - see above
 * @at_ns: when, monotonic
 * @list: the figures of each device, followed by those of its queues if they were
 *	  asked for
 * @count: how many
 */
struct sample {
	int64_t at_ns;
	struct figures *list;
	size_t count;
};

#define SAMPLE_ALL	UINT32_MAX	/* as @index: all devices */

int sample_take(struct genl *genl, uint32_t index, bool per_queue,
		struct sample *sample);
double sample_since(struct sample *now, const struct sample *then);
int sample_watch(struct genl *genl, const struct sample *sample,
		 unsigned int seconds);
void sample_free(struct sample *sample);

#endif /* RBDCTL_SAMPLE_H */
