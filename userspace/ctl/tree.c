// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel tells in small files. See tree.h.
 */
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "tree.h"

static void path_make(char path[static PATH_MAX], const char *root,
		      const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static void path_make(char path[static PATH_MAX], const char *root,
		      const char *format, va_list args)
{
	int len = snprintf(path, PATH_MAX, "%s/", root);

	if (len < PATH_MAX)
		vsnprintf(path + len, (size_t)(PATH_MAX - len), format, args);
}

/* Leaves the path that the arguments make in @path. */
#define PATH_OF(path, root, format)					\
	do {								\
		va_list args_;						\
									\
		va_start(args_, format);				\
		path_make(path, root, format, args_);			\
		va_end(args_);						\
	} while (0)

/**
 * tree_exists() - is there such a file?
 * @root: where the tree is; empty: the host's own
 * @format: path below it
 *
 * Return: true if there is, of any kind.
 */
bool tree_exists(const char *root, const char *format, ...)
{
	char path[PATH_MAX];

	PATH_OF(path, root, format);
	return !access(path, F_OK);
}

static bool first_line(const char *path, char *text, size_t size)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");

	if (!file || !fgets(text, (int)size, file))
		return false;
	text[strcspn(text, "\n")] = '\0';
	return true;
}

/**
 * tree_line() - read the first line of a file
 * @root: where the tree is
 * @text: set to it, without the newline, cut if need be
 * @size: of @text, bytes
 * @format: path below @root
 *
 * Return: false when there is none.
 */
bool tree_line(const char *root, char *text, size_t size,
	       const char *format, ...)
{
	char path[PATH_MAX];

	PATH_OF(path, root, format);
	return first_line(path, text, size);
}

/**
 * tree_number() - read a file that begins with a number
 * @root: where the tree is
 * @number: set to it
 * @format: path below @root
 *
 * Return: false when there is none.
 */
bool tree_number(const char *root, uint64_t *number, const char *format, ...)
{
	char path[PATH_MAX], text[32], *end;

	PATH_OF(path, root, format);
	if (!first_line(path, text, sizeof(text)))
		return false;
	*number = strtoull(text, &end, 10);
	return end != text;
}

/**
 * tree_link() - where does a symbolic link lead?
 * @root: where the tree is
 * @text: set to the last component of that
 * @size: of @text, bytes
 * @format: path of the link below @root
 *
 * Return: false when there is no such link.
 */
bool tree_link(const char *root, char *text, size_t size,
	       const char *format, ...)
{
	char path[PATH_MAX], to[PATH_MAX];
	const char *slash;
	ssize_t len;

	PATH_OF(path, root, format);
	len = readlink(path, to, sizeof(to) - 1);
	if (len < 0)
		return false;
	to[len] = '\0';
	slash = strrchr(to, '/');
	snprintf(text, size, "%s", slash ? slash + 1 : to);
	return true;
}

/**
 * tree_find() - the first line of a file that starts in a certain way
 * @root: where the tree is
 * @start: what it starts with, white space before it aside
 * @line: set to what follows that, without the newline
 * @size: of @line, bytes
 * @format: path below @root
 *
 * Return: false when there is no such line.
 */
bool tree_find(const char *root, const char *start, char *line, size_t size,
	       const char *format, ...)
{
	CLEANUP_FILE FILE *file = NULL;
	char path[PATH_MAX], text[1024];

	PATH_OF(path, root, format);
	file = fopen(path, "re");
	while (file && fgets(text, sizeof(text), file)) {
		const char *at = text + strspn(text, " \t");

		if (strncmp(at, start, strlen(start)))
			continue;
		snprintf(line, size, "%.*s", (int)strcspn(at + strlen(start), "\n"),
			 at + strlen(start));
		return true;
	}
	return false;
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/**
 * tree_list() - what is in a directory?
 * @root: where the tree is
 * @names: set to it, but for hidden files; nothing if there is no such directory
 * @format: path below @root
 */
void tree_list(const char *root, struct tree_names *names,
	       const char *format, ...)
{
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int i, count;

	PATH_OF(path, root, format);
	*names = (struct tree_names){ 0 };
	count = scandir(path, &entries, no_dots, versionsort);
	if (count <= 0) {
		free(entries);
		return;
	}
	names->list = calloc((size_t)count, sizeof(*names->list));
	for (i = 0; i < count; i++) {
		if (names->list)
			names->list[names->count] = strdup(entries[i]->d_name);
		if (names->list && names->list[names->count])
			names->count++;
		free(entries[i]);
	}
	free(entries);
}

/**
 * tree_names_free() - release what tree_list() found
 * @names: the names
 */
void tree_names_free(struct tree_names *names)
{
	size_t i;

	for (i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
	*names = (struct tree_names){ 0 };
}
