// SPDX-License-Identifier: GPL-2.0
/*
 * Polled queues. See polled.h.
 *
 * Who submits polled I/O asks for its completions all the time. Should he be stopped
 * meanwhile, nobody does: whatever else waits for a completion polls as well. These
 * are a flush, which has to see the writes before it complete, a request's time-out,
 * and teardown.
 */
#include <rdma/ib_verbs.h>

#include "dev.h"
#include "polled.h"
#include "queue.h"
#include "session.h"

/* At a time, with the lock held. */
#define RDMABLK_POLL_BUDGET	64

/* Who waits for what only polling brings looks again after so long. */
#define RDMABLK_POLL_AGAIN_MS	1

/**
 * rdmablk_poll_init() - initialise, once in a device's life
 * @poll: of a queue
 *
 * Context: any.
 */
void rdmablk_poll_init(struct rdmablk_poll *poll)
{
	spin_lock_init(&poll->lock);
	poll->cq = NULL;
}

/**
 * rdmablk_poll_begin() - a polled queue is up
 * @poll: of the queue
 * @cq: its completions, which nothing else handles
 *
 * Context: process.
 */
void rdmablk_poll_begin(struct rdmablk_poll *poll, struct ib_cq *cq)
{
	spin_lock(&poll->lock);
	poll->cq = cq;
	spin_unlock(&poll->lock);
}

/**
 * rdmablk_poll_end() - nobody polls any more when it returns
 * @poll: of a queue in any state
 *
 * Context: process.
 */
void rdmablk_poll_end(struct rdmablk_poll *poll)
{
	rdmablk_poll_begin(poll, NULL);
}

/**
 * rdmablk_poll() - handle completions of a queue
 * @poll: of a queue in any state
 *
 * Context: task, with softirqs enabled: block/bio.c insists on it for the end of
 * polled I/O.
 * Return: how many there were; none if the queue is not polled.
 */
int rdmablk_poll(struct rdmablk_poll *poll)
{
	int found = 0;

	spin_lock(&poll->lock);
	if (poll->cq)
		found = ib_process_cq_direct(poll->cq, RDMABLK_POLL_BUDGET);
	spin_unlock(&poll->lock);
	return found;
}

/**
 * rdmablk_poll_session() - handle completions of all polled queues
 * @session: in any state
 *
 * For who is about to wait for what one of them may bring.
 *
 * Context: process.
 * Return: for how long to wait before it is done again, in ms; RDMABLK_NO_TIMEOUT
 * when there is no need to.
 */
u32 rdmablk_poll_session(struct rdmablk_session *session)
{
	const struct rdmablk_opts *opts = session->opts;
	u32 i;

	for (i = opts->nr_queues - opts->nr_poll_queues; i < opts->nr_queues; i++)
		rdmablk_poll(&session->queues[i].poll);
	return opts->nr_poll_queues ? RDMABLK_POLL_AGAIN_MS : RDMABLK_NO_TIMEOUT;
}

/*
 * Who drains a queue pair looks for its completions only ten times a second, and twice
 * at least: with many of them a recovery would take long.
 */
static void rdmablk_poll_work(struct work_struct *work)
{
	struct delayed_work *poll_work = to_delayed_work(work);
	struct rdmablk_session *session =
		container_of(poll_work, struct rdmablk_session, poll_work);

	rdmablk_poll_session(session);
	rdmablk_work_queue_slow_delayed(poll_work,
				msecs_to_jiffies(RDMABLK_POLL_AGAIN_MS));
}

/**
 * rdmablk_poll_work_init() - initialise, once in a device's life
 * @session: of the device
 *
 * Context: any.
 */
void rdmablk_poll_work_init(struct rdmablk_session *session)
{
	INIT_DELAYED_WORK(&session->poll_work, rdmablk_poll_work);
}

/**
 * rdmablk_poll_work_begin() - polled queues are polled until they are gone
 * @session: about to be stopped
 *
 * Context: process.
 */
void rdmablk_poll_work_begin(struct rdmablk_session *session)
{
	if (session->opts->nr_poll_queues)
		rdmablk_work_queue_slow_delayed(&session->poll_work, 0);
}

/**
 * rdmablk_poll_work_end() - they are gone
 * @session: whose queues are stopped
 *
 * Context: process.
 */
void rdmablk_poll_work_end(struct rdmablk_session *session)
{
	cancel_delayed_work_sync(&session->poll_work);
}
