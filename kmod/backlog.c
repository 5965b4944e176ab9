// SPDX-License-Identifier: GPL-2.0
/*
 * Requests that wait for the target's software. See backlog.h.
 */
#include "backlog.h"
#include "dev.h"
#include "io.h"

/**
 * rdmablk_backlog_init() - initialise, once in a device's life
 * @backlog: zeroed
 * @serve: takes until nothing waits
 *
 * Context: any.
 */
void rdmablk_backlog_init(struct rdmablk_backlog *backlog, work_func_t serve)
{
	spin_lock_init(&backlog->lock);
	INIT_LIST_HEAD(&backlog->waiting);
	INIT_WORK(&backlog->work, serve);
}

/**
 * rdmablk_backlog_add() - have a request served behind those that wait
 * @backlog: where
 * @io: the request's driver part; whoever serves it ends it
 *
 * Context: any.
 */
void rdmablk_backlog_add(struct rdmablk_backlog *backlog, struct rdmablk_io *io)
{
	unsigned long flags;

	WRITE_ONCE(io->slow, true);
	spin_lock_irqsave(&backlog->lock, flags);
	list_add_tail(&io->list, &backlog->waiting);
	spin_unlock_irqrestore(&backlog->lock, flags);
	rdmablk_backlog_kick(backlog);
}

/**
 * rdmablk_backlog_take() - take all that waits
 * @backlog: where from
 * @requests: an empty list; set to the requests, the oldest first
 *
 * Context: the backlog's work.
 * Return: false when nothing waited.
 */
bool rdmablk_backlog_take(struct rdmablk_backlog *backlog,
			  struct list_head *requests)
{
	spin_lock_irq(&backlog->lock);
	list_splice_init(&backlog->waiting, requests);
	spin_unlock_irq(&backlog->lock);
	return !list_empty(requests);
}

/**
 * rdmablk_backlog_kick() - let the work run, whether or not anything waits
 * @backlog: whose
 *
 * Context: any.
 */
void rdmablk_backlog_kick(struct rdmablk_backlog *backlog)
{
	rdmablk_work_queue_slow(&backlog->work);
}

/**
 * rdmablk_backlog_stop() - nothing is served when it returns
 * @backlog: its work ends soon, and nothing is added any more
 *
 * What waited was served as well as it could be.
 *
 * Context: process.
 */
void rdmablk_backlog_stop(struct rdmablk_backlog *backlog)
{
	flush_work(&backlog->work);
}
