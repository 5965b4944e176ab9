// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export: the group of the commands that tell the daemon of this host
 * what to offer.
 */
#include <stddef.h>

#include "command.h"

static const struct command *const commands[] = {
	&command_export_add,
	&command_export_list,
	&command_export_show,
	&command_export_stats,
	&command_export_allow,
	&command_export_remove,
	&command_export_retry,
	&command_export_resize,
	NULL,
};

const struct command command_export = {
	.name		= "export",
	.arguments	= "COMMAND [ARGUMENT]... [OPTION]...",
	.summary	= "Manage what the rdmablkd of this host offers",
	.commands	= commands,
};
