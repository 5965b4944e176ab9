// SPDX-License-Identifier: GPL-2.0
/*
 * Who holds a block device open. See holder.h. The kernel only counts: the
 * answer is put together from what /proc and /sys say of mounts, swap, block
 * devices on top and open files.
 */
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "cleanup.h"
#include "holder.h"

/**
 * holders_is_ours() - is this number that of the disk or of a partition?
 * @holders: knows the numbers
 * @number: of some block device
 *
 * Return: true if it is.
 */
bool holders_is_ours(const struct holders *holders, dev_t number)
{
	size_t i;

	for (i = 0; i < holders->blocks; i++)
		if (holders->block[i] == number)
			return true;
	return false;
}

/**
 * holders_add() - note a holder, unless it is known
 * @holders: where to
 * @lasting: it does not go away by itself
 * @format: "mounted on /mnt"
 */
void holders_add(struct holders *holders, bool lasting, const char *format, ...)
{
	char text[sizeof(holders->text[0])];
	va_list args;
	size_t i;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);

	for (i = 0; i < holders->count && i < HOLDERS_MAX; i++)
		if (!strcmp(holders->text[i], text))
			return;
	if (holders->count < HOLDERS_MAX)
		strcpy(holders->text[holders->count], text);
	holders->count++;
	holders->lasting |= lasting;
}

static void add_block(struct holders *holders, const char *path)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");
	unsigned int major_no, minor_no;

	if (file && holders->blocks < HOLDER_BLOCKS &&
	    fscanf(file, "%u:%u", &major_no, &minor_no) == 2)
		holders->block[holders->blocks++] = makedev(major_no, minor_no);
}

static void add_blocks(struct holders *holders, const char *name)
{
	char pattern[128];
	glob_t found;
	size_t i;

	snprintf(pattern, sizeof(pattern), "/sys/block/%s/dev", name);
	add_block(holders, pattern);
	snprintf(pattern, sizeof(pattern), "/sys/block/%s/%sp*/dev", name,
		 name);
	if (!glob(pattern, 0, NULL, &found)) {
		for (i = 0; i < found.gl_pathc; i++)
			add_block(holders, found.gl_pathv[i]);
		globfree(&found);
	}
}

/**
 * holders_find() - look for those who hold a disk or one of its partitions
 * @name: of the disk: "rdmablk0"
 * @holders: filled in; empty when the holder is one that cannot be seen
 */
void holders_find(const char *name, struct holders *holders)
{
	memset(holders, 0, sizeof(*holders));
	add_blocks(holders, name);
	holders_find_mounts(holders);
	holders_find_stacked(name, holders);
	holders_find_processes(holders);
}
