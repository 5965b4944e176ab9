// SPDX-License-Identifier: GPL-2.0
/*
 * Holders that are mounts, in whichever mount namespace, or swap areas.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "cleanup.h"
#include "holder.h"

#define NAMESPACES_MAX	1024	/* mount namespaces looked at */

/* /proc writes blanks and backslashes in paths as \ooo. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && strspn(text + 1, "01234567") >= 3) {
			char octal[4] = { text[1], text[2], text[3], '\0' };

			*to++ = (char)strtol(octal, NULL, 8);
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

static bool path_is_ours(const struct holders *holders, char *path)
{
	struct stat st;

	unescape(path);
	return *path == '/' && !stat(path, &st) && S_ISBLK(st.st_mode) &&
	       holders_is_ours(holders, st.st_rdev);
}

/* The device numbers of btrfs are its own: the source's path is looked at. */
static bool mount_is_ours(const struct holders *holders, unsigned int major_no,
			  unsigned int minor_no, char *rest)
{
	char *source = strstr(rest, " - ");

	if (holders_is_ours(holders, makedev(major_no, minor_no)))
		return true;
	if (!source)
		return false;
	source = strchr(source + 3, ' ');
	if (!source)
		return false;
	source++;
	source[strcspn(source, "\n ")] = '\0';
	return path_is_ours(holders, source);
}

/* @where: empty, or which namespace it is */
static void find_in(struct holders *holders, const char *path,
		    const char *where)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");
	CLEANUP_FREE char *line = NULL;
	unsigned int major_no, minor_no;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		char mount[256];
		int end = 0;

		if (sscanf(line, "%*d %*d %u:%u %*s %255s%n", &major_no,
			   &minor_no, mount, &end) < 3)
			continue;
		if (!mount_is_ours(holders, major_no, minor_no, line + end))
			continue;
		unescape(mount);
		holders_add(holders, true, "mounted on %s%s", mount, where);
	}
}

static bool first_seen(ino_t *seen, size_t *count, ino_t number)
{
	size_t i;

	for (i = 0; i < *count; i++)
		if (seen[i] == number)
			return false;
	if (*count < NAMESPACES_MAX)
		seen[(*count)++] = number;
	return true;
}

/* One process of each mount namespace but our own, if we may look at it. */
static void find_elsewhere(struct holders *holders)
{
	DIR *proc = opendir("/proc");
	ino_t seen[NAMESPACES_MAX];
	size_t count = 0;
	struct dirent *entry;
	struct stat st;

	if (!proc)
		return;
	if (!stat("/proc/self/ns/mnt", &st))
		first_seen(seen, &count, st.st_ino);
	while ((entry = readdir(proc))) {
		char path[64], where[64];
		int pid = atoi(entry->d_name);

		snprintf(path, sizeof(path), "/proc/%d/ns/mnt", pid);
		if (pid <= 0 || stat(path, &st) ||
		    !first_seen(seen, &count, st.st_ino))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/mountinfo", pid);
		snprintf(where, sizeof(where),
			 " (in the mount namespace of process %d)", pid);
		find_in(holders, path, where);
	}
	closedir(proc);
}

static void find_swap(struct holders *holders)
{
	CLEANUP_FILE FILE *file = fopen("/proc/swaps", "re");
	CLEANUP_FREE char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		line[strcspn(line, " \t\n")] = '\0';
		if (path_is_ours(holders, line))
			holders_add(holders, true, "used for swap (%s)", line);
	}
}

/**
 * holders_find_mounts() - note the mounts and swap areas among the holders
 * @holders: where to
 */
void holders_find_mounts(struct holders *holders)
{
	find_in(holders, "/proc/self/mountinfo", "");
	/* One that is mounted here is likely to be inherited elsewhere. */
	if (!holders->count)
		find_elsewhere(holders);
	find_swap(holders);
}
