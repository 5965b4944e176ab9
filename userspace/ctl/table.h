/* SPDX-License-Identifier: GPL-2.0 */
/* Tables for people: columns as wide as they need to be, 80 characters in all. */
#ifndef RBDCTL_TABLE_H
#define RBDCTL_TABLE_H

#include <stddef.h>

struct json_object;

#define TABLE_COLUMNS	8
#define TABLE_WIDTH	80

/**
 * struct table - a table under construction
 * @columns: how many
 * @rows: how many, that of the headings included
 * @cells: @rows * @columns texts
 * @wide: column that is cut when the table gets too wide; the last one is cut
 *        when that does not suffice
 */
struct table {
	size_t columns;
	size_t rows;
	char **cells;
	size_t wide;
};

void table_row(struct table *table, const char *const *cells);
void table_print(const struct table *table);
void table_free(struct table *table);
void table_print_list(const char *const *headings, size_t columns,
		      struct json_object *list,
		      void (*add_row)(struct table *table,
				      struct json_object *item));

#endif /* RBDCTL_TABLE_H */
