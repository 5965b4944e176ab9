// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's figures for the control socket. Keys are those of the metrics, without
 * what tells Prometheus what they are of.
 */
#include "export.h"
#include "metrics.h"

static void add(struct json_object *object, const char *key, uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

static struct json_object *refusals_json(const struct daemon *daemon)
{
	struct json_object *object = json_object_new_object();
	unsigned int status;

	for (status = 0; status < __RDMABLK_STATUS_END; status++)
		if (metrics_refusal(status))
			add(object, metrics_refusal(status),
			    daemon->counters.refused[status]);
	return object;
}

static struct json_object *flushes_json(const struct histogram *took,
					double seconds)
{
	struct json_object *object = json_object_new_object();
	uint64_t count = histogram_count(took);

	add(object, "count", count);
	if (!count)
		return object;
	add(object, "mean_us", (uint64_t)(seconds * 1e6) / count);
	add(object, "p50_us", histogram_percentile(took, 50) / 1000);
	add(object, "p99_us", histogram_percentile(took, 99) / 1000);
	return object;
}

static struct json_object *export_figures(const struct export *export)
{
	struct json_object *object = json_object_new_object();
	double seconds;
	const struct histogram *took = metrics_flushes(export, &seconds);
	uint64_t value;
	size_t i;

	json_object_object_add(object, "name",
			       json_object_new_string(export->spec.name));
	for (i = 0; i < nr_metrics; i++)
		if (metrics[i].of_export && metrics[i].of_export(export, &value))
			add(object, metrics[i].name, value);
	if (took)
		json_object_object_add(object, "flushes",
				       flushes_json(took, seconds));
	return object;
}

/**
 * metrics_json() - all figures for programs
 * @daemon: the daemon
 *
 * Return: the object.
 */
struct json_object *metrics_json(const struct daemon *daemon)
{
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	const struct export *export;
	size_t i;

	for (i = 0; i < nr_metrics; i++)
		if (metrics[i].of_daemon)
			add(object, metrics[i].name,
			    metrics[i].of_daemon(daemon));
	json_object_object_add(object, "refusals", refusals_json(daemon));
	TAILQ_FOREACH(export, &daemon->exports, entry)
		json_object_array_add(list, export_figures(export));
	json_object_object_add(object, "exports", list);
	return object;
}
