// SPDX-License-Identifier: GPL-2.0
/*
 * Tables for people. See table.h. Text that is cut ends in "..": programs read
 * JSON, where nothing is.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define GAP		2	/* between columns */
#define CUT_MIN		12	/* what is left of the wide column at least */

/**
 * table_row() - add a row
 * @table: the table
 * @cells: @table->columns texts, which are copied
 */
void table_row(struct table *table, const char *const *cells)
{
	size_t i, first = table->rows * table->columns;
	char **grown = reallocarray(table->cells, first + table->columns,
				    sizeof(*grown));

	if (!grown)
		abort();
	for (i = 0; i < table->columns; i++) {
		grown[first + i] = strdup(cells[i]);
		if (!grown[first + i])
			abort();
	}
	table->cells = grown;
	table->rows++;
}

/**
 * table_free() - release the rows
 * @table: the table
 */
void table_free(struct table *table)
{
	size_t i;

	for (i = 0; i < table->rows * table->columns; i++)
		free(table->cells[i]);
	free(table->cells);
	table->cells = NULL;
	table->rows = 0;
}

static size_t measure(const struct table *table, size_t *width)
{
	size_t row, column, total = 0;

	for (column = 0; column < table->columns; column++) {
		width[column] = 0;
		for (row = 0; row < table->rows; row++) {
			const char *cell =
				table->cells[row * table->columns + column];

			if (strlen(cell) > width[column])
				width[column] = strlen(cell);
		}
		total += width[column] + (column ? GAP : 0);
	}
	return total;
}

static size_t shrink(size_t *width, size_t excess, size_t least)
{
	size_t give = *width > least ? *width - least : 0;

	if (give > excess)
		give = excess;
	*width -= give;
	return excess - give;
}

static void print_cell(const char *text, size_t width, int last)
{
	size_t len = strlen(text);

	if (len > width)
		printf("%.*s..", (int)width - 2, text);
	else
		printf("%s", text);
	if (!last)
		printf("%*s", (int)(len < width ? width - len : 0) + GAP, "");
}

/**
 * table_print() - print a table on standard output
 * @table: the table
 */
void table_print(const struct table *table)
{
	size_t width[TABLE_COLUMNS], last = table->columns - 1, row, column;
	size_t total = measure(table, width);

	if (total > TABLE_WIDTH)
		shrink(&width[last], shrink(&width[table->wide],
					    total - TABLE_WIDTH, CUT_MIN),
		       CUT_MIN);
	for (row = 0; row < table->rows; row++) {
		for (column = 0; column <= last; column++)
			print_cell(table->cells[row * table->columns + column],
				   width[column], column == last);
		putchar('\n');
	}
}

/**
 * table_print_list() - print a list on standard output, an item a row
 * @headings: @columns texts, above the rows
 * @columns: how many; the first one is cut when the table gets too wide
 * @list: a JSON array
 * @add_row: adds the row of an item
 */
void table_print_list(const char *const *headings, size_t columns,
		      struct json_object *list,
		      void (*add_row)(struct table *table,
				      struct json_object *item))
{
	struct table table = { .columns = columns, .wide = 0 };
	size_t i, count = json_object_array_length(list);

	table_row(&table, headings);
	for (i = 0; i < count; i++)
		add_row(&table, json_object_array_get_idx(list, i));
	table_print(&table);
	table_free(&table);
}
