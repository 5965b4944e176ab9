// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export list: what the daemon of this host offers, one export a line.
 */
#include <stdio.h>

#include "cleanup.h"
#include "command.h"
#include "daemon.h"
#include "json.h"
#include "report.h"
#include "size.h"
#include "table.h"

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static void add_row(struct table *table, struct json_object *export)
{
	char size[SIZE_TEXT_MAX];
	const char *const cells[] = {
		json_text(export, "name"),
		size_text(json_number(export, "size"), size),
		json_text(export, "store"),
		json_flag(export, "read_only") ? "ro" : "rw",
		json_text(export, "state"),
		json_text(export, "clients"),
	};

	table_row(table, cells);
}

static void print_table(struct json_object *exports)
{
	static const char *const headings[] = {
		"NAME", "SIZE", "STORE", "MODE", "STATE", "CLIENTS",
	};

	table_print_list(headings, ARRAY_SIZE(headings), exports, add_row);
}

static enum rbdctl_exit list_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *result = NULL;
	struct json_object *exports;
	enum rbdctl_exit code;

	(void)argc;
	(void)argv;
	code = daemon_call(daemon_request("export-list"), &result);
	if (code)
		return code;
	if (!json_object_object_get_ex(result, "exports", &exports) ||
	    !json_object_is_type(exports, json_type_array))
		return fail(EXIT_FAILED, "the daemon's list of exports makes no sense");
	if (report_json)
		print_json(exports);
	else
		print_table(exports);
	return EXIT_OK;
}

const struct command command_export_list = {
	.name		= "list",
	.arguments	= "[OPTION]...",
	.summary	= "List the exports",
	.options	= options,
	.run		= list_run,
};
