// SPDX-License-Identifier: GPL-2.0
/*
 * Reader of /etc/rdmablk/rbdtab. See rbdtab.h, and rbdtab(5) for the format.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "device_word.h"
#include "export_name.h"
#include "rbdtab.h"
#include "report.h"
#include "suggest.h"

#define BLANKS " \t\r\n"

static enum rbdctl_exit bad_line(const struct rbdtab *tab, unsigned int line,
				 const char *what, const char *word)
{
	fail(EXIT_USAGE, "%s:%u: %s: %s", tab->path, line, what, quote(word));
	remedy("a line is NAME TARGET EXPORT [OPTION[,OPTION]...], see rbdtab(5)");
	return EXIT_USAGE;
}

static const struct rbdtab_entry *lookup(const struct rbdtab *tab,
					 const char *name)
{
	size_t i;

	for (i = 0; i < tab->count; i++) {
		if (!strcmp(tab->entries[i].name, name))
			return &tab->entries[i];
	}
	return NULL;
}

static enum rbdctl_exit check_entry(const struct rbdtab *tab,
				    const struct rbdtab_entry *entry)
{
	const struct rbdtab_entry *other = lookup(tab, entry->name);
	enum rbdctl_exit code;
	uint32_t index;

	/* It becomes a unit's name, and is told from devices by what it is. */
	if (!device_index(entry->name, &index))
		return bad_line(tab, entry->line, "a name of a device cannot be used",
				entry->name);
	if (other)
		return bad_line(tab, entry->line, "there is an entry before of the name",
				entry->name);
	code = export_name_check(entry->name);
	if (!code)
		code = export_name_check(entry->export);
	if (code)
		remedy("in line %u of %s", entry->line, tab->path);
	return code;
}

/* Takes @text over. */
static enum rbdctl_exit parse_line(const struct rbdtab *tab, char *text,
				   struct rbdtab_entry *entry)
{
	static char none[] = "";
	char *rest = NULL, *extra;

	entry->text = text;
	entry->name = strtok_r(text, BLANKS, &rest);
	entry->target = strtok_r(NULL, BLANKS, &rest);
	entry->export = strtok_r(NULL, BLANKS, &rest);
	entry->options = strtok_r(NULL, BLANKS, &rest);
	extra = strtok_r(NULL, BLANKS, &rest);
	if (!entry->export)
		return bad_line(tab, entry->line, "something is missing after",
				entry->target ? entry->target : entry->name);
	if (extra && *extra != '#')
		return bad_line(tab, entry->line, "there is a word too many", extra);
	if (!entry->options || *entry->options == '#')
		entry->options = none;
	return check_entry(tab, entry);
}

static enum rbdctl_exit add_line(struct rbdtab *tab, const char *line,
				 unsigned int number)
{
	struct rbdtab_entry entry = { .line = number };
	struct rbdtab_entry *entries;
	enum rbdctl_exit code;
	char *text;

	line += strspn(line, BLANKS);
	if (!*line || *line == '#')
		return EXIT_OK;
	entries = reallocarray(tab->entries, tab->count + 1, sizeof(*entries));
	if (!entries)
		return fail(EXIT_FAILED, "out of memory");
	tab->entries = entries;
	text = strdup(line);
	if (!text)
		return fail(EXIT_FAILED, "out of memory");
	code = parse_line(tab, text, &entry);
	entries[tab->count++] = entry;
	return code;
}

/**
 * rbdtab_read() - read a table of devices
 * @tab: filled in; released with rbdtab_free(), also after a failure
 * @path: the file; must stay valid as long as @tab
 *
 * Return: EXIT_OK, or how to exit after the first mistake was printed.
 */
enum rbdctl_exit rbdtab_read(struct rbdtab *tab, const char *path)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");
	CLEANUP_FREE char *line = NULL;
	enum rbdctl_exit code = EXIT_OK;
	unsigned int number = 0;
	size_t size = 0;

	*tab = (struct rbdtab){ .path = path };
	if (!file)
		return fail(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_FAILED,
			    "cannot read %s: %m", path);
	while (!code && getline(&line, &size, file) >= 0)
		code = add_line(tab, line, ++number);
	if (!code && ferror(file))
		code = fail(EXIT_FAILED, "cannot read %s: %m", path);
	return code;
}

/**
 * rbdtab_find() - which entry is meant?
 * @tab: the table
 * @name: what the user typed
 * @entry: set to the entry
 *
 * Return: EXIT_OK, or EXIT_NOT_FOUND after that was printed.
 */
enum rbdctl_exit rbdtab_find(const struct rbdtab *tab, const char *name,
			     const struct rbdtab_entry **entry)
{
	CLEANUP_FREE const char **names = NULL;
	const char *near = NULL;
	size_t i;

	*entry = lookup(tab, name);
	if (*entry)
		return EXIT_OK;
	names = calloc(tab->count + 1, sizeof(*names));
	for (i = 0; names && i < tab->count; i++)
		names[i] = tab->entries[i].name;
	if (names)
		near = suggest(name, names, tab->count);
	fail(EXIT_NOT_FOUND, "%s has no entry %s", tab->path, quote(name));
	if (near)
		remedy("did you mean '%s'?", near);
	return EXIT_NOT_FOUND;
}

/**
 * rbdtab_free() - release what a table holds
 * @tab: the table, perhaps read in part
 */
void rbdtab_free(struct rbdtab *tab)
{
	size_t i;

	for (i = 0; i < tab->count; i++)
		free(tab->entries[i].text);
	free(tab->entries);
	tab->entries = NULL;
	tab->count = 0;
}
