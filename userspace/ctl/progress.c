// SPDX-License-Identifier: GPL-2.0
/*
 * How far a long operation is. See progress.h. A terminal gets one line that
 * changes; a log gets a line now and then. Nothing is shown of what is over in
 * a moment.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "progress.h"
#include "size.h"

#define QUIET_MS	500	/* nothing is shown before */
#define TERMINAL_MS	100	/* between two changes of the line */
#define LOG_MS		10000	/* between two lines */

static void begin(struct progress *progress, const char *phase)
{
	progress_end(progress);
	snprintf(progress->phase, sizeof(progress->phase), "%s", phase);
	progress->started = now_ms();
	progress->shown = 0;
}

static void print_line(const char *phase, uint64_t done, uint64_t total,
		       uint64_t rate)
{
	char some[SIZE_TEXT_MAX], all[SIZE_TEXT_MAX];
	uint64_t left;

	fprintf(stderr, "%s", phase);
	if (!total)
		return;
	fprintf(stderr, ": %.0f %% (%s of %s)", (double)done * 100 / total,
		size_text(done, some), size_text(total, all));
	if (!rate)
		return;
	left = (total - done) / rate;
	fprintf(stderr, ", %s/s, %" PRIu64 ":%02" PRIu64 " left",
		size_text(rate, some), left / 60, left % 60);
}

/**
 * progress_show() - say how far it is
 * @progress: what was shown so far; zero at first
 * @phase: what is being done
 * @done: bytes done
 * @total: bytes to be done; zero: not known
 * @rate: bytes a second; zero: not known
 */
void progress_show(struct progress *progress, const char *phase,
		   uint64_t done, uint64_t total, uint64_t rate)
{
	bool terminal = isatty(STDERR_FILENO);
	int64_t now = now_ms();

	if (strncmp(progress->phase, phase, sizeof(progress->phase) - 1))
		begin(progress, phase);
	if (done > total)
		done = total;
	if (now < progress->started + QUIET_MS ||
	    now < progress->shown + (terminal ? TERMINAL_MS : LOG_MS))
		return;

	progress->shown = now;
	if (terminal)
		fputs("\r\033[K", stderr);
	print_line(phase, done, total, rate);
	if (!terminal)
		fputc('\n', stderr);
	progress->open = terminal;
	fflush(stderr);
}

/**
 * progress_end() - leave the terminal fit for what comes next
 * @progress: what was shown
 */
void progress_end(struct progress *progress)
{
	if (progress->open)
		fputs("\r\033[K", stderr);
	progress->open = false;
}
