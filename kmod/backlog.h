/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests that wait for the target's software, and the work that serves them.
 */
#ifndef RDMABLK_BACKLOG_H
#define RDMABLK_BACKLOG_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct rdmablk_io;

/**
 * struct rdmablk_backlog - requests that wait
 * @lock: protects @waiting; taken in any context
 * @waiting: requests, by rdmablk_io.list
 * @work: takes and serves them
 */
struct rdmablk_backlog {
	spinlock_t lock;
	struct list_head waiting;
	struct work_struct work;
};

void rdmablk_backlog_init(struct rdmablk_backlog *backlog, work_func_t serve);
void rdmablk_backlog_add(struct rdmablk_backlog *backlog,
			 struct rdmablk_io *io);
bool rdmablk_backlog_take(struct rdmablk_backlog *backlog,
			  struct list_head *requests);
void rdmablk_backlog_kick(struct rdmablk_backlog *backlog);
void rdmablk_backlog_stop(struct rdmablk_backlog *backlog);

#endif /* RDMABLK_BACKLOG_H */
