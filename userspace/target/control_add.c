// SPDX-License-Identifier: GPL-2.0
/*
 * The command of the control socket that offers another export. What it looks like
 * is in control_command.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "control.h"
#include "control_add.h"
#include "control_command.h"
#include "log.h"

/* A member's value as it would stand in the configuration file. */
static const char *value_text(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_boolean:
		return json_object_get_boolean(value) ? "yes" : "no";
	case json_type_int:
	case json_type_string:
		return json_object_get_string(value);
	default:
		return NULL;
	}
}

static int set_member(struct spec *spec, const char *member,
		      struct json_object *value, struct reason *why)
{
	const char *text = value_text(value);
	char key[64];
	size_t i;

	if (!text)
		return reason_set(why, -EINVAL,
				  "%.100s must be text, a number or a boolean",
				  member);
	snprintf(key, sizeof(key), "%s", member);
	for (i = 0; key[i]; i++)
		if (key[i] == '_')
			key[i] = '-';
	return spec_set(spec, key, text, why);
}

static int parse_spec(struct spec *spec, const char *name,
		      struct json_object *request, struct reason *why)
{
	int err = spec_init(spec, name, why);

	json_object_object_foreach(request, member, value) {
		if (!err && strcmp(member, "command") && strcmp(member, "name"))
			err = set_member(spec, member, value, why);
	}
	return err ? err : spec_check(spec, why);
}

static void added(struct client *client, struct export *export,
		  enum export_event event, const struct reason *why)
{
	struct reason removed;

	switch (event) {
	case EXPORT_EVENT_READY:
		control_wait_done(client);
		control_answer_export(client, export);
		break;
	case EXPORT_EVENT_FAILED:
		control_wait_done(client);
		control_errno(client, export->prepare.job.err, why);
		break;
	case EXPORT_EVENT_GONE:
		control_wait_done(client);
		reason_set(&removed, -ECANCELED,
			   "export %s was removed before it was ready",
			   export->spec.name);
		control_error(client, "failed", &removed);
		break;
	default:	/* not of one that is being prepared */
		break;
	}
}

/**
 * control_add() - the command "export-add"
 * @client: who sent it; gets its answer now or later
 * @request: the request
 */
void control_add(struct client *client, struct json_object *request)
{
	const char *name = control_name(client, request);
	struct daemon *daemon = client->daemon;
	struct export *export;
	struct reason why;
	struct spec spec;
	int err;

	if (!name)
		return;
	if (parse_spec(&spec, name, request, &why)) {
		control_error(client, "invalid", &why);
		return;
	}
	if (daemon->stopping)
		err = reason_set(&why, -ESHUTDOWN, "the daemon is stopping");
	else
		err = export_add(daemon, &spec, &export, &why);
	if (err) {
		log_error("export %s: %s", spec.name, why.message);
		control_errno(client, err, &why);
		return;
	}
	control_wait(client, export, added);
}
