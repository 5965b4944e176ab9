// SPDX-License-Identifier: GPL-2.0
/*
 * Looking at figures again and again. See look.h.
 *
 * The module counts latencies only while it is asked to, and for a little longer
 * than an interval each time: when this program ends, however it ends, so does that.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "clock.h"
#include "device_word.h"
#include "family.h"
#include "figures_text.h"
#include "look.h"
#include "report.h"
#include "signals.h"

/**
 * look_device() - which device is meant?
 * @word: as it was given, or NULL: all of them
 * @index: set to its number, or to SAMPLE_ALL
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit look_device(const char *word, uint32_t *index)
{
	*index = SAMPLE_ALL;
	if (!word)
		return EXIT_OK;
	if (device_index(word, index))
		return device_bad_name(word);
	return *index < RDMABLK_DEVICES_MAX ? EXIT_OK :
					       device_missing(*index);
}

/**
 * look_failed() - say why devices cannot be looked at
 * @look: with its device
 * @err: negative errno
 *
 * Return: how to exit.
 */
enum rbdctl_exit look_failed(const struct look *look, int err)
{
	/* Without the module there are no devices: the same answer. */
	if (look->index != SAMPLE_ALL &&
	    (err == -ENODEV || (err == -ENOENT && !look->genl)))
		return device_missing(look->index);
	return family_fail(look->genl, err, "cannot look at the devices");
}

/* Who may not still sees all the rest. */
static int watch(struct look *look, const struct sample *sample)
{
	int err;

	if (look->blind)
		return 0;
	err = sample_watch(look->genl, sample,
			   2 * (unsigned int)look->interval + 2);
	look->blind = err == -EPERM;
	return look->blind ? 0 : err;
}

static enum rbdctl_exit take(struct look *look, struct sample *sample)
{
	int err = sample_take(look->genl, look->index, look->per_queue, sample);

	if (!err)
		err = watch(look, sample);
	return err ? look_failed(look, err) : EXIT_OK;
}

/**
 * look_begin() - begin the first interval
 * @look: with its options and its device
 *
 * Return: EXIT_OK, or how to exit after the failure was printed; look_end() in any
 * case.
 */
enum rbdctl_exit look_begin(struct look *look)
{
	enum rbdctl_exit code;
	int err;

	look->signals = signals_open();
	if (look->signals < 0)
		return fail(EXIT_FAILED, "cannot listen to signals: %s",
			    strerror(-look->signals));
	err = family_open(&look->genl);
	if (err)
		return look_failed(look, err);
	code = take(look, &look->last);
	look->next_ms = now_ms() + look->interval * 1000;
	return code;
}

/**
 * look_end() - release what it holds
 * @look: begun, or zeroed but for @signals
 */
void look_end(struct look *look)
{
	sample_free(&look->last);
	genl_close(look->genl);
	if (look->signals >= 0)
		close(look->signals);
}

/**
 * look_wait() - until the interval ends, or something else happens
 * @look: begun
 * @keys: a terminal to wait for, too, or -1
 *
 * Return: what it was.
 */
enum look_event look_wait(const struct look *look, int keys)
{
	struct pollfd fds[2] = {
		{ .fd = look->signals, .events = POLLIN },
		{ .fd = keys, .events = POLLIN },
	};
	int64_t left = look->next_ms - now_ms();
	int found = poll(fds, 2, left > 0 ? (int)left : 0);

	if (found < 0)
		return LOOK_AGAIN;
	if (fds[0].revents)
		return LOOK_SIGNAL;
	return fds[1].revents ? LOOK_KEY : LOOK_TIME;
}

/**
 * look_since() - what has happened in the interval, which ends; begins the next
 * @look: begun
 * @since: set on success; released with sample_free()
 * @seconds: set to how long it really took
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit look_since(struct look *look, struct sample *since,
			    double *seconds)
{
	struct sample now;
	enum rbdctl_exit code = take(look, &now);

	if (code)
		return code;
	*since = now;
	since->list = calloc(now.count + 1, sizeof(*now.list));
	if (!since->list)
		abort();
	if (now.count)
		memcpy(since->list, now.list, now.count * sizeof(*now.list));
	*seconds = sample_since(since, &look->last);
	sample_free(&look->last);
	look->last = now;

	look->next_ms += look->interval * 1000;
	/* After a long sleep it does not catch up. */
	if (look->next_ms < now_ms())
		look->next_ms = now_ms() + look->interval * 1000;
	return EXIT_OK;
}

/* What has happened in an interval, below what was before. */
static void print_since(const struct sample *since, double seconds)
{
	time_t now = time(NULL);
	char text[32] = "";
	struct tm tm;
	size_t i;

	for (i = 0; i < since->count && report_json; i++) {
		CLEANUP_JSON struct json_object *json =
			figures_json(&since->list[i], seconds);

		json_object_object_add(json, "time_ms",
				       json_object_new_int64((int64_t)now * 1000));
		print_json_line(json);
	}
	if (report_json)
		return;
	if (localtime_r(&now, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	printf("%s, %.1f s\n", text, seconds);
	figures_table(since, seconds, stdout);
	putchar('\n');
}

/**
 * look_loop() - print interval by interval
 * @look: begun
 *
 * Return: how to exit.
 */
enum rbdctl_exit look_loop(struct look *look)
{
	enum rbdctl_exit code = EXIT_OK;
	enum look_event event;
	int64_t n = 0;

	if (look->blind)
		note("without percentiles: only root has latencies counted");
	while (!code && (!look->count || n < look->count)) {
		struct sample since;
		double seconds;

		event = look_wait(look, -1);
		if (event == LOOK_SIGNAL)
			return (enum rbdctl_exit)
				(128 + signals_take(look->signals));
		if (event != LOOK_TIME)
			continue;
		code = look_since(look, &since, &seconds);
		if (code)
			break;
		print_since(&since, seconds);
		sample_free(&since);
		n++;
		/* A failure to print is told by main(). */
		if (fflush(stdout))
			code = EXIT_FAILED;
	}
	return code;
}
