/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of a command: a table gives their names, values, ranges and help.
 */
#ifndef RBDCTL_OPTION_H
#define RBDCTL_OPTION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "exits.h"

enum option_kind {
	OPTION_FLAG,	/* bool */
	OPTION_TEXT,	/* const char * */
	OPTION_NUMBER,	/* int64_t */
	OPTION_SIZE,	/* int64_t, in bytes; may be written with a unit */
};

/**
 * struct option_def - an option
 * @name: without the dashes; NULL ends a table: OPTIONS_END
 * @arg: name of the value, as help shows it; NULL for a flag
 * @help: what it does, short enough for one line of 80 columns; NULL: help does
 *        not show it, as the command only takes it to refuse it by name
 * @kind: what @value points to
 * @value: where the value goes; keeps its initial value when the option is
 *         not given
 * @min: lowest number or size
 * @max: highest
 */
struct option_def {
	const char *name;
	const char *arg;
	const char *help;
	enum option_kind kind;
	void *value;
	int64_t min;
	int64_t max;
};

#define OPTIONS_END	{ .name = NULL }
#define OPTION_MAX	24	/* options of a command, the common ones included */

enum rbdctl_exit options_parse(const struct option_def *options, bool stop,
			       int *argc, char ***argv, bool *help);
enum rbdctl_exit options_parse_list(const struct option_def *options,
				    char *list);
void options_help(const struct option_def *options, FILE *to);

#endif /* RBDCTL_OPTION_H */
