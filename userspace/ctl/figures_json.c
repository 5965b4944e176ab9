// SPDX-License-Identifier: GPL-2.0
/*
 * Figures for programs. The keys are documented in rbdctl-stats(8).
 */
#include <stdio.h>

#include "figures.h"

static void add(struct json_object *object, const char *key, uint64_t value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

/* Without the seventeen digits that json-c would write. */
static struct json_object *brief_double(double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	return json_object_new_double_s(value, text);
}

static void add_rate(struct json_object *object, const char *key,
		     uint64_t value, double seconds)
{
	json_object_object_add(object, key, seconds > 0 ?
			       brief_double((double)value / seconds) : NULL);
}

static void add_percentile(struct json_object *object, const char *key,
			   const struct histogram *latency, double percent)
{
	json_object_object_add(object, key, histogram_count(latency) ?
		json_object_new_uint64(histogram_percentile(latency, percent)) :
		NULL);
}

static struct json_object *op_json(const struct op_figures *op, double seconds)
{
	struct json_object *object = json_object_new_object();

	add(object, "requests", op->count);
	add(object, "bytes", op->bytes);
	add(object, "errors", op->errors);
	add_rate(object, "requests_per_second", op->count, seconds);
	add_rate(object, "bytes_per_second", op->bytes, seconds);
	json_object_object_add(object, "latency_mean_ns", op->count ?
		json_object_new_uint64(op->ns / op->count) : NULL);
	add_percentile(object, "latency_p50_ns", &op->latency, 50);
	add_percentile(object, "latency_p99_ns", &op->latency, 99);
	add_percentile(object, "latency_p99_9_ns", &op->latency, 99.9);
	return object;
}

static struct json_object *ops_json(const struct figures *figures,
				    double seconds)
{
	struct json_object *object = json_object_new_object();
	uint32_t op;

	for (op = 0; op < RDMABLK_OPS; op++)
		json_object_object_add(object, figures_op_name(op),
				       op_json(&figures->ops[op], seconds));
	return object;
}

/**
 * figures_json() - figures for programs
 * @figures: of a device or a queue
 * @seconds: that they are of; 0: since it was attached
 *
 * Return: an object, which the caller puts.
 */
struct json_object *figures_json(const struct figures *figures, double seconds)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "name",
			       json_object_new_string(figures->name));
	json_object_object_add(object, "state", json_object_new_string(
			       device_state_text(figures->state)));
	json_object_object_add(object, "queue",
		figures->queue == FIGURES_DEVICE ? NULL :
		json_object_new_uint64(figures->queue));
	json_object_object_add(object, "seconds", seconds > 0 ?
			       brief_double(seconds) : NULL);
	add(object, "queues", figures->queues);
	add(object, "depth", figures->depth);
	json_object_object_add(object, "in_flight", figures->has_ops ?
			       json_object_new_uint64(figures->in_flight) : NULL);
	add(object, "waits", figures->waits);
	add(object, "replays", figures->replays);
	add(object, "reconnects", figures->reconnects);
	add(object, "flush_rounds", figures->flushes);
	add(object, "dirty_bytes", figures->dirty);
	json_object_object_add(object, "operations", figures->has_ops ?
			       ops_json(figures, seconds) : NULL);
	return object;
}
