/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A command of rbdctl, or a group of commands: what its words mean and the
 * function that does it.
 */
#ifndef RBDCTL_COMMAND_H
#define RBDCTL_COMMAND_H

#include "exits.h"
#include "option.h"

/**
 * struct command - a command or a group
 * @name: as typed
 * @arguments: its arguments, as help shows them
 * @summary: one line
 * @details: more lines for its help; NULL: none
 * @options: its own, or NULL
 * @min_args: how many arguments it needs
 * @max_args: how many it takes
 * @run: does it; given the arguments without the options
 * @commands: of a group: ends with NULL; NULL otherwise
 * @answer: of a group, or NULL: does what its own options ask for; true when that
 *	    was all
 */
struct command {
	const char *name;
	const char *arguments;
	const char *summary;
	const char *details;
	const struct option_def *options;
	int min_args;
	int max_args;
	enum rbdctl_exit (*run)(int argc, char **argv);
	const struct command *const *commands;
	bool (*answer)(void);
};

#define COMMAND_MAX 16	/* commands of a group */

extern const struct command command_attach;
extern const struct command command_detach;
extern const struct command command_list;
extern const struct command command_show;
extern const struct command command_set;
extern const struct command command_stats;
extern const struct command command_top;
extern const struct command command_monitor;
extern const struct command command_doctor;
extern const struct command command_report;
extern const struct command command_version;
extern const struct command command_key;
extern const struct command command_key_generate;
extern const struct command command_key_add;
extern const struct command command_key_list;
extern const struct command command_key_remove;
extern const struct command command_key_reload;
extern const struct command command_export;
extern const struct command command_export_add;
extern const struct command command_export_list;
extern const struct command command_export_show;
extern const struct command command_export_stats;
extern const struct command command_export_allow;
extern const struct command command_export_remove;
extern const struct command command_export_retry;
extern const struct command command_export_resize;

enum rbdctl_exit command_main(const struct command *command,
			      const char *path, int argc, char **argv);

#endif /* RBDCTL_COMMAND_H */
