// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the command that was typed, takes its options, runs it, and shows
 * help. See command.h.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "report.h"
#include "suggest.h"

static enum rbdctl_exit show_help(const struct command *command,
				  const char *path, FILE *to)
{
	const struct command *const *sub;

	if (command->details && command->commands)
		fprintf(to, "%s\n\n", command->details);
	fprintf(to, "Usage: %s %s\n", path, command->arguments);
	if (command->commands) {
		fputs("\nCommands:\n", to);
		for (sub = command->commands; *sub; sub++)
			fprintf(to, "  %-10s %s\n", (*sub)->name,
				(*sub)->summary);
	} else {
		fprintf(to, "\n%s%s%s.\n", command->summary,
			command->details ? ".\n" : "",
			command->details ? command->details : "");
	}
	options_help(command->options, to);
	return EXIT_OK;
}

static enum rbdctl_exit unknown_command(const struct command *group,
					const char *path, const char *word)
{
	const char *names[COMMAND_MAX];
	const char *near;
	size_t count;

	for (count = 0; group->commands[count]; count++)
		names[count] = group->commands[count]->name;
	near = suggest(word, names, count);
	if (near)
		fail(EXIT_USAGE, "unknown command %s; did you mean '%s %s'?",
		     quote(word), path, near);
	else
		fail(EXIT_USAGE, "unknown command %s", quote(word));
	remedy("'%s --help' lists the commands", path);
	return EXIT_USAGE;
}

static enum rbdctl_exit run_group(const struct command *group,
				  const char *path, int argc, char **argv)
{
	const struct command *const *sub;
	char longer[64];

	if (group->answer && group->answer())
		return EXIT_OK;
	if (!argc) {
		show_help(group, path, stderr);
		return EXIT_USAGE;
	}
	for (sub = group->commands; *sub; sub++) {
		if (strcmp((*sub)->name, argv[0]))
			continue;
		snprintf(longer, sizeof(longer), "%s %s", path, argv[0]);
		return command_main(*sub, longer, argc, argv);
	}
	return unknown_command(group, path, argv[0]);
}

/**
 * command_main() - do what a command line says
 * @command: what its first word was found to mean
 * @path: the words that led here
 * @argc: number of words, that of @command included
 * @argv: the words
 *
 * Return: how to exit.
 */
enum rbdctl_exit command_main(const struct command *command,
			      const char *path, int argc, char **argv)
{
	enum rbdctl_exit code;
	bool help = false;

	code = options_parse(command->options, command->commands != NULL,
			     &argc, &argv, &help);
	if (code)
		return code;
	if (help)
		return show_help(command, path, stdout);
	if (command->commands)
		return run_group(command, path, argc, argv);

	if (argc < command->min_args || argc > command->max_args) {
		fail(EXIT_USAGE, argc < command->min_args ?
		     "an argument is missing" : "there is an argument too many");
		remedy("usage: %s %s", path, command->arguments);
		return EXIT_USAGE;
	}
	return command->run(argc, argv);
}
