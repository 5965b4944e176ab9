// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl key add: gives a key to the kernel of this host.
 *
 * It comes from a file that nobody else can read, or from standard input, never from
 * the command line, which everybody can see.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "command.h"
#include "kernel_key.h"
#include "keyfile.h"
#include "report.h"

static const char *file;

static const struct option_def options[] = {
	{ "file", "FILE", "read it from FILE instead of standard input",
	  OPTION_TEXT, &file, 0, 0 },
	OPTIONS_END,
};

/**
 * struct wanted - a key that is being looked for
 * @name: its name
 * @secret: what the file has last under that name
 */
struct wanted {
	const char *name;
	struct secret secret;
};

static int take(void *data, const char *name, const struct secret *secret,
		struct reason *why)
{
	struct wanted *wanted = data;

	(void)why;
	if (!strcmp(name, wanted->name))
		wanted->secret = *secret;
	return 0;
}

static enum rbdctl_exit read_key(struct wanted *wanted)
{
	CLEANUP_CLOSE int fd = -1;
	const char *path = file ? file : "standard input";
	struct reason why;
	int err;

	if (!file && isatty(STDIN_FILENO)) {
		fail(EXIT_USAGE, "no key was given");
		remedy("use --file FILE, or send a line NAME:KEY to standard input");
		return EXIT_USAGE;
	}
	fd = file ? keyfile_open(file, true, &why) : dup(STDIN_FILENO);
	if (fd < 0)
		return fail_reason(exit_for_errno(fd), &why);
	err = keyfile_read(fd, path, take, wanted, &why);
	if (err)
		return fail_reason(EXIT_FAILED, &why);
	if (wanted->secret.len)
		return EXIT_OK;
	fail(EXIT_NOT_FOUND, "%s has no line for %s", path,
	     quote(wanted->name));
	remedy("the line is NAME:KEY, as 'rbdctl key generate' makes it");
	return EXIT_NOT_FOUND;
}

static enum rbdctl_exit add_run(int argc, char **argv)
{
	struct wanted wanted = { .name = argv[0] };
	enum rbdctl_exit code = key_name_check(argv[0]);
	int err = 0;

	(void)argc;
	secret_no_core();
	if (!code)
		code = read_key(&wanted);
	if (!code)
		err = kernel_key_add(argv[0], &wanted.secret);
	secret_wipe(&wanted.secret);
	if (err)
		fail(code = EXIT_FAILED, "the kernel does not take the key: %s",
		     strerror(-err));
	return code;
}

const struct command command_key_add = {
	.name		= "add",
	.arguments	= "NAME [OPTION]...",
	.summary	= "Give this host's kernel a key, or a new one",
	.details	= "Reads lines NAME:KEY and takes the last one for NAME. Attached devices use a\n"
		  "new key from their next connect on",
	.options	= options,
	.min_args	= 1,
	.max_args	= 1,
	.run		= add_run,
};
