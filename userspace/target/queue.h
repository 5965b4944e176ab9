/* SPDX-License-Identifier: GPL-2.0 */
/* <sys/queue.h>, and the loop that it lacks. */
#ifndef RDMABLKD_QUEUE_H
#define RDMABLKD_QUEUE_H

#include <sys/queue.h>

/* The body may take @var out of the list and free it. */
#define TAILQ_FOREACH_SAFE(var, head, field, next)			\
	for ((var) = TAILQ_FIRST(head);					\
	     (var) && ((next) = TAILQ_NEXT(var, field), 1);		\
	     (var) = (next))

#endif /* RDMABLKD_QUEUE_H */
