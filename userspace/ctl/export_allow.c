// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export allow: has the daemon of this host change who may open an export.
 */
#include <inttypes.h>

#include "cleanup.h"
#include "command.h"
#include "daemon.h"
#include "export_name.h"
#include "json.h"
#include "report.h"

#define RULES_MAX	64	/* as the daemon has it */

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static enum rbdctl_exit allow_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *result = NULL;
	struct json_object *request, *rules = json_object_new_array();
	enum rbdctl_exit code = export_name_check(argv[0]);
	int i;

	for (i = 1; i < argc; i++)
		json_object_array_add(rules, json_object_new_string(argv[i]));
	if (code) {
		json_object_put(rules);
		return code;
	}
	request = daemon_request_for("export-allow", argv[0]);
	json_object_object_add(request, "rules", rules);
	code = daemon_call(request, &result);
	if (code)
		return code;
	if (json_number(result, "ended"))
		note("%" PRIu64 " sessions were ended",
		     json_number(result, "ended"));
	if (json_flag(result, "configured")) {
		note("the next start takes the rules from the daemon's configuration");
		remedy("to keep these, write them there as 'allow = RULE...'");
	}
	if (report_json)
		print_json(result);
	return EXIT_OK;
}

const struct command command_export_allow = {
	.name		= "allow",
	.arguments	= "NAME RULE... [OPTION]...",
	.summary	= "Change who may open an export",
	.details	= "A rule is CLIENT[:ro|:rw][@ADDRESS[/BITS]], CLIENT the name of a key or 'any';\n"
		  "'none' admits nobody. The rules replace those that were there; clients that do\n"
		  "not pass them lose the export at once",
	.options	= options,
	.min_args	= 2,
	.max_args	= 1 + RULES_MAX,
	.run		= allow_run,
};
