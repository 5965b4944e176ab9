// SPDX-License-Identifier: GPL-2.0
/*
 * An export as a JSON object, for the control socket. Session ids are left
 * out: they admit data connections.
 *
 * json-c returns NULL when memory runs out, takes NULL as JSON's null, and the
 * daemon then answers with less: nothing here checks for it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "export.h"
#include "export_json.h"
#include "export_resize.h"
#include "macros.h"
#include "session.h"

static void add_text(struct json_object *object, const char *key,
		     const char *text)
{
	json_object_object_add(object, key, json_object_new_string(text));
}

static void add_number(struct json_object *object, const char *key,
		       uint64_t number)
{
	json_object_object_add(object, key, json_object_new_uint64(number));
}

static void add_bool(struct json_object *object, const char *key, bool value)
{
	json_object_object_add(object, key, json_object_new_boolean(value));
}

static void add_id(struct json_object *object, const char *key, sd_id128_t id)
{
	char text[SD_ID128_UUID_STRING_MAX];

	add_text(object, key, sd_id128_to_uuid_string(id, text));
}

/* As text: JSON readers round numbers of 64 bits. */
static void add_hex(struct json_object *object, const char *key,
		    uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, number);
	add_text(object, key, text);
}

static unsigned int nr_claims(const struct export *export)
{
	const struct claim *claim;
	unsigned int nr = 0;

	TAILQ_FOREACH(claim, &export->claims, entry)
		nr++;
	return nr;
}

/**
 * export_json_progress() - how far an export's job has come
 * @export: something is done with it
 *
 * Return: {"phase": TEXT, "done": BYTES, "total": BYTES, "rate": BYTES}; a
 * total of 0 when it is not known.
 */
struct json_object *export_json_progress(struct export *export)
{
	struct json_object *object = json_object_new_object();
	struct export_progress progress = { 0 };

	if (export->state != EXPORT_RELEASING)
		export_progress(export, &progress);
	add_text(object, "phase", export_phase_name(export));
	add_number(object, "done", progress.done);
	add_number(object, "total", progress.total);
	add_number(object, "rate", progress.rate);
	return object;
}

static const char *durability_name(unsigned int durability)
{
	switch (durability) {
	case RDMABLK_DURABLE:
		return "durable";
	case RDMABLK_RESTART:
		return "restart";
	default:
		return "volatile";
	}
}

/* Also of a store that is closed already. */
static void add_paths(struct json_object *object, const struct export *export)
{
	const struct store *store = &export->store;
	bool backed = store->ops->durability == RDMABLK_DURABLE;

	if (backed)
		add_text(object, "staging", store->path);
	if (store->path[0])
		add_text(object, "path", backed ? export->spec.path :
						  store->path);
}

static struct json_object *error_json(const struct writeback_error *error)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "message", error->why.message);
	if (error->why.hint[0])
		add_text(object, "hint", error->why.hint);
	add_number(object, "since", (uint64_t)error->since);
	return object;
}

/* What the backing refused stands with the export's state: it matters as much. */
static void add_error(struct json_object *object, const struct export *export)
{
	if (export->writeback && export->writeback->error.err)
		json_object_object_add(object, "error",
				       error_json(&export->writeback->error));
}

/* It is ready, but what is done with it is worth telling. */
static void add_resize(struct json_object *object, struct export *export)
{
	struct json_object *resize;

	if (!export->resize || !export->busy)
		return;
	resize = export_json_progress(export);
	add_number(resize, "size", export->resize->to);
	json_object_object_add(object, "resize", resize);
}

/**
 * export_json() - an export in short
 * @export: the export
 *
 * Return: the object.
 */
struct json_object *export_json(struct export *export)
{
	const struct store *store = &export->store;
	struct json_object *object = json_object_new_object();

	add_text(object, "name", export->spec.name);
	add_text(object, "state", export_state_name(export));
	add_text(object, "store", store->ops->name);
	add_paths(object, export);
	add_number(object, "size", store->size);
	add_number(object, "block_size", export->spec.block_size);
	add_bool(object, "read_only", export->spec.read_only);
	add_bool(object, "shared_read", export->spec.shared_read);
	add_text(object, "durability",
		 durability_name(store->ops->durability));
	add_number(object, "clients", nr_claims(export));
	add_error(object, export);
	if (export->state != EXPORT_READY)
		json_object_object_add(object, "progress",
				       export_json_progress(export));
	add_resize(object, export);
	return object;
}

/* Null: there are no rules, and every client is admitted. */
static struct json_object *allow_json(const struct access *access)
{
	struct json_object *list;
	char text[ACCESS_TEXT_MAX];
	unsigned int i;

	if (!access->restricted)
		return NULL;
	list = json_object_new_array();
	for (i = 0; i < access->nr; i++)
		json_object_array_add(list, json_object_new_string(
			access_text(&access->rule[i], text)));
	return list;
}

static struct json_object *flush_json(const struct writeback_stats *stats)
{
	struct json_object *object = json_object_new_object();

	add_number(object, "age_ms",
		   (clock_now_us() - stats->last_us) / USEC_PER_MSEC);
	add_number(object, "duration_us", stats->last_took_us);
	add_number(object, "bytes", stats->last_bytes);
	return object;
}

static struct json_object *writeback_json(const struct writeback *wb)
{
	struct json_object *object = json_object_new_object();
	const struct writeback_stats *stats = &wb->stats;

	add_number(object, "dirty_max", dirty_bytes(&wb->dirty));
	add_number(object, "named", stats->named);
	add_number(object, "written", stats->written);
	add_number(object, "punched", stats->punched);
	add_number(object, "flushes", stats->flushes);
	if (stats->flushes)
		json_object_object_add(object, "last_flush",
				       flush_json(stats));
	return object;
}

static struct json_object *session_json(const struct session *session)
{
	const struct claim *claim = &session->claim;
	struct json_object *object = json_object_new_object();
	unsigned int connected = 0, i;
	char addr[ADDR_TEXT_MAX];
	sd_id128_t id;

	for (i = 0; i < session->nr_queues; i++)
		connected += !!session->queues[i];
	memcpy(id.bytes, claim->host_id, sizeof(id.bytes));
	add_text(object, "host", claim->host_name);
	add_id(object, "host_id", id);
	add_text(object, "address", addr_host_text(&claim->peer, addr));
	add_text(object, "client", claim->client);
	if (session->login.state == LOGIN_DONE)
		add_hex(object, "key", session->login.key_id);
	add_text(object, "access", claim->write ? "rw" : "ro");
	add_number(object, "since", (uint64_t)claim->since);
	add_text(object, "device", device_name(session->ctrl.conn.device));
	add_number(object, "queues", session->nr_queues);
	add_number(object, "queues_connected", connected);
	add_text(object, "remote_keys",
		 session->region->windows ? "window" : "domain");
	add_number(object, "keep_alive_ms", session->keep_alive_ms);
	return object;
}

/**
 * export_json_details() - add all that is known of an export
 * @export: the export
 * @object: from export_json()
 */
void export_json_details(struct export *export, struct json_object *object)
{
	struct json_object *devices = json_object_new_array();
	struct json_object *sessions = json_object_new_array();
	const struct store *store = &export->store;
	struct region *region;
	struct claim *claim;

	json_object_object_add(object, "allow",
			       allow_json(&export->spec.access));
	add_number(object, "page_size", store->page_size);
	add_number(object, "extents", export->layout.nr);
	add_number(object, "extent_size", export->layout.extent);
	add_id(object, "generation", store->identity.generation);
	add_hex(object, "instance", store->identity.instance);

	/* While it is resized its maps turn into contents. */
	if (export->writeback && export->state != EXPORT_RESIZING)
		json_object_object_add(object, "writeback",
				       writeback_json(export->writeback));

	/* While a job runs the list of registrations may be its own. */
	if (export->state == EXPORT_READY)
		TAILQ_FOREACH(region, &export->regions, entry)
			json_object_array_add(devices, json_object_new_string(
				device_name(region->device)));
	json_object_object_add(object, "devices", devices);

	TAILQ_FOREACH(claim, &export->claims, entry)
		json_object_array_add(sessions,
				      session_json(session_of(claim)));
	json_object_object_add(object, "sessions", sessions);
}
