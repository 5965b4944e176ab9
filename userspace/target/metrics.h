/* SPDX-License-Identifier: GPL-2.0 */
/* The daemon's figures: one table of them, told as OpenMetrics and as JSON. */
#ifndef RDMABLKD_METRICS_H
#define RDMABLKD_METRICS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "histogram.h"

struct daemon;
struct export;

/**
 * struct metric - a figure of the daemon, or of each export
 * @name: a word or some; ends with the unit, if there is one
 * @unit: "bytes" or NULL
 * @counter: only grows, as long as the daemon runs
 * @help: a sentence
 * @of_daemon: its value; NULL: it is one of exports
 * @of_export: sets its value; false: this export has none
 */
struct metric {
	const char	*name;
	const char	*unit;
	bool		counter;
	const char	*help;
	uint64_t	(*of_daemon)(const struct daemon *daemon);
	bool		(*of_export)(const struct export *export,
				     uint64_t *value);
};

extern const struct metric metrics[];
extern const size_t nr_metrics;

const char *metrics_refusal(unsigned int status);
const struct histogram *metrics_flushes(const struct export *export,
					double *seconds);

/* metrics_text.c */
char *metrics_text(const struct daemon *daemon);

/* metrics_json.c */
struct json_object *metrics_json(const struct daemon *daemon);

#endif /* RDMABLKD_METRICS_H */
