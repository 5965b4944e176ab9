// SPDX-License-Identifier: GPL-2.0
/*
 * Holders that are block devices on top, or a file system of several devices.
 */
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "holder.h"

static bool read_line(const char *path, char *text, size_t size)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");

	if (!file || !fgets(text, (int)size, file))
		return false;
	text[strcspn(text, "\n")] = '\0';
	return true;
}

/* dm-0 says little to people: they know it as vg-root. */
static void add_stacked(struct holders *holders, char *path)
{
	char file[512], known[128], *name = basename(path);

	snprintf(file, sizeof(file), "/sys/block/%s/dm/name", name);
	if (read_line(file, known, sizeof(known)))
		holders_add(holders, true, "part of %s (device mapper %s)",
			    name, known);
	else
		holders_add(holders, true, "part of /dev/%s", name);
}

/* .../btrfs/UUID/devices/NAME */
static void add_btrfs(struct holders *holders, char *path)
{
	char *uuid = basename(dirname(dirname(path)));

	holders_add(holders, true, "part of the btrfs file system %s", uuid);
}

/* .../block/loop0/loop/backing_file */
static void add_loop(struct holders *holders, char *path)
{
	char backing[512];
	struct stat st;

	if (!read_line(path, backing, sizeof(backing)) || stat(backing, &st) ||
	    !S_ISBLK(st.st_mode) || !holders_is_ours(holders, st.st_rdev))
		return;
	holders_add(holders, true, "behind /dev/%s",
		    basename(dirname(dirname(path))));
}

static void for_each(struct holders *holders, const char *pattern,
		     void (*add)(struct holders *holders, char *path))
{
	glob_t found;
	size_t i;

	if (glob(pattern, 0, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++)
		add(holders, found.gl_pathv[i]);
	globfree(&found);
}

/**
 * holders_find_stacked() - note the block devices among the holders
 * @name: of the disk
 * @holders: where to
 */
void holders_find_stacked(const char *name, struct holders *holders)
{
	char pattern[192];

	snprintf(pattern, sizeof(pattern), "/sys/block/%s/holders/*", name);
	for_each(holders, pattern, add_stacked);
	snprintf(pattern, sizeof(pattern), "/sys/block/%s/%sp*/holders/*",
		 name, name);
	for_each(holders, pattern, add_stacked);
	for_each(holders, "/sys/block/loop*/loop/backing_file", add_loop);

	/* Those that are mounted by another of their devices. */
	if (holders->count)
		return;
	snprintf(pattern, sizeof(pattern), "/sys/fs/btrfs/*/devices/%s*",
		 name);
	for_each(holders, pattern, add_btrfs);
}
