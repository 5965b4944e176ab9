// SPDX-License-Identifier: GPL-2.0
/*
 * What the daemon's control group leaves it: the memory limits of the group
 * and of all above it, version 2 of control groups only.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cgroup.h"
#include "cleanup.h"
#include "procfile.h"

/* Path of our group below the mount; "/" is the root, which has no limits. */
static int own_group(const char *self, char *path, int size)
{
	CLEANUP_FILE FILE *file = fopen(self, "re");

	if (!file)
		return -errno;
	while (fgets(path, size, file)) {
		if (strncmp(path, "0::", 3))
			continue;
		path[strcspn(path, "\n")] = '\0';
		memmove(path, path + 3, strlen(path + 3) + 1);
		return 0;
	}
	return -ENOENT;
}

/* What one group leaves: file pages can be given back, others cannot. */
static int group_room(const char *mount, const char *group, uint64_t *room)
{
	uint64_t max, current, active = 0, inactive = 0;
	char path[2 * PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%s%s/memory.max", mount, group);
	err = procfile_number(path, &max);
	if (err || max == UINT64_MAX)
		return err ? err : -ENOENT;
	snprintf(path, sizeof(path), "%s%s/memory.current", mount, group);
	err = procfile_number(path, &current);
	if (err)
		return err;
	snprintf(path, sizeof(path), "%s%s/memory.stat", mount, group);
	procfile_field(path, "active_file", &active);
	procfile_field(path, "inactive_file", &inactive);

	current -= current < active + inactive ? current : active + inactive;
	*room = max > current ? max - current : 0;
	return 0;
}

/**
 * cgroup_room_below() - how much more memory do the groups below a mount leave?
 * @mount: where control groups are mounted
 * @self: file that names the group, as /proc/self/cgroup does
 * @room: set to it, bytes
 *
 * Context: any thread.
 * Return: 0; a negative errno when there is no limit, or none to be found.
 */
int cgroup_room_below(const char *mount, const char *self, uint64_t *room)
{
	uint64_t one, least = UINT64_MAX;
	char group[PATH_MAX], *slash;
	int err;

	err = own_group(self, group, sizeof(group));
	if (err)
		return err;
	while ((slash = strrchr(group, '/')) && slash[1]) {
		if (!group_room(mount, group, &one) && one < least)
			least = one;
		*slash = '\0';
		if (slash == group)
			break;
	}
	if (least == UINT64_MAX)
		return -ENOENT;
	*room = least;
	return 0;
}

/**
 * cgroup_memory_room() - how much more memory may the daemon use?
 * @room: set to it, bytes
 *
 * Context: any thread.
 * Return: as cgroup_room_below().
 */
int cgroup_memory_room(uint64_t *room)
{
	return cgroup_room_below("/sys/fs/cgroup", "/proc/self/cgroup", room);
}
