// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl key reload: has the daemon of this host read its file of keys again.
 */
#include "command.h"
#include "daemon.h"

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static enum rbdctl_exit reload_run(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return daemon_run(daemon_request("key-reload"));
}

const struct command command_key_reload = {
	.name		= "reload",
	.arguments	= "[OPTION]...",
	.summary	= "Have the daemon of this host read its keys again",
	.details	= "Ends the sessions of those whose key is gone: clients that have another valid\n"
		  "key come back with it, the others lose their devices",
	.options	= options,
	.run		= reload_run,
};
