// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of the control socket:
 *
 *	{"command": "version"}
 *		{"version": TEXT, "protocol_min": N, "protocol_max": N}
 *	{"command": "key-reload"}
 *		{"keys": N, "ended": N}: how many there are, and the sessions that
 *		had none of them
 *	{"command": "stats"}
 *		the figures that are metrics, too: see metrics_json.c
 *	{"command": "export-list"}
 *		{"exports": [EXPORT, ...]}
 *	{"command": "export-show", "name": NAME}
 *		EXPORT with more members
 *	{"command": "export-add", "name": NAME, "store": "mem", "size": BYTES, ...}
 *		EXPORT, when it is ready. Members are called like the keys of
 *		the configuration file, with _ for -; values may be text,
 *		numbers or booleans.
 *	{"command": "export-remove", "name": NAME, "force": BOOLEAN}
 *		EXPORT as it was, when it is written back and gone
 *	{"command": "export-allow", "name": NAME, "rules": [RULE, ...]}
 *		EXPORT, with these access rules in place of those it had. "ended"
 *		are the sessions that did not pass them; "configured" is there if
 *		the next start takes the rules from the configuration again
 *	{"command": "export-retry", "name": NAME}
 *		EXPORT, when everything was written back, though the backing
 *		had refused something before
 *	{"command": "export-resize", "name": NAME, "size": BYTES, "force": BOOLEAN}
 *		EXPORT, when it has that size. One of store blk gets that of its
 *		disk if there is no size. "configured_size" is there if the
 *		configuration has another one
 *
 * What EXPORT is made of is in export_json.c. The longer ones have files of their own:
 * control_add.c, control_remove.c, control_allow.c, control_resize.c.
 */
#include <errno.h>
#include <string.h>

#include "control.h"
#include "control_add.h"
#include "control_allow.h"
#include "control_command.h"
#include "control_remove.h"
#include "control_resize.h"
#include "export_drain.h"
#include "export_json.h"
#include "keyring.h"
#include "log.h"
#include "macros.h"
#include "metrics.h"
#include "revoke.h"
#include "suggest.h"
#include "version.h"

/**
 * control_errno() - tell a client that its command failed
 * @client: the client
 * @err: how, a negative errno
 * @why: in words
 */
void control_errno(struct client *client, int err, const struct reason *why)
{
	const char *code = "failed";

	switch (err) {
	case -EEXIST:
		code = "exists";
		break;
	case -EBUSY:
		code = "busy";
		break;
	case -ENOMEM:
	case -ENOSPC:
	case -E2BIG:
		code = "limit";
		break;
	case -EINVAL:
		code = "invalid";
		break;
	default:
		break;
	}
	control_error(client, code, why);
}

/**
 * control_gone() - tell a client that its export went away before its turn
 * @client: waits for the export
 * @export: the export
 */
void control_gone(struct client *client, const struct export *export)
{
	struct reason why;

	control_wait_done(client);
	reason_set(&why, -ECANCELED, "export %s was removed",
		   export->spec.name);
	control_error(client, "failed", &why);
}

/**
 * control_name() - the name of an export that a request has
 * @client: who sent it; gets an error if there is none
 * @request: the request
 *
 * Return: the name, as long as the request, or NULL.
 */
const char *control_name(struct client *client, struct json_object *request)
{
	struct json_object *value;
	struct reason why;

	if (json_object_object_get_ex(request, "name", &value) &&
	    json_object_is_type(value, json_type_string) &&
	    strlen(json_object_get_string(value)) ==
	    (size_t)json_object_get_string_len(value))
		return json_object_get_string(value);
	reason_set(&why, -EINVAL, "the request names no export");
	control_error(client, "invalid", &why);
	return NULL;
}

/* The export that was probably meant by a name that none has, or NULL. */
static const char *nearest_export(struct daemon *daemon, const char *name)
{
	const char *known[2], *near = NULL;
	struct export *export;
	size_t count;

	TAILQ_FOREACH(export, &daemon->exports, entry) {
		count = 0;
		if (near)
			known[count++] = near;
		known[count++] = export->spec.name;
		near = suggest(name, known, count);
	}
	return near;
}

/**
 * control_export() - the export that a request names
 * @client: who sent it; gets an error if there is none
 * @request: the request
 *
 * Return: the export, or NULL.
 */
struct export *control_export(struct client *client,
			      struct json_object *request)
{
	const char *name = control_name(client, request);
	struct export *export;
	struct reason why;
	const char *near;

	if (!name)
		return NULL;
	export = export_find(client->daemon, name);
	if (export)
		return export;
	near = nearest_export(client->daemon, name);
	reason_set(&why, -ENOENT, "there is no export '%.200s'", name);
	if (near)
		reason_hint(&why, "did you mean '%s'?", near);
	else
		reason_hint(&why, "'rbdctl export list' shows those that there are");
	control_error(client, "not-found", &why);
	return NULL;
}

/**
 * control_force() - does a request have its way whoever is in it?
 * @request: the request
 *
 * Return: true if it says "force".
 */
bool control_force(struct json_object *request)
{
	struct json_object *force;

	return json_object_object_get_ex(request, "force", &force) &&
	       json_object_get_boolean(force);
}

/**
 * control_answer_export() - answer with all that is known of an export
 * @client: the client
 * @export: the export
 */
void control_answer_export(struct client *client, struct export *export)
{
	struct json_object *result = export_json(export);

	export_json_details(export, result);
	control_answer(client, "result", result);
}

/* ---- Short ones ---------------------------------------------------------- */

static void command_version(struct client *client,
			    struct json_object *request __attribute__((unused)))
{
	struct json_object *result = json_object_new_object();

	json_object_object_add(result, "version",
			       json_object_new_string(RDMABLK_VERSION));
	json_object_object_add(result, "protocol_min",
			       json_object_new_int(RDMABLK_VERSION_MIN));
	json_object_object_add(result, "protocol_max",
			       json_object_new_int(RDMABLK_VERSION_MAX));
	control_answer(client, "result", result);
}

static void command_stats(struct client *client,
			  struct json_object *request __attribute__((unused)))
{
	control_answer(client, "result", metrics_json(client->daemon));
}

static void command_reload(struct client *client,
			   struct json_object *request __attribute__((unused)))
{
	struct json_object *result;
	unsigned int ended;
	struct reason why;
	int err = revoke_reload(client->daemon, &ended, &why);

	if (err) {
		log_error("the keys stay as they were: %s", why.message);
		control_errno(client, err, &why);
		return;
	}
	result = json_object_new_object();
	json_object_object_add(result, "keys", json_object_new_int(
		(int)keyring_size(client->daemon->keyring)));
	json_object_object_add(result, "ended", json_object_new_int((int)ended));
	control_answer(client, "result", result);
}

static void command_list(struct client *client,
			 struct json_object *request __attribute__((unused)))
{
	struct json_object *result = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct export *export;

	TAILQ_FOREACH(export, &client->daemon->exports, entry)
		json_object_array_add(list, export_json(export));
	json_object_object_add(result, "exports", list);
	control_answer(client, "result", result);
}

static void command_show(struct client *client, struct json_object *request)
{
	struct export *export = control_export(client, request);

	if (export)
		control_answer_export(client, export);
}

/* ---- export-retry -------------------------------------------------------- */

static void retried(struct client *client, struct export *export,
		    enum export_event event, const struct reason *why)
{
	if (event == EXPORT_EVENT_RETRIED) {
		control_wait_done(client);
		if (why)
			control_error(client, "failed", why);
		else
			control_answer_export(client, export);
	} else if (event == EXPORT_EVENT_GONE) {
		control_gone(client, export);
	}
}

static void command_retry(struct client *client, struct json_object *request)
{
	struct export *export = control_export(client, request);
	struct reason why;

	if (!export)
		return;
	if (!export->writeback) {
		reason_set(&why, -EINVAL, "export %s has nothing to write back to",
			   export->spec.name);
		reason_hint(&why, "stores file and blk have");
		control_error(client, "invalid", &why);
	} else if (export->state != EXPORT_READY) {
		reason_set(&why, -EBUSY, "export %s is %s", export->spec.name,
			   export_state_name(export));
		control_error(client, "busy", &why);
	} else {
		control_wait(client, export, retried);
		export_retry(export);
	}
}

/* ---- Dispatch ------------------------------------------------------------ */

static const struct {
	const char *name;
	void (*run)(struct client *client, struct json_object *request);
} commands[] = {
	{ "version",		command_version },
	{ "stats",		command_stats },
	{ "key-reload",		command_reload },
	{ "export-list",	command_list },
	{ "export-show",	command_show },
	{ "export-add",		control_add },
	{ "export-remove",	control_remove },
	{ "export-allow",	control_allow },
	{ "export-retry",	command_retry },
	{ "export-resize",	control_resize },
};

/**
 * control_command() - handle a request
 * @client: who sent it; gets its answer now or later
 * @request: the request
 */
void control_command(struct client *client, struct json_object *request)
{
	const char *known[ARRAY_SIZE(commands)], *name = "", *meant;
	struct json_object *value;
	struct reason why;
	size_t i;

	if (json_object_object_get_ex(request, "command", &value) &&
	    json_object_is_type(value, json_type_string))
		name = json_object_get_string(value);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		known[i] = commands[i].name;
		if (!strcmp(name, known[i])) {
			commands[i].run(client, request);
			return;
		}
	}
	meant = suggest(name, known, ARRAY_SIZE(commands));
	reason_set(&why, -EINVAL, "unknown command '%.100s'", name);
	if (meant)
		reason_hint(&why, "did you mean '%s'?", meant);
	control_error(client, "invalid", &why);
}
