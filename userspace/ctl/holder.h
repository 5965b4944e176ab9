/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who holds a block device open: what to tell an operator who would detach it.
 */
#ifndef RBDCTL_HOLDER_H
#define RBDCTL_HOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define HOLDERS_MAX	8	/* more are only counted */
#define HOLDER_BLOCKS	257	/* a disk and its partitions */

/**
 * struct holders - who holds a disk or one of its partitions
 * @block: numbers of the disk and of its partitions
 * @blocks: how many
 * @text: each "mounted on /mnt", "open in fio (process 123)"
 * @count: how many were found; only the first HOLDERS_MAX have a text
 * @lasting: one of them is of a kind that does not go away by itself
 */
struct holders {
	dev_t block[HOLDER_BLOCKS];
	size_t blocks;
	char text[HOLDERS_MAX][320];
	size_t count;
	bool lasting;
};

void holders_find(const char *name, struct holders *holders);

/* For holder_*.c. */
bool holders_is_ours(const struct holders *holders, dev_t number);
void holders_add(struct holders *holders, bool lasting,
		 const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void holders_find_mounts(struct holders *holders);
void holders_find_processes(struct holders *holders);
void holders_find_stacked(const char *name, struct holders *holders);

#endif /* RBDCTL_HOLDER_H */
