// SPDX-License-Identifier: GPL-2.0
/*
 * Names of exports: refused here with words, before module or daemon refuse
 * them.
 */
#include <stdbool.h>
#include <string.h>

#include "export_name.h"
#include "proto.h"
#include "report.h"

static bool may_follow(char c)
{
	const char probe[2] = { 'a', c };

	return rdmablk_name_valid(probe, sizeof(probe));
}

static void explain_character(const char *name)
{
	const char *at = name;
	char bad[2] = { 0 };

	while (*at && may_follow(*at))
		at++;
	/* All may follow, so the first is one that may not begin. */
	bad[0] = *at ? *at : *name;
	if (bad[0] & 0x80)
		fail(EXIT_USAGE, "%s cannot be the name of an export: it contains a character that is not ASCII",
		     quote(name));
	else
		fail(EXIT_USAGE, "%s cannot be the name of an export: it %s %s",
		     quote(name), *at ? "contains" : "begins with", quote(bad));
}

/**
 * export_name_check() - may this be the name of an export?
 * @name: as the user typed it
 *
 * Return: EXIT_OK, or EXIT_USAGE after the fault was printed.
 */
enum rbdctl_exit export_name_check(const char *name)
{
	size_t len = strlen(name);

	if (!len) {
		fail(EXIT_USAGE, "the name of the export is empty");
	} else if (len >= RDMABLK_NAME_MAX) {
		fail(EXIT_USAGE, "the name of the export is %zu bytes long; %d is the most",
		     len, RDMABLK_NAME_MAX - 1);
	} else if (!rdmablk_name_valid(name, len)) {
		explain_character(name);
	} else {
		return EXIT_OK;
	}
	remedy("a name is made of letters, digits and ._:@+- and begins with a letter or a digit");
	return EXIT_USAGE;
}
