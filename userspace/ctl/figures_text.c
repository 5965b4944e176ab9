// SPDX-License-Identifier: GPL-2.0
/*
 * Figures for people. See figures_text.h. Nothing is wider than 80 columns.
 */
#include <inttypes.h>
#include <string.h>

#include "brief.h"
#include "figures_text.h"
#include "size.h"

/* ---- Since it was attached ------------------------------------------------- */

static uint64_t errors_of(const struct figures *figures)
{
	uint64_t errors = 0;
	uint32_t op;

	for (op = 0; op < RDMABLK_OPS; op++)
		errors += figures->ops[op].errors;
	return errors;
}

static void queue_line(const struct figures *figures, FILE *to)
{
	fprintf(to, "  queue %" PRIu32 ": %" PRIu32 " in flight, %" PRIu64
		" errors, %" PRIu64 " waits, %" PRIu64 " retries\n",
		figures->queue, figures->in_flight, errors_of(figures),
		figures->waits, figures->replays);
}

static void op_line(const char *name, const struct op_figures *op, FILE *to)
{
	char size[SIZE_TEXT_MAX], mean[BRIEF_MAX] = "-";

	if (op->count)
		brief_time(op->ns / op->count, mean);
	fprintf(to, "  %-8s %12" PRIu64 " %12s %8s %8" PRIu64 "\n", name,
		op->count, size_text(op->bytes, size), mean, op->errors);
}

static void device_lines(const struct figures *figures, FILE *to)
{
	char dirty[SIZE_TEXT_MAX];
	uint32_t i;

	fprintf(to, "%s: %s", figures->name, device_state_text(figures->state));
	if (figures->queues)
		fprintf(to, ", %" PRIu32 " queue%s of %" PRIu32 " requests",
			figures->queues, figures->queues == 1 ? "" : "s",
			figures->depth);
	if (figures->has_ops) {
		fprintf(to, ", %" PRIu32 " in flight\n", figures->in_flight);
		fprintf(to, "  %-8s %12s %12s %8s %8s\n", "", "REQUESTS",
			"BYTES", "MEAN", "ERRORS");
		for (i = 0; i < RDMABLK_OPS; i++)
			op_line(figures_op_name(i), &figures->ops[i], to);
	} else {
		fputc('\n', to);
	}
	fprintf(to, "  %" PRIu64 " waits, %" PRIu64 " retries, %" PRIu64
		" reconnects\n", figures->waits, figures->replays,
		figures->reconnects);
	if (figures->flushes || figures->dirty)
		fprintf(to, "  %" PRIu64 " flush rounds, %s dirty\n",
			figures->flushes, size_text(figures->dirty, dirty));
}

/**
 * figures_totals() - what has happened since the devices were attached
 * @sample: the devices
 * @to: where it is written to
 */
void figures_totals(const struct sample *sample, FILE *to)
{
	size_t i;

	for (i = 0; i < sample->count; i++) {
		const struct figures *figures = &sample->list[i];

		if (figures->queue == FIGURES_DEVICE && i)
			fputc('\n', to);
		if (figures->queue == FIGURES_DEVICE)
			device_lines(figures, to);
		else
			queue_line(figures, to);
	}
}

/* ---- In an interval -------------------------------------------------------- */

/* What is left of the columns of the operation, and those that are right of it. */
#define LEFT	"%-10s %-7s"
#define OP	" %6s %6s %5s %5s %5s %5s %5s"
#define RIGHT	" %4" PRIu32 " %5s %5s"

static const char *percentile(const struct histogram *latency, double percent,
			      char buf[static BRIEF_MAX])
{
	/* Nobody counts latencies. */
	if (!histogram_count(latency))
		return strcpy(buf, "-");
	return brief_time(histogram_percentile(latency, percent), buf);
}

static void op_columns(const struct op_figures *op, double seconds, FILE *to)
{
	char iops[BRIEF_MAX], rate[BRIEF_MAX], mean[BRIEF_MAX] = "-";
	char p50[BRIEF_MAX], p99[BRIEF_MAX], p999[BRIEF_MAX], errors[BRIEF_MAX];

	if (op->count)
		brief_time(op->ns / op->count, mean);
	fprintf(to, OP, brief_count((double)op->count / seconds, iops),
		brief_size((double)op->bytes / seconds, rate), mean,
		percentile(&op->latency, 50, p50),
		percentile(&op->latency, 99, p99),
		percentile(&op->latency, 99.9, p999),
		brief_count((double)op->errors, errors));
}

static void right_columns(const struct figures *figures, FILE *to)
{
	char retries[BRIEF_MAX], reconnects[BRIEF_MAX];

	fprintf(to, RIGHT, figures->in_flight,
		brief_count((double)figures->replays, retries),
		brief_count((double)figures->reconnects, reconnects));
}

/* A row for each operation that there was; one if there was none. */
static void rows(const struct figures *figures, const char *name,
		 double seconds, FILE *to)
{
	static const struct op_figures nothing;
	bool first = true;
	uint32_t i;

	for (i = 0; i < RDMABLK_OPS; i++) {
		const struct op_figures *op = &figures->ops[i];

		if (!op->count && !op->errors)
			continue;
		fprintf(to, LEFT, first ? name : "", figures_op_name(i));
		op_columns(op, seconds, to);
		if (first)
			right_columns(figures, to);
		fputc('\n', to);
		first = false;
	}
	if (!first)
		return;
	fprintf(to, LEFT, name, "idle");
	op_columns(&nothing, seconds, to);
	right_columns(figures, to);
	fputc('\n', to);
}

/**
 * figures_table() - what has happened in an interval
 * @since: the difference of two looks
 * @seconds: between them
 * @to: where it is written to
 */
void figures_table(const struct sample *since, double seconds, FILE *to)
{
	char name[DEVICE_NAME_MAX];
	size_t i;

	fprintf(to, LEFT OP " %4s %5s %5s\n", "DEVICE", "OP", "IOPS", "B/S",
		"MEAN", "P50", "P99", "P99.9", "ERR", "QD", "RETRY", "RECON");
	for (i = 0; i < since->count; i++) {
		const struct figures *figures = &since->list[i];

		snprintf(name, sizeof(name), "%s", figures->name);
		if (figures->queue != FIGURES_DEVICE)
			snprintf(name, sizeof(name), " queue %" PRIu32,
				 figures->queue);
		else if (figures->state != RDMABLK_STATE_LIVE)
			fprintf(to, "%s is %s\n", name,
				device_state_text(figures->state));
		if (figures->has_ops)
			rows(figures, name, seconds, to);
	}
}
