// SPDX-License-Identifier: GPL-2.0
/*
 * Waits for what becomes of a device. See outcome.h.
 *
 * The kernel announces each change of state, and only the announcements of the
 * last ones carry the reason. But announcements get lost when a socket
 * overflows, so the kernel is also asked, once a second and when in doubt.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "device.h"
#include "outcome.h"
#include "signals.h"

#define ASK_AFTER_MS 1000

/**
 * outcome_attached() - has an attach come to its end?
 * @outcome: what is known of the device
 *
 * Return: true when it is connected, or never will be.
 */
bool outcome_attached(const struct outcome *outcome)
{
	/* RECOVERING: it was live and lost its path at once. */
	return outcome->state == RDMABLK_STATE_LIVE ||
	       outcome->state == RDMABLK_STATE_RECOVERING ||
	       outcome_useless(outcome);
}

/**
 * outcome_added() - has the disk of an attached device been added?
 * @outcome: what is known of the device
 *
 * Return: true when it can be opened, or is of no use any more.
 */
bool outcome_added(const struct outcome *outcome)
{
	return outcome->added || outcome_useless(outcome);
}

/**
 * outcome_useless() - will a device never be used again?
 * @outcome: what is known of the device
 *
 * Return: true when it has failed or is gone.
 */
bool outcome_useless(const struct outcome *outcome)
{
	return outcome->state == RDMABLK_STATE_FAILED || outcome_gone(outcome);
}

/**
 * outcome_gone() - has a detach come to its end?
 * @outcome: what is known of the device
 *
 * Return: true when the device is gone.
 */
bool outcome_gone(const struct outcome *outcome)
{
	return outcome->state == RDMABLK_STATE_GONE;
}

static void note_device(struct outcome *outcome, const struct device *device)
{
	outcome->state = device_u32(device, RDMABLK_ATTR_STATE);
	outcome->added = device_u32(device, RDMABLK_ATTR_DISK_ADDED) != 0;
	outcome->error = (int)device_u32(device, RDMABLK_ATTR_ERRNO);
	snprintf(outcome->reason, sizeof(outcome->reason), "%s",
		 device_text(device, RDMABLK_ATTR_REASON));
}

static void on_event(struct nlattr **attrs, void *data)
{
	struct outcome *outcome = data;
	struct device device;

	memcpy(device.attrs, attrs, sizeof(device.attrs));
	if (device_u64(&device, RDMABLK_ATTR_ID) == outcome->id)
		note_device(outcome, &device);
}

/* What the kernel says now; the reason of a device that is gone is kept. */
static int ask(struct outcome *outcome)
{
	struct device device;
	int err = device_get(outcome->genl, outcome->index, &device);

	outcome->asked = now_ms();
	if (err == -ENODEV) {
		outcome->state = RDMABLK_STATE_GONE;
		return 0;
	}
	if (err)
		return err;
	if (device_u64(&device, RDMABLK_ATTR_ID) == outcome->id)
		note_device(outcome, &device);
	else
		outcome->state = RDMABLK_STATE_GONE;
	device_free(&device);
	return 0;
}

/* Takes the events that came, and asks when they do not tell all. */
static int update(struct outcome *outcome)
{
	int err = genl_events(outcome->genl, on_event, outcome);

	if (err && err != -ENOBUFS)
		return err;
	if (!err && (outcome->state == RDMABLK_STATE_GONE ||
		     now_ms() < outcome->asked + ASK_AFTER_MS))
		return 0;
	err = ask(outcome);
	/* What came between the two has the reason. */
	if (!err && outcome->state == RDMABLK_STATE_GONE)
		err = genl_events(outcome->genl, on_event, outcome);
	return err == -ENOBUFS ? 0 : err;
}

/**
 * outcome_wait() - wait until a device has got so far
 * @outcome: what is known of the device; kept up to date
 * @reached: says whether that ends the wait
 * @timeout_ms: how long to wait; negative: as long as it takes
 *
 * Return: 0 when it has; -ETIMEDOUT; -EINTR when a signal came; another
 * negative errno when the kernel cannot be asked.
 */
int outcome_wait(struct outcome *outcome,
		 bool (*reached)(const struct outcome *outcome), int timeout_ms)
{
	int64_t deadline = now_ms() + timeout_ms;
	struct pollfd fds[2] = {
		{ .fd = genl_events_fd(outcome->genl), .events = POLLIN },
		{ .fd = outcome->signals, .events = POLLIN },
	};
	int64_t left = ASK_AFTER_MS;
	int err;

	for (;;) {
		err = update(outcome);
		if (err || reached(outcome))
			return err;
		if (timeout_ms >= 0)
			left = deadline - now_ms();
		if (left <= 0)
			return -ETIMEDOUT;
		poll(fds, 2, left < ASK_AFTER_MS ? (int)left : ASK_AFTER_MS);
		outcome->signal = signals_take(outcome->signals);
		if (outcome->signal)
			return -EINTR;
	}
}
