/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /etc/rdmablk/rbdtab: the devices that this host attaches when it boots, and
 * under which names an operator can attach and detach them.
 */
#ifndef RBDCTL_RBDTAB_H
#define RBDCTL_RBDTAB_H

#include <stddef.h>

#include "exits.h"

#define RBDTAB_FILE "/etc/rdmablk/rbdtab"

/**
 * struct rbdtab_entry - a line
 * @line: its number
 * @text: what the others point into
 * @name: by which it is known on this host
 * @target: the target
 * @export: name of the export
 * @options: of attach, separated by commas; empty: none
 */
struct rbdtab_entry {
	unsigned int line;
	char *text;
	char *name;
	char *target;
	char *export;
	char *options;
};

/**
 * struct rbdtab - what a file says
 * @path: of the file
 * @entries: in its order
 * @count: how many
 */
struct rbdtab {
	const char *path;
	struct rbdtab_entry *entries;
	size_t count;
};

enum rbdctl_exit rbdtab_read(struct rbdtab *tab, const char *path);
enum rbdctl_exit rbdtab_find(const struct rbdtab *tab, const char *name,
			     const struct rbdtab_entry **entry);
void rbdtab_free(struct rbdtab *tab);

#endif /* RBDCTL_RBDTAB_H */
