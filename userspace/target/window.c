// SPDX-License-Identifier: GPL-2.0
/*
 * Memory windows of type 2: remote keys that the card takes from one queue pair
 * and from no other. Each is all of one registration, with the client's rights.
 *
 * A window is younger than its queue pair and goes before it: when the daemon
 * dies, the kernel destroys what it had in the opposite order, and a card may hold
 * on to a queue pair that has windows.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "log.h"
#include "macros.h"
#include "window.h"

/* A card binds without asking anybody: it takes microseconds. */
#define BIND_US		(1 * USEC_PER_SEC)
#define POLL_NS		(20 * 1000)

/**
 * windows_queues() - how many data queues may a session have?
 * @region: where its export is
 * @face: what they may do there
 *
 * Return: for how many there are windows left; UINT_MAX: they need none.
 */
unsigned int windows_queues(const struct region *region, enum face face)
{
	const struct device *device = region->device;
	unsigned int all = (unsigned int)device->attr.max_mw;
	unsigned int left = all > device->nr_windows ?
			    all - device->nr_windows : 0;

	if (!region->windows)
		return UINT_MAX;
	return MIN(left, WINDOWS_PER_SESSION) / region_nr_keys(region, face);
}

static int allocate(struct windows *windows, struct ibv_pd *pd,
		    struct reason *why)
{
	uint32_t i;

	for (i = 0; i < windows->nr; i++) {
		struct window *window = &windows->window[i];

		window->mw = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
		if (!window->mw)
			return reason_set(why, -errno,
				"RDMA device %s: no memory window (%u of %u): %m",
				device_name(windows->device), i + 1,
				windows->nr);
		window->key = ibv_inc_rkey(window->mw->rkey);
	}
	return 0;
}

static int post(const struct window *window, const struct region_part *part,
		struct ibv_qp *qp, uint64_t batch)
{
	struct ibv_send_wr *bad, wr = {
		.wr_id = batch,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED,
		.bind_mw = {
			.mw = window->mw,
			.rkey = window->key,
			.bind_info = {
				.mr = part->mr,
				.addr = part->addr,
				.length = part->mr->length,
				.mw_access_flags = part->access,
			},
		},
	};

	return -ibv_post_send(qp, &wr, &bad);
}

/* Waits for @nr completions of @batch. Others are of one that was given up. */
static int reap(struct ibv_cq *cq, uint64_t batch, uint32_t nr)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	uint64_t deadline = clock_now_us() + BIND_US;
	struct ibv_wc wc;
	int got;

	while (nr) {
		got = ibv_poll_cq(cq, 1, &wc);
		if (got < 0 || (!got && clock_now_us() > deadline))
			return got < 0 ? -EIO : -ETIMEDOUT;
		if (!got)
			nanosleep(&pause, NULL);
		if (!got || wc.wr_id != batch)
			continue;
		if (wc.status != IBV_WC_SUCCESS)
			return -EIO;
		nr--;
	}
	return 0;
}

static int bind_all(const struct windows *windows, const struct region *region,
		    enum face face, struct ibv_qp *qp, struct ibv_cq *cq)
{
	static uint64_t batch;
	uint32_t i, posted = 0;
	int err = 0;

	batch++;
	for (i = 0; !err && i < windows->nr; i++) {
		const struct region_part part = region_part(region, face, i);

		err = post(&windows->window[i], &part, qp, batch);
		if (err || (++posted < WINDOWS_BATCH && i + 1 < windows->nr))
			continue;
		err = reap(cq, batch, posted);
		posted = 0;
	}
	return err;
}

/**
 * windows_bind() - give a queue pair its keys
 * @out: set to the windows, to be freed before @qp is destroyed
 * @region: whose device binds windows
 * @face: what they allow
 * @qp: in the face's protection domain, started; takes WINDOWS_BATCH sends
 * @cq: where its sends complete; nobody else looks at it
 * @why: set on failure
 *
 * Context: the event loop; takes some microseconds for each, and a second at most.
 * Return: 0 or a negative errno.
 */
int windows_bind(struct windows **out, const struct region *region,
		 enum face face, struct ibv_qp *qp, struct ibv_cq *cq,
		 struct reason *why)
{
	uint32_t nr = region_nr_keys(region, face);
	struct windows *windows;
	int err;

	windows = calloc(1, sizeof(*windows) + nr * sizeof(windows->window[0]));
	if (!windows)
		return reason_set(why, -ENOMEM, "out of memory");
	windows->device = region->device;
	windows->nr = nr;
	err = allocate(windows, region->pd[face], why);
	if (err)
		goto free_windows;
	err = bind_all(windows, region, face, qp, cq);
	if (err) {
		reason_set(why, err,
			   "RDMA device %s does not bind memory windows: %s; if it never does: memory-windows = no",
			   device_name(region->device), strerror(-err));
		goto free_windows;
	}
	*out = windows;
	return 0;

free_windows:
	windows_free(windows);
	return err;
}

/**
 * windows_free() - have keys be good for nothing
 * @windows: bound, or in part; their queue pair still exists; or NULL
 */
void windows_free(struct windows *windows)
{
	uint32_t i;
	int err;

	for (i = 0; windows && i < windows->nr; i++) {
		if (!windows->window[i].mw)
			continue;
		err = ibv_dealloc_mw(windows->window[i].mw);
		if (err && !windows->device->gone)
			log_error("RDMA device %s: cannot free a memory window: %s",
				  device_name(windows->device), strerror(err));
	}
	free(windows);
}
