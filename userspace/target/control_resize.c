// SPDX-License-Identifier: GPL-2.0
/*
 * The command of the control socket that resizes an export. What it looks like
 * is in control_command.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "config.h"
#include "control.h"
#include "control_command.h"
#include "control_resize.h"
#include "export_json.h"
#include "export_resize.h"
#include "log.h"
#include "session.h"

/* What the configuration says, if that is another size: the next start fails. */
static uint64_t other_size(const struct export *export)
{
	const struct config *config = export->daemon->config;
	size_t i;

	for (i = 0; i < config->nr_exports; i++)
		if (!strcmp(config->exports[i].name, export->spec.name) &&
		    config->exports[i].size != export->store.size)
			return config->exports[i].size;
	return 0;
}

static void answer(struct client *client, struct export *export)
{
	struct json_object *result = export_json(export);
	uint64_t configured = other_size(export);

	export_json_details(export, result);
	if (configured) {
		log_notice("export %s: the configuration says size = %" PRIu64
			   ": change it to %" PRIu64 " before the next start",
			   export->spec.name, configured, export->store.size);
		json_object_object_add(result, "configured_size",
				       json_object_new_uint64(configured));
	}
	control_answer(client, "result", result);
}

static void resized(struct client *client, struct export *export,
		    enum export_event event, const struct reason *why)
{
	if (event == EXPORT_EVENT_RESIZED) {
		control_wait_done(client);
		if (why)
			control_errno(client, export->resize->err, why);
		else
			answer(client, export);
	} else if (event == EXPORT_EVENT_GONE) {
		control_gone(client, export);
	}
}

/* Zero: there is none. */
static int get_size(struct json_object *request, uint64_t *size,
		    struct reason *why)
{
	struct json_object *value;

	*size = 0;
	if (!json_object_object_get_ex(request, "size", &value))
		return 0;
	if (!json_object_is_type(value, json_type_int) ||
	    json_object_get_int64(value) <= 0)
		return reason_set(why, -EINVAL, "the size must be a number of bytes, more than 0");
	*size = json_object_get_uint64(value);
	return 0;
}

static int refuse_open(const struct export *export, uint64_t size,
		       struct reason *why)
{
	char holders[SESSION_HOLDERS_MAX];

	if (size > export->store.size || TAILQ_EMPTY(&export->claims))
		return 0;
	reason_set(why, -EBUSY, "export %s is open by %s, and would lose what lies beyond %" PRIu64 " bytes",
		   export->spec.name, session_holders(export, holders), size);
	reason_hint(why, "have them detach it; --force ends their sessions, and their devices fail because what lies beyond the new end is lost");
	return -EBUSY;
}

/**
 * control_resize() - resize an export
 * @client: who wants it; gets its answer now or later
 * @request: "name", "size" and "force"
 */
void control_resize(struct client *client, struct json_object *request)
{
	struct export *export = control_export(client, request);
	struct reason why;
	uint64_t size;
	int err;

	if (!export)
		return;
	err = get_size(request, &size, &why);
	if (!err)
		err = export_resize_check(export, &size, &why);
	if (!err && !control_force(request))
		err = refuse_open(export, size, &why);
	if (!err) {
		control_wait(client, export, resized);
		err = export_resize(export, size, &why);
		if (err)
			control_wait_done(client);
	}
	if (err) {
		log_error("export %s: not resized: %s", export->spec.name,
			  why.message);
		control_errno(client, err, &why);
	}
}
