// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export retry: has the daemon of this host write an export back again,
 * after its file or block device refused something.
 */
#include "command.h"
#include "daemon.h"
#include "export_name.h"

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static enum rbdctl_exit retry_run(int argc, char **argv)
{
	enum rbdctl_exit code = export_name_check(argv[0]);

	(void)argc;
	if (code)
		return code;
	return daemon_run(daemon_request_for("export-retry", argv[0]));
}

const struct command command_export_retry = {
	.name		= "retry",
	.arguments	= "NAME [OPTION]...",
	.summary	= "Write an export back again after an error",
	.details	= "Flushes fail after an error until this succeeds. A file that was cut short is\n"
		  "given its size again, and written as a whole",
	.options	= options,
	.min_args	= 1,
	.max_args	= 1,
	.run		= retry_run,
};
