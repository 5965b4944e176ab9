// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl key remove: takes a key from the kernel of this host.
 */
#include <errno.h>
#include <string.h>

#include "command.h"
#include "kernel_key.h"
#include "report.h"

static enum rbdctl_exit remove_run(int argc, char **argv)
{
	enum rbdctl_exit code = key_name_check(argv[0]);
	int err;

	(void)argc;
	if (code)
		return code;
	err = kernel_key_remove(argv[0]);
	if (err == -ENOKEY) {
		fail(EXIT_NOT_FOUND, "this host's kernel has no key %s",
		     quote(argv[0]));
		remedy("'rbdctl key list' shows those that there are");
		return EXIT_NOT_FOUND;
	}
	return err ? fail(EXIT_FAILED, "cannot remove the key: %s",
			  strerror(-err)) : EXIT_OK;
}

const struct command command_key_remove = {
	.name		= "remove",
	.arguments	= "NAME",
	.summary	= "Take a key from this host's kernel",
	.details	= "Devices that were attached with it keep it until they are detached",
	.min_args	= 1,
	.max_args	= 1,
	.run		= remove_run,
};
