// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl: attaches block devices whose bytes live in another machine's memory,
 * and tells the daemon there what to offer.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "report.h"
#include "version.h"

static const struct command command_help;

static const struct command *const commands[] = {
	&command_attach,
	&command_detach,
	&command_list,
	&command_show,
	&command_set,
	&command_stats,
	&command_top,
	&command_monitor,
	&command_doctor,
	&command_report,
	&command_key,
	&command_export,
	&command_version,
	&command_help,
	NULL,
};

#define HELP_WORDS	2	/* a group and a command of it */

static bool version;

static const struct option_def options[] = {
	{ "version", NULL, "show the version of rbdctl", OPTION_FLAG,
	  &version, 0, 0 },
	OPTIONS_END,
};

static bool answer(void)
{
	if (version)
		puts("rbdctl " RDMABLK_VERSION);
	return version;
}

static const struct command rbdctl = {
	.name		= "rbdctl",
	.arguments	= "COMMAND [ARGUMENT]... [OPTION]...",
	.summary	= "Attach block devices over RDMA",
	.details	= "rbdctl manages rdmablk block devices. It is not Ceph's rbd.",
	.options	= options,
	.commands	= commands,
	.answer		= answer,
};

/* As if the words were followed by --help. */
static enum rbdctl_exit help_run(int argc, char **argv)
{
	static char first[] = "rbdctl", last[] = "--help";
	char *words[HELP_WORDS + 3] = { first };	/* ends with NULL */

	memcpy(&words[1], argv, (size_t)argc * sizeof(*argv));
	words[argc + 1] = last;
	return command_main(&rbdctl, first, argc + 2, words);
}

static const struct command command_help = {
	.name		= "help",
	.arguments	= "[COMMAND [COMMAND]] [OPTION]...",
	.summary	= "Show what COMMAND --help shows",
	.max_args	= HELP_WORDS,
	.run		= help_run,
};

int main(int argc, char **argv)
{
	enum rbdctl_exit code;

	code = command_main(&rbdctl, "rbdctl", argc, argv);
	/* A result that did not get through is no result. */
	if (fflush(stdout) || ferror(stdout)) {
		fail(EXIT_FAILED, "cannot write to standard output: %m");
		return code ? code : EXIT_FAILED;
	}
	return code;
}
