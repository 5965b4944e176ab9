// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl key: the group of the commands for the keys that clients and targets
 * authenticate each other with.
 */
#include <stddef.h>

#include "command.h"

static const struct command *const commands[] = {
	&command_key_generate,
	&command_key_add,
	&command_key_list,
	&command_key_remove,
	&command_key_reload,
	NULL,
};

const struct command command_key = {
	.name		= "key",
	.arguments	= "COMMAND [ARGUMENT]... [OPTION]...",
	.summary	= "Manage the keys of clients",
	.commands	= commands,
};
