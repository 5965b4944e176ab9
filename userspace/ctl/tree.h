/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel tells in small files, below a root that a test can make. Paths
 * are printf formats, without the slash that they would begin with.
 */
#ifndef RBDCTL_TREE_H
#define RBDCTL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct tree_names - entries of a directory, in order
 * @list: their names
 * @count: how many
 */
struct tree_names {
	char **list;
	size_t count;
};

bool tree_exists(const char *root, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool tree_line(const char *root, char *text, size_t size,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));
bool tree_number(const char *root, uint64_t *number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool tree_link(const char *root, char *text, size_t size,
	       const char *format, ...) __attribute__((format(printf, 4, 5)));
bool tree_find(const char *root, const char *start, char *line, size_t size,
	       const char *format, ...) __attribute__((format(printf, 5, 6)));
void tree_list(const char *root, struct tree_names *names,
	       const char *format, ...) __attribute__((format(printf, 3, 4)));
void tree_names_free(struct tree_names *names);

#define CLEANUP_NAMES __attribute__((cleanup(tree_names_free)))

#endif /* RBDCTL_TREE_H */
