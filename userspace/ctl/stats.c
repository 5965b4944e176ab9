// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl stats: what devices have done since they were attached, or do in each
 * interval from now on.
 */
#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "command.h"
#include "device_word.h"
#include "family.h"
#include "figures_text.h"
#include "look.h"
#include "report.h"

static struct look look = { .signals = -1 };

static const struct option_def options[] = {
	LOOK_OPTIONS(look),
	OPTIONS_END,
};

static void print_totals(const struct sample *sample)
{
	CLEANUP_JSON struct json_object *list = NULL;
	size_t i;

	if (!report_json) {
		if (!sample->count)
			puts("no devices");
		figures_totals(sample, stdout);
		return;
	}
	list = json_object_new_array();
	for (i = 0; i < sample->count; i++)
		json_object_array_add(list, figures_json(&sample->list[i], 0));
	print_json(list);
}

static enum rbdctl_exit totals(void)
{
	struct sample sample = { 0 };
	int err = family_open(&look.genl);

	if (err == -ENOENT && look.index == SAMPLE_ALL) {
		note("the rdmablk module is not loaded: there are no devices");
		print_totals(&sample);
		return EXIT_OK;
	}
	if (!err)
		err = sample_take(look.genl, look.index, look.per_queue, &sample);
	if (err)
		return look_failed(&look, err);
	print_totals(&sample);
	sample_free(&sample);
	return EXIT_OK;
}

static enum rbdctl_exit stats_run(int argc, char **argv)
{
	enum rbdctl_exit code = look_device(argc ? argv[0] : NULL, &look.index);

	if (code)
		return code;
	if (!look.interval && !look.count) {
		code = totals();
	} else {
		if (!look.interval)
			look.interval = 1;
		code = look_begin(&look);
		if (!code)
			code = look_loop(&look);
	}
	look_end(&look);
	return code;
}

const struct command command_stats = {
	.name		= "stats",
	.arguments	= "[DEVICE] [OPTION]...",
	.summary	= "Show what devices have done, or do in each interval",
	.details	= DEVICE_WORD_HELP ".\n"
			  "With --interval or --count in each interval; else since it was attached",
	.options	= options,
	.max_args	= 1,
	.run		= stats_run,
};
