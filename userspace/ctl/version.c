// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl version: of the tool, of the module and of the daemon, which may
 * differ: they are updated at different times.
 */
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "command.h"
#include "daemon.h"
#include "report.h"
#include "uapi/rdmablk_genl.h"
#include "uapi/rdmablk_proto.h"
#include "version.h"

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static const char *module_version(char *text, size_t size)
{
	CLEANUP_FILE FILE *file = fopen("/sys/module/rdmablk/version", "re");

	if (!file || !fgets(text, (int)size, file))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static struct json_object *text_or_null(const char *text)
{
	return text ? json_object_new_string(text) : NULL;
}

static void print_versions(const char *module, const char *daemon)
{
	printf("rbdctl    %s\n", RDMABLK_VERSION);
	printf("module    %s\n", module ? module : "not loaded");
	printf("rdmablkd  %s\n", daemon ? daemon : "not running");
	printf("protocol  %d to %d\n", RDMABLK_VERSION_MIN,
	       RDMABLK_VERSION_MAX);
	printf("netlink   %d\n", RDMABLK_GENL_VERSION);
}

static void print_versions_json(const char *module, const char *daemon)
{
	CLEANUP_JSON struct json_object *json = json_object_new_object();

	json_object_object_add(json, "rbdctl", text_or_null(RDMABLK_VERSION));
	json_object_object_add(json, "module", text_or_null(module));
	json_object_object_add(json, "rdmablkd", text_or_null(daemon));
	json_object_object_add(json, "protocol_min",
			       json_object_new_int(RDMABLK_VERSION_MIN));
	json_object_object_add(json, "protocol_max",
			       json_object_new_int(RDMABLK_VERSION_MAX));
	json_object_object_add(json, "netlink",
			       json_object_new_int(RDMABLK_GENL_VERSION));
	print_json(json);
}

static enum rbdctl_exit version_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *result = NULL;
	const char *module, *daemon = NULL;
	char text[64];

	(void)argc;
	(void)argv;
	module = module_version(text, sizeof(text));
	if (!daemon_ask(daemon_request("version"), &result))
		daemon = json_object_get_string(
			json_object_object_get(result, "version"));
	if (report_json)
		print_versions_json(module, daemon);
	else
		print_versions(module, daemon);
	return EXIT_OK;
}

const struct command command_version = {
	.name		= "version",
	.arguments	= "[OPTION]...",
	.summary	= "Show the versions of tool, module and daemon",
	.options	= options,
	.run		= version_run,
};
