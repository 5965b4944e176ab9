// SPDX-License-Identifier: GPL-2.0
/*
 * Options of a command. See option.h.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macros.h"
#include "option.h"
#include "report.h"
#include "size.h"
#include "suggest.h"

static const char *output;	/* value of -o */

static const struct option_def common[] = {
	{ "output", "FORMAT", "text (default) or json", OPTION_TEXT, &output,
	  0, 0 },
	{ "help", NULL, "show this help", OPTION_FLAG, NULL, 0, 0 },
	OPTIONS_END,
};

/* Letters mean the same with every command that has the option. */
static char letter_of(const char *name)
{
	static const char *const names[] = { "help", "output", "verbose" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return names[i][0];
	return '\0';
}

/**
 * struct parser - the options of a command, as getopt_long() wants them
 * @defs: the table's entries, then the common ones
 * @names: their names, for suggestions
 * @longs: for getopt_long(); @val is the index + 256
 * @shorts: the letters of those that have one, likewise
 * @count: how many
 */
struct parser {
	const struct option_def *defs[OPTION_MAX];
	const char *names[OPTION_MAX];
	struct option longs[OPTION_MAX + 1];
	char shorts[2 + 2 * OPTION_MAX + 1];
	size_t count;
};

#define LONG_BASE 256	/* above every character */

static void add_letter(struct parser *parser, const struct option_def *def)
{
	char letter = letter_of(def->name), text[3] = { letter, ':', '\0' };

	if (!letter)
		return;
	text[1] = def->arg ? ':' : '\0';
	strcat(parser->shorts, text);
}

/* The option of a letter. */
static const struct option_def *by_letter(const struct parser *parser, int letter)
{
	size_t i;

	for (i = 0; i < parser->count; i++)
		if (letter_of(parser->names[i]) == letter)
			return parser->defs[i];
	return NULL;
}

static void parser_add(struct parser *parser, const struct option_def *defs)
{
	for (; defs && defs->name && parser->count < OPTION_MAX; defs++) {
		parser->defs[parser->count] = defs;
		parser->names[parser->count] = defs->name;
		parser->longs[parser->count] = (struct option){
			.name = defs->name,
			.has_arg = defs->arg ? required_argument : no_argument,
			.val = LONG_BASE + (int)parser->count,
		};
		parser->count++;
		add_letter(parser, defs);
	}
}

static enum rbdctl_exit parse_number(const struct option_def *def,
				     const char *text)
{
	char *end;
	long long number;

	errno = 0;
	/* The table says that it has a value. NOLINTNEXTLINE */
	number = strtoll(text, &end, 10);
	if (*text < '0' || *text > '9' || errno || *end ||
	    number < def->min || number > def->max)
		return fail(EXIT_USAGE,
			    "--%s takes a number from %" PRId64 " to %" PRId64 ", not %s",
			    def->name, def->min, def->max, quote(text));
	*(int64_t *)def->value = number;
	return EXIT_OK;
}

static enum rbdctl_exit parse_size(const struct option_def *def,
				   const char *text)
{
	char min[SIZE_TEXT_MAX], max[SIZE_TEXT_MAX];
	uint64_t size;
	int err = size_parse(text, &size);

	if (err == -EINVAL)
		return fail(EXIT_USAGE,
			    "--%s takes a size such as 4096, 16M or 2T, not %s",
			    def->name, quote(text));
	if (err || size < (uint64_t)def->min || size > (uint64_t)def->max)
		return fail(EXIT_USAGE, "--%s takes a size from %s to %s, not %s",
			    def->name, size_text((uint64_t)def->min, min),
			    size_text((uint64_t)def->max, max), quote(text));
	*(int64_t *)def->value = (int64_t)size;
	return EXIT_OK;
}

static enum rbdctl_exit parse_value(const struct option_def *def,
				    const char *text, bool *help)
{
	switch (def->kind) {
	case OPTION_FLAG:
		/* Only --help is without, and not in a list. NOLINTNEXTLINE */
		*(bool *)(def->value ? def->value : help) = true;
		return EXIT_OK;
	case OPTION_TEXT:
		*(const char **)def->value = text;
		return EXIT_OK;
	case OPTION_NUMBER:
		return parse_number(def, text);
	case OPTION_SIZE:
		return parse_size(def, text);
	}
	return EXIT_FAILED;
}

/* getopt_long() reports several faults as '?'. */
static enum rbdctl_exit bad_option(const struct parser *parser,
				   const char *word)
{
	const char *near;
	char name[64];

	if (optopt >= LONG_BASE)
		return fail(EXIT_USAGE, "option '--%s' takes no value",
			    parser->names[optopt - LONG_BASE]);
	if (optopt)
		return fail(EXIT_USAGE, "unknown option '-%c'; see --help",
			    optopt);

	snprintf(name, sizeof(name), "%.*s",
		 (int)strcspn(word + 2, "="), word + 2);
	near = suggest(name, parser->names, parser->count);
	if (near)
		return fail(EXIT_USAGE,
			    "unknown option %s; did you mean '--%s'?",
			    quote(word), near);
	return fail(EXIT_USAGE, "unknown option %s; see --help", quote(word));
}

static enum rbdctl_exit missing_value(const struct parser *parser)
{
	const struct option_def *def;

	if (optopt < LONG_BASE)
		return fail(EXIT_USAGE, "option '-%c' needs a value", optopt);
	def = parser->defs[optopt - LONG_BASE];
	return fail(EXIT_USAGE, "option '--%s' needs a value: %s",
		    def->name, def->arg);
}

static enum rbdctl_exit set_output(void)
{
	if (!output)
		return EXIT_OK;
	if (strcmp(output, "json") && strcmp(output, "text"))
		return fail(EXIT_USAGE, "--output takes text or json, not %s",
			    quote(output));
	report_json = !strcmp(output, "json");
	return EXIT_OK;
}

static enum rbdctl_exit take_option(const struct parser *parser, int found,
				    const char *word, bool *help)
{
	switch (found) {
	case '?':
		return bad_option(parser, word);
	case ':':
		return missing_value(parser);
	default:
		return parse_value(found < LONG_BASE ?
				   by_letter(parser, found) :
				   parser->defs[found - LONG_BASE], optarg,
				   help);
	}
}

/**
 * options_parse() - take the options out of a command line
 * @options: the command's own, or NULL
 * @argc: number of words, that of the command included; set to the number of
 *        those left
 * @argv: the words; set to those that are no options
 * @stop: end at the first word that is no option
 * @help: set to true when --help was given
 *
 * Return: EXIT_OK, or EXIT_USAGE after the fault was printed.
 */
enum rbdctl_exit options_parse(const struct option_def *options, bool stop,
			       int *argc, char ***argv, bool *help)
{
	struct parser parser = { .shorts = "+:" };
	enum rbdctl_exit code;
	int found;

	parser_add(&parser, options);
	parser_add(&parser, common);
	opterr = 0;
	optind = 0;	/* start anew, also with the order of the words */

	while ((found = getopt_long(*argc, *argv, parser.shorts + !stop,
				    parser.longs, NULL)) != -1) {
		code = take_option(&parser, found, (*argv)[optind - 1], help);
		if (code)
			return code;
	}
	*argc -= optind;
	*argv += optind;
	return set_output();
}

static enum rbdctl_exit parse_item(const struct parser *parser, char *item)
{
	char *value = strchr(item, '=');
	const struct option_def *def = NULL;
	const char *near;
	size_t i;

	if (value)
		*value++ = '\0';
	for (i = 0; i < parser->count; i++) {
		if (!strcmp(parser->names[i], item))
			def = parser->defs[i];
	}
	if (!def) {
		near = suggest(item, parser->names, parser->count);
		return near ? fail(EXIT_USAGE, "unknown option %s; did you mean '%s'?",
				   quote(item), near)
			    : fail(EXIT_USAGE, "unknown option %s", quote(item));
	}
	if (def->arg && !value)
		return fail(EXIT_USAGE, "option '%s' needs a value: %s",
			    def->name, def->arg);
	if (!def->arg && value)
		return fail(EXIT_USAGE, "option '%s' takes no value",
			    def->name);
	return parse_value(def, value, NULL);
}

/**
 * options_parse_list() - take options as a file has them
 * @options: the table
 * @list: "name,name=value"; its values stay valid as long as it does
 *
 * Return: EXIT_OK, or EXIT_USAGE after the fault was printed.
 */
enum rbdctl_exit options_parse_list(const struct option_def *options, char *list)
{
	struct parser parser = { 0 };
	enum rbdctl_exit code = EXIT_OK;
	char *item, *rest = NULL;

	parser_add(&parser, options);
	for (item = strtok_r(list, ",", &rest); item && !code;
	     item = strtok_r(NULL, ",", &rest))
		code = parse_item(&parser, item);
	return code;
}

static void print_option(const struct option_def *def, FILE *to)
{
	char left[40] = "", letter = letter_of(def->name);

	if (!def->help)
		return;
	if (letter)
		snprintf(left, sizeof(left), "-%c, ", letter);
	snprintf(left + strlen(left), sizeof(left) - strlen(left), "--%s%s%s",
		 def->name, def->arg ? " " : "", def->arg ? def->arg : "");
	fprintf(to, "  %-30s %s\n", left, def->help);
}

/**
 * options_help() - print the options of a command
 * @options: the command's own, or NULL
 * @to: where to
 */
void options_help(const struct option_def *options, FILE *to)
{
	fputs("\nOptions:\n", to);
	for (; options && options->name; options++)
		print_option(options, to);
	for (options = common; options->name; options++)
		print_option(options, to);
}
