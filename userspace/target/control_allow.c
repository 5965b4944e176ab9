// SPDX-License-Identifier: GPL-2.0
/*
 * The command of the control socket that changes who may open an export. What it
 * looks like is in control_command.c.
 */
#include <errno.h>
#include <string.h>

#include "config.h"
#include "control.h"
#include "control_allow.h"
#include "control_command.h"
#include "export_json.h"
#include "log.h"
#include "revoke.h"

static int parse_rules(struct access *access, struct json_object *request,
		       struct reason *why)
{
	struct json_object *list;
	size_t i, count;
	int err = 0;

	if (!json_object_object_get_ex(request, "rules", &list) ||
	    !json_object_is_type(list, json_type_array))
		return reason_set(why, -EINVAL, "the request has no list of rules");
	*access = (struct access){ .restricted = true };
	count = json_object_array_length(list);
	for (i = 0; !err && i < count; i++) {
		struct json_object *rule = json_object_array_get_idx(list, i);

		if (!json_object_is_type(rule, json_type_string))
			return reason_set(why, -EINVAL, "a rule that is no text");
		err = access_add(access, json_object_get_string(rule), why);
	}
	return err;
}

static bool is_configured(const struct export *export)
{
	const struct config *config = export->daemon->config;
	size_t i;

	for (i = 0; i < config->nr_exports; i++)
		if (!strcmp(config->exports[i].name, export->spec.name))
			return true;
	return false;
}

/**
 * control_allow() - the command "export-allow"
 * @client: who sent it
 * @request: the request
 */
void control_allow(struct client *client, struct json_object *request)
{
	struct export *export = control_export(client, request);
	struct json_object *result;
	struct access access;
	unsigned int ended;
	struct reason why;

	if (!export)
		return;
	if (parse_rules(&access, request, &why)) {
		control_error(client, "invalid", &why);
		return;
	}
	ended = revoke_access(export, &access);
	log_info("export %s: %u new access rules, %u sessions ended",
		 export->spec.name, access.nr, ended);
	result = export_json(export);
	export_json_details(export, result);
	json_object_object_add(result, "ended", json_object_new_int((int)ended));
	if (is_configured(export))
		json_object_object_add(result, "configured",
				       json_object_new_boolean(true));
	control_answer(client, "result", result);
}
