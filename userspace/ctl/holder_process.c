// SPDX-License-Identifier: GPL-2.0
/*
 * Holders that are processes with the device open.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "holder.h"

static void add_process(struct holders *holders, int pid)
{
	CLEANUP_FILE FILE *file = NULL;
	char path[64], name[64] = "?";

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (file && fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = '\0';
	holders_add(holders, false, "open in %s (process %d)", name, pid);
}

static bool process_holds(const struct holders *holders, int pid)
{
	char path[64];
	struct dirent *entry;
	struct stat st;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (entry = readdir(dir)))
		found = !fstatat(dirfd(dir), entry->d_name, &st, 0) &&
			S_ISBLK(st.st_mode) &&
			holders_is_ours(holders, st.st_rdev);
	closedir(dir);
	return found;
}

/**
 * holders_find_processes() - note the processes among the holders
 * @holders: where to
 */
void holders_find_processes(struct holders *holders)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int pid;

	if (!proc)
		return;
	while ((entry = readdir(proc))) {
		pid = atoi(entry->d_name);
		if (pid > 0 && process_holds(holders, pid))
			add_process(holders, pid);
	}
	closedir(proc);
}
