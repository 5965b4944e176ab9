// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export show: all that the daemon of this host knows of an export, and
 * who uses it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cleanup.h"
#include "command.h"
#include "daemon.h"
#include "durability.h"
#include "export_name.h"
#include "json.h"
#include "report.h"
#include "row.h"
#include "scope.h"
#include "size.h"
#include "uapi/rdmablk_proto.h"

#define DATE_TEXT_MAX	64

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static void show_bytes(const char *name, struct json_object *export,
		       const char *key)
{
	uint64_t bytes = json_number(export, key);
	char text[SIZE_TEXT_MAX];

	row(name, "%s (%" PRIu64 " bytes)", size_text(bytes, text), bytes);
}

static const char *date_text(struct json_object *object, const char *key,
			     char buf[static DATE_TEXT_MAX])
{
	time_t when = (time_t)json_number(object, key);
	struct tm tm;

	if (!localtime_r(&when, &tm) ||
	    !strftime(buf, DATE_TEXT_MAX, "%Y-%m-%d %H:%M:%S", &tm))
		snprintf(buf, DATE_TEXT_MAX, "?");
	return buf;
}

static void show_session(struct json_object *session)
{
	char since[DATE_TEXT_MAX];

	row(json_text(session, "host"), "%s, %s, since %s",
	    json_text(session, "address"),
	    strcmp(json_text(session, "access"), "rw") ? "read-only"
						       : "read and write",
	    date_text(session, "since", since));
	if (*json_text(session, "client"))
		row("", "authenticated with key %s %s",
		    json_text(session, "client"), json_text(session, "key"));
	else
		row("", "not authenticated");
	row("", "%" PRIu64 " of %" PRIu64 " data queues connected, on %s",
	    json_number(session, "queues_connected"),
	    json_number(session, "queues"), json_text(session, "device"));
	row("remote keys", "%s",
	    scope_text(json_text(session, "remote_keys")));
}

static void show_flushes(struct json_object *writeback)
{
	struct json_object *last = json_object_object_get(writeback,
							  "last_flush");
	char text[SIZE_TEXT_MAX];

	if (!last) {
		row("last flush", "none yet");
		return;
	}
	row("last flush", "%.1f s ago, took %.3f ms, wrote %s",
	    (double)json_number(last, "age_ms") / 1000,
	    (double)json_number(last, "duration_us") / 1000,
	    size_text(json_number(last, "bytes"), text));
	row("flushes", "%" PRIu64 ", of %s in all",
	    json_number(writeback, "flushes"),
	    size_text(json_number(writeback, "named"), text));
}

static void show_writeback(struct json_object *export)
{
	struct json_object *writeback = json_object_object_get(export,
							       "writeback");
	struct json_object *error = json_object_object_get(export, "error");
	char text[SIZE_TEXT_MAX], since[DATE_TEXT_MAX];

	if (!writeback)
		return;
	puts("  write cache");
	row("may be dirty", "up to %s",
	    size_text(json_number(writeback, "dirty_max"), text));
	show_flushes(writeback);
	row("written", "%s", size_text(json_number(writeback, "written"),
				       text));
	row("punched", "%s", size_text(json_number(writeback, "punched"),
				       text));
	if (!error) {
		row("error", "none");
		return;
	}
	row("flushes fail", "since %s: %s", date_text(error, "since", since),
	    json_text(error, "message"));
	if (*json_text(error, "hint"))
		row("", "%s", json_text(error, "hint"));
}

static void show_list(struct json_object *export, const char *key,
		      void (*show)(struct json_object *item))
{
	struct json_object *list = json_object_object_get(export, key);
	size_t i, count;

	count = json_object_is_type(list, json_type_array) ?
		json_object_array_length(list) : 0;
	for (i = 0; i < count; i++)
		show(json_object_array_get_idx(list, i));
	if (!count)
		puts("    none");
}

static void show_device(struct json_object *device)
{
	row("registered on", "%s", json_object_get_string(device));
}

static void show_resize(struct json_object *export)
{
	struct json_object *resize = json_object_object_get(export, "resize");
	char text[SIZE_TEXT_MAX];
	uint64_t total;

	if (!resize)
		return;
	total = json_number(resize, "total");
	row("is resized to", "%s, %.0f %% are done",
	    size_text(json_number(resize, "size"), text),
	    total ? (double)json_number(resize, "done") * 100 / total : 0);
}

static void show_rule(struct json_object *rule)
{
	row("may open it", "%s", json_object_get_string(rule));
}

static void show_rules(struct json_object *export)
{
	struct json_object *rules = json_object_object_get(export, "allow");

	if (!rules)
		row("may open it", "all clients that the daemon admits");
	else if (!json_object_array_length(rules))
		row("may open it", "nobody");
	else
		show_list(export, "allow", show_rule);
}

static void show(struct json_object *export)
{
	uint32_t durability =
		durability_number(json_text(export, "durability"));
	const char *path = json_text(export, "path");
	const char *staging = json_text(export, "staging");
	char text[SIZE_TEXT_MAX];

	printf("%s: %s\n", json_text(export, "name"),
	       json_text(export, "state"));
	puts("  export");
	show_bytes("size", export, "size");
	show_resize(export);
	row("block size", "%" PRIu64 " bytes",
	    json_number(export, "block_size"));
	row("access", "%s", json_flag(export, "read_only") ? "read-only" :
	    json_flag(export, "shared_read") ?
	    "one writer, and readers beside it" : "one writer, or readers");
	show_rules(export);
	puts("  contents");
	row("store", "%s%s%s", json_text(export, "store"), *path ? ", " : "",
	    path);
	row("generation", "%s", json_text(export, "generation"));
	row("instance", "%s", json_text(export, "instance"));
	row("writes survive", "%s", durability_survives(durability));
	row("FLUSH guarantees", "%s",
	    durability_flush(durability == RDMABLK_DURABLE));
	show_writeback(export);
	puts("  memory");
	if (*staging)
		row("staging", "%s", staging);
	show_bytes("pages of", export, "page_size");
	row("extents", "%" PRIu64 ", of up to %s",
	    json_number(export, "extents"),
	    size_text(json_number(export, "extent_size"), text));
	show_list(export, "devices", show_device);
	puts("  clients");
	show_list(export, "sessions", show_session);
}

static enum rbdctl_exit show_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *result = NULL;
	enum rbdctl_exit code = export_name_check(argv[0]);

	(void)argc;
	if (code)
		return code;
	code = daemon_call(daemon_request_for("export-show", argv[0]), &result);
	if (code)
		return code;
	if (report_json)
		print_json(result);
	else
		show(result);
	return EXIT_OK;
}

const struct command command_export_show = {
	.name		= "show",
	.arguments	= "NAME [OPTION]...",
	.summary	= "Show all that is known of an export, and who uses it",
	.options	= options,
	.min_args	= 1,
	.max_args	= 1,
	.run		= show_run,
};
