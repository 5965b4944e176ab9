// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export stats: what the daemon of this host has done since it started. The
 * same figures as it serves as metrics.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "brief.h"
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

/* Reasons are the words of programs: no_export. */
static void print_refusals(struct json_object *refusals)
{
	bool any = false;

	json_object_object_foreach(refusals, reason, count) {
		if (!json_object_get_uint64(count))
			continue;
		printf("%s%" PRIu64 " ", any ? ", " : "refused: ",
		       json_object_get_uint64(count));
		for (; *reason; reason++)
			putchar(*reason == '_' ? ' ' : *reason);
		any = true;
	}
	puts(any ? "" : "nothing was refused");
}

/* Exports without a backing lack most of these. */
static const char *size_cell(struct json_object *export, const char *key,
			     char buf[static SIZE_TEXT_MAX])
{
	if (!json_object_object_get(export, key))
		return "-";
	return size_text(json_number(export, key), buf);
}

static const char *time_cell(struct json_object *flushes, const char *key,
			     char buf[static BRIEF_MAX])
{
	if (!json_object_object_get(flushes, key))
		return "-";
	return brief_time(json_number(flushes, key) * 1000, buf);
}

static void add_row(struct table *table, struct json_object *export)
{
	struct json_object *flushes = json_object_object_get(export, "flushes");
	char clients[24], dirty[SIZE_TEXT_MAX], written[SIZE_TEXT_MAX];
	char mean[BRIEF_MAX], p99[BRIEF_MAX];
	const char *const cells[] = {
		json_text(export, "name"), clients,
		size_cell(export, "dirty_bytes", dirty),
		size_cell(export, "written_bytes", written),
		flushes ? json_text(flushes, "count") : "-",
		time_cell(flushes, "mean_us", mean),
		time_cell(flushes, "p99_us", p99),
		!flushes ? "-" : json_number(export, "failed") ? "fails" :
		json_text(export, "failures"),
	};

	snprintf(clients, sizeof(clients), "%" PRIu64,
		 json_number(export, "writers") + json_number(export, "readers"));
	table_row(table, cells);
}

static void print_table(struct json_object *exports)
{
	static const char *const headings[] = {
		"NAME", "CLIENTS", "DIRTY", "WRITTEN", "FLUSHES", "MEAN", "P99",
		"FAILURES",
	};

	table_print_list(headings, ARRAY_SIZE(headings), exports, add_row);
}

static enum rbdctl_exit stats_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *result = NULL;
	struct json_object *exports, *refusals;
	enum rbdctl_exit code;

	(void)argc;
	(void)argv;
	code = daemon_call(daemon_request("stats"), &result);
	if (code)
		return code;
	if (!json_object_object_get_ex(result, "exports", &exports) ||
	    !json_object_is_type(exports, json_type_array) ||
	    !json_object_object_get_ex(result, "refusals", &refusals))
		return fail(EXIT_FAILED, "the daemon's figures make no sense");
	if (report_json) {
		print_json(result);
		return EXIT_OK;
	}
	printf("sessions: %" PRIu64 ", %" PRIu64 " of them without an export; %"
	       PRIu64 " since the start\n", json_number(result, "sessions"),
	       json_number(result, "half_open_sessions"),
	       json_number(result, "opened_sessions"));
	print_refusals(refusals);
	print_table(exports);
	return EXIT_OK;
}

const struct command command_export_stats = {
	.name		= "stats",
	.arguments	= "[OPTION]...",
	.summary	= "Show what the daemon has done since it started",
	.options	= options,
	.run		= stats_run,
};
