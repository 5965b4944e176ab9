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
 * What EXPORT is made of is in export_json.c.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "control.h"
#include "control_allow.h"
#include "control_command.h"
#include "control_resize.h"
#include "export_drain.h"
#include "export_json.h"
#include "keyring.h"
#include "log.h"
#include "macros.h"
#include "metrics.h"
#include "revoke.h"
#include "session.h"
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

/* The value of a text member; NULL, and the error is sent. */
static const char *get_name(struct client *client, struct json_object *request)
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
	const char *name = get_name(client, request);
	struct export *export;
	struct reason why;

	if (!name)
		return NULL;
	export = export_find(client->daemon, name);
	if (export)
		return export;
	reason_set(&why, -ENOENT, "there is no export '%.200s'", name);
	reason_hint(&why, "'rbdctl export list' shows those that there are");
	control_error(client, "not-found", &why);
	return NULL;
}

/* ---- version, stats, key-reload, export-list, export-show ---------------------------------- */

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

static void answer_export(struct client *client, struct export *export)
{
	struct json_object *result = export_json(export);

	export_json_details(export, result);
	control_answer(client, "result", result);
}

static void command_show(struct client *client, struct json_object *request)
{
	struct export *export = control_export(client, request);

	if (export)
		answer_export(client, export);
}

/* ---- export-add ---------------------------------------------------------- */

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

static void add_event(struct export_watch *watch, struct export *export,
		      enum export_event event, const struct reason *why)
{
	struct client *client = container_of(watch, struct client, watch);
	struct reason removed;

	switch (event) {
	case EXPORT_EVENT_PROGRESS:
		control_answer(client, "progress",
			       export_json_progress(export));
		break;
	case EXPORT_EVENT_READY:
		control_wait_done(client);
		answer_export(client, export);
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

static void command_add(struct client *client, struct json_object *request)
{
	const char *name = get_name(client, request);
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
	client->watch.event = add_event;
	control_wait(client, export);
}

/* ---- export-remove ------------------------------------------------------- */

static void remove_event(struct export_watch *watch, struct export *export,
			 enum export_event event, const struct reason *why)
{
	struct client *client = container_of(watch, struct client, watch);

	if (event == EXPORT_EVENT_PROGRESS) {
		control_answer(client, "progress",
			       export_json_progress(export));
	} else if (event == EXPORT_EVENT_GONE) {
		control_wait_done(client);
		control_answer(client, "result", export_json(export));
	} else if (event == EXPORT_EVENT_KEPT) {
		control_wait_done(client);
		control_error(client, "failed", why);
	}
}

static void refuse_remove(struct client *client, const struct export *export)
{
	char holders[SESSION_HOLDERS_MAX];
	struct reason why;

	reason_set(&why, -EBUSY, "export %s is in use by %s",
		   export->spec.name, session_holders(export, holders));
	reason_hint(&why, "have them detach it, or use --force: they lose it at once");
	control_error(client, "busy", &why);
}

static void remove_sessions(struct export *export)
{
	struct claim *claim, *next;

	TAILQ_FOREACH_SAFE(claim, &export->claims, entry, next)
		session_farewell(container_of(claim, struct session, claim),
				 RDMABLK_E_REMOVED,
				 "the export was removed by an operator");
}

static void command_remove(struct client *client, struct json_object *request)
{
	struct export *export = control_export(client, request);
	struct json_object *force;

	if (!export)
		return;
	if (!json_object_object_get_ex(request, "force", &force))
		force = NULL;
	if (!TAILQ_EMPTY(&export->claims)) {
		if (!json_object_get_boolean(force)) {
			refuse_remove(client, export);
			return;
		}
		remove_sessions(export);
	}
	client->watch.event = remove_event;
	control_wait(client, export);
	export_remove(export, json_object_get_boolean(force));
}

/* ---- export-retry -------------------------------------------------------- */

static void retry_event(struct export_watch *watch, struct export *export,
			enum export_event event, const struct reason *why)
{
	struct client *client = container_of(watch, struct client, watch);

	if (event == EXPORT_EVENT_PROGRESS) {
		control_answer(client, "progress",
			       export_json_progress(export));
	} else if (event == EXPORT_EVENT_RETRIED) {
		control_wait_done(client);
		if (why)
			control_error(client, "failed", why);
		else
			answer_export(client, export);
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
		client->watch.event = retry_event;
		control_wait(client, export);
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
	{ "export-add",		command_add },
	{ "export-remove",	command_remove },
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
