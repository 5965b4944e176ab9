// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's figures as OpenMetrics 1.0 has it: families one after the other, each
 * with its type, its unit if it has one, a sentence and its samples. No label needs
 * escapes: names of exports have letters, digits and a few others.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bucket.h"
#include "export.h"
#include "metrics.h"
#include "version.h"

#define PREFIX "rdmablkd_"

/* Every fourth bucket is told, two octaves apart, from 33 us to 35 s. */
#define LE_FIRST	11
#define LE_LAST		51
#define LE_STEP		4

static void family(FILE *to, const char *of, const char *name, const char *type,
		   const char *unit, const char *help)
{
	fprintf(to, "# TYPE " PREFIX "%s%s %s\n", of, name, type);
	if (unit)
		fprintf(to, "# UNIT " PREFIX "%s%s %s\n", of, name, unit);
	fprintf(to, "# HELP " PREFIX "%s%s %s\n", of, name, help);
}

static void metric(FILE *to, const struct daemon *daemon,
		   const struct metric *metric)
{
	const char *of = metric->of_export ? "export_" : "";
	const char *suffix = metric->counter ? "_total" : "";
	const struct export *export;
	uint64_t value;

	family(to, of, metric->name, metric->counter ? "counter" : "gauge",
	       metric->unit, metric->help);
	if (metric->of_daemon) {
		fprintf(to, PREFIX "%s%s %" PRIu64 "\n", metric->name, suffix,
			metric->of_daemon(daemon));
		return;
	}
	TAILQ_FOREACH(export, &daemon->exports, entry)
		if (metric->of_export(export, &value))
			fprintf(to, PREFIX "%s%s%s{export=\"%s\"} %" PRIu64 "\n",
				of, metric->name, suffix, export->spec.name,
				value);
}

static void refusals(FILE *to, const struct daemon *daemon)
{
	unsigned int status;

	family(to, "", "refusals", "counter", NULL,
	       "Connections and requests that were refused.");
	for (status = 0; status < __RDMABLK_STATUS_END; status++)
		if (metrics_refusal(status))
			fprintf(to, PREFIX "refusals_total{reason=\"%s\"} %" PRIu64 "\n",
				metrics_refusal(status),
				daemon->counters.refused[status]);
}

static void flushes_of(FILE *to, const struct export *export)
{
	static const char name[] = PREFIX "export_flush_seconds";
	const char *label = export->spec.name;
	double seconds;
	const struct histogram *took = metrics_flushes(export, &seconds);
	uint64_t sum = 0;
	uint32_t i;

	if (!took)
		return;
	for (i = 0; i < RDMABLK_BUCKETS; i++) {
		if (i >= LE_FIRST && i <= LE_LAST &&
		    (i - LE_FIRST) % LE_STEP == 0)
			fprintf(to, "%s_bucket{export=\"%s\",le=\"%.9g\"} %" PRIu64 "\n",
				name, label,
				(double)rdmablk_bucket_begin(i) / 1e9, sum);
		sum += took->buckets[i];
	}
	fprintf(to, "%s_bucket{export=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", name,
		label, sum);
	fprintf(to, "%s_count{export=\"%s\"} %" PRIu64 "\n", name, label, sum);
	fprintf(to, "%s_sum{export=\"%s\"} %.6f\n", name, label, seconds);
}

static void flushes(FILE *to, const struct daemon *daemon)
{
	const struct export *export;

	family(to, "export_", "flush_seconds", "histogram", "seconds",
	       "How long flushes took that succeeded, until they were answered.");
	TAILQ_FOREACH(export, &daemon->exports, entry)
		flushes_of(to, export);
}

/**
 * metrics_text() - all figures as OpenMetrics
 * @daemon: the daemon
 *
 * Return: the text, which the caller frees; NULL without memory.
 */
char *metrics_text(const struct daemon *daemon)
{
	char *text = NULL;
	FILE *to;
	size_t len, i;

	to = open_memstream(&text, &len);
	if (!to)
		return NULL;
	family(to, "", "build", "info", NULL, "The daemon.");
	fprintf(to, PREFIX "build_info{version=\"" RDMABLK_VERSION "\"} 1\n");
	for (i = 0; i < nr_metrics; i++)
		metric(to, daemon, &metrics[i]);
	refusals(to, daemon);
	flushes(to, daemon);
	fputs("# EOF\n", to);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}
