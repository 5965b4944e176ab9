// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl top: what devices do now, on a terminal that is drawn anew in each interval.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cleanup.h"
#include "command.h"
#include "device_word.h"
#include "figures_text.h"
#include "look.h"
#include "report.h"
#include "screen.h"
#include "signals.h"

static struct look look = { .interval = 1, .signals = -1 };

static const struct option_def options[] = {
	LOOK_OPTIONS(look),
	OPTIONS_END,
};

/* A picture: the caller frees it. Before the first interval there is no table. */
static char *picture(const struct sample *since, double seconds)
{
	time_t now = time(NULL);
	char *text = NULL, clock[16] = "";
	FILE *to;
	size_t size;
	struct tm tm;

	to = open_memstream(&text, &size);
	if (!to)
		abort();
	if (localtime_r(&now, &tm))
		strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	fprintf(to, "%s  every %d s, q ends%s\n\n", clock, (int)look.interval,
		look.blind ? "; percentiles are for root" : "");
	if (seconds > 0)
		figures_table(since, seconds, to);
	if (!look.last.count)
		fputs("no devices\n", to);
	fclose(to);
	return text;
}

/**
 * struct top - what is on the screen
 * @screen: the terminal
 * @since: what has happened in the last interval
 * @seconds: how long it was; 0: there was none yet
 * @intervals: how many there were
 */
struct top {
	struct screen screen;
	struct sample since;
	double seconds;
	int64_t intervals;
};

static void draw(const struct top *top)
{
	CLEANUP_FREE char *text = picture(&top->since, top->seconds);

	screen_draw(text);
}

/* True when it is time to end. */
static bool step(struct top *top, enum rbdctl_exit *code)
{
	char key;

	switch (look_wait(&look, top->screen.keys)) {
	case LOOK_SIGNAL:
		*code = (enum rbdctl_exit)(128 + signals_take(look.signals));
		return true;
	case LOOK_KEY:
		key = screen_key(&top->screen);
		return key == 'q' || key == 'Q';
	case LOOK_AGAIN:
		return false;
	case LOOK_TIME:
		break;
	}
	sample_free(&top->since);
	*code = look_since(&look, &top->since, &top->seconds);
	top->intervals++;
	return *code || (look.count && top->intervals >= look.count);
}

static enum rbdctl_exit on_screen(void)
{
	enum rbdctl_exit code = EXIT_OK;
	struct top top = { 0 };
	bool end;

	screen_open(&top.screen);
	draw(&top);
	do {
		end = step(&top, &code);
		draw(&top);
	} while (!end && !ferror(stdout));
	screen_close(&top.screen);
	sample_free(&top.since);
	return code;
}

static enum rbdctl_exit top_run(int argc, char **argv)
{
	enum rbdctl_exit code = look_device(argc ? argv[0] : NULL, &look.index);

	if (code)
		return code;
	code = look_begin(&look);
	if (!code)
		code = report_json || !isatty(STDOUT_FILENO) ? look_loop(&look)
							     : on_screen();
	look_end(&look);
	return code;
}

const struct command command_top = {
	.name		= "top",
	.arguments	= "[DEVICE] [OPTION]...",
	.summary	= "Show what devices do now, until q is pressed",
	.details	= DEVICE_WORD_HELP ".\n"
			  "If standard output is no terminal, as stats --interval 1 does",
	.options	= options,
	.max_args	= 1,
	.run		= top_run,
};
