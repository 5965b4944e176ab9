// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export remove: has the daemon of this host stop offering an export.
 */
#include "command.h"
#include "daemon.h"
#include "export_name.h"

static struct {
	bool force;
} opts;

static const struct option_def options[] = {
	{ "force", NULL, "also while in use, or not written back",
	  OPTION_FLAG, &opts.force, 0, 0 },
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static enum rbdctl_exit remove_run(int argc, char **argv)
{
	enum rbdctl_exit code = export_name_check(argv[0]);
	struct json_object *request;

	(void)argc;
	if (code)
		return code;
	request = daemon_request_for("export-remove", argv[0]);
	json_object_object_add(request, "force",
			       json_object_new_boolean(opts.force));
	return daemon_run(request);
}

const struct command command_export_remove = {
	.name		= "remove",
	.arguments	= "NAME [OPTION]...",
	.summary	= "Stop offering an export",
	.details	= "An export with a backing is written back first. What a mem export has is gone;\n"
		  "the file of a shm export stays",
	.options	= options,
	.min_args	= 1,
	.max_args	= 1,
	.run		= remove_run,
};
