// SPDX-License-Identifier: GPL-2.0
/*
 * One look at the figures of all devices, or of one. See sample.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"
#include "macros.h"
#include "sample.h"

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int add(struct genl *genl, uint32_t index, uint32_t queue,
	       struct sample *sample)
{
	struct figures *list = reallocarray(sample->list, sample->count + 1,
					    sizeof(*list));
	int err;

	if (!list)
		return -ENOMEM;
	sample->list = list;
	err = figures_get(genl, index, queue, &list[sample->count]);
	if (!err)
		sample->count++;
	return err;
}

static int add_device(struct genl *genl, uint32_t index, bool per_queue,
		      struct sample *sample)
{
	int err = add(genl, index, FIGURES_DEVICE, sample);
	uint32_t i, queues;

	if (err)
		return err;
	queues = per_queue ? sample->list[sample->count - 1].queues : 0;
	for (i = 0; !err && i < queues; i++)
		err = add(genl, index, i, sample);
	return err;
}

static int add_all(struct genl *genl, bool per_queue, struct sample *sample)
{
	struct devices devices = { 0 };
	int err = devices_get(genl, &devices);
	size_t i;

	for (i = 0; !err && i < devices.count; i++) {
		err = add_device(genl, device_u32(&devices.list[i],
						  RDMABLK_ATTR_INDEX),
				 per_queue, sample);
		/* It went while we looked. */
		if (err == -ENODEV)
			err = 0;
	}
	devices_free(&devices);
	return err;
}

/**
 * sample_take() - look now
 * @genl: the module's family
 * @index: of the device, or SAMPLE_ALL
 * @per_queue: at each queue, too
 * @sample: set on success; released with sample_free()
 *
 * Return: 0; -ENODEV when there is no such device; another negative errno.
 */
int sample_take(struct genl *genl, uint32_t index, bool per_queue,
		struct sample *sample)
{
	int err;

	memset(sample, 0, sizeof(*sample));
	err = index == SAMPLE_ALL ? add_all(genl, per_queue, sample) :
	      add_device(genl, index, per_queue, sample);
	sample->at_ns = now_ns();
	if (err)
		sample_free(sample);
	return err;
}

/* Both are in the same order: it is likely to be near @hint. */
static size_t find(const struct sample *sample, const struct figures *figures,
		   size_t hint)
{
	size_t i;

	for (i = hint; i < sample->count; i++)
		if (figures_same(&sample->list[i], figures))
			return i;
	for (i = 0; i < MIN(hint, sample->count); i++)
		if (figures_same(&sample->list[i], figures))
			return i;
	return sample->count;
}

/**
 * sample_since() - what has happened since an earlier look
 * @now: becomes the difference, where there was an earlier look at the same thing;
 *	 what is new is left as it is: all that happened to it is since then
 * @then: earlier
 *
 * Return: seconds between the two.
 */
double sample_since(struct sample *now, const struct sample *then)
{
	size_t i, found, hint = 0;

	for (i = 0; i < now->count; i++) {
		found = find(then, &now->list[i], hint);
		if (found == then->count)
			continue;
		figures_since(&now->list[i], &then->list[found]);
		hint = found + 1;
	}
	return (double)(now->at_ns - then->at_ns) / 1e9;
}

/**
 * sample_watch() - have latencies counted for a while
 * @genl: the module's family
 * @sample: of the devices
 * @seconds: for how long
 *
 * Return: 0; -EPERM for who may not; another negative errno.
 */
int sample_watch(struct genl *genl, const struct sample *sample,
		 unsigned int seconds)
{
	struct nl_msg *msg;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < sample->count; i++) {
		if (sample->list[i].queue != FIGURES_DEVICE)
			continue;
		msg = genl_request(genl, RDMABLK_CMD_WATCH);
		if (!msg)
			return -ENOMEM;
		nla_put_u32(msg, RDMABLK_ATTR_INDEX, sample->list[i].index);
		nla_put_u32(msg, RDMABLK_ATTR_SECONDS, seconds);
		err = genl_call(genl, msg, NULL, NULL);
		if (err == -ENODEV)
			err = 0;
	}
	return err;
}

/**
 * sample_free() - release a look
 * @sample: may be used again afterwards
 */
void sample_free(struct sample *sample)
{
	free(sample->list);
	memset(sample, 0, sizeof(*sample));
}
