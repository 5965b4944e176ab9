/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Real disks for tests: a directory beside the test program, which is on a file
 * system with direct I/O where /tmp may not be; and, for root and where the
 * kernel has them, loop devices and small file systems on those.
 */
#ifndef RDMABLK_TEST_DISK_H
#define RDMABLK_TEST_DISK_H

#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char disk_dir[PATH_MAX];

/* Has the shell run a command; false: it failed. */
static inline bool disk_run(const char *format, ...)
{
	char command[3 * PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	return !system(command);
}

static inline int disk_setup(void **state)
{
	char self[PATH_MAX] = "";

	(void)state;
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return -1;
	snprintf(disk_dir, sizeof(disk_dir), "%.4000s/disk-XXXXXX",
		 dirname(self));
	return mkdtemp(disk_dir) ? 0 : -1;
}

static inline int disk_teardown(void **state)
{
	(void)state;
	/* Of tests that failed. */
	disk_run("find '%s' -mindepth 1 -maxdepth 1 -type d -exec umount --quiet {} +; losetup --list --noheadings --output NAME,BACK-FILE | grep -F '%s' | cut -d ' ' -f 1 | xargs --no-run-if-empty losetup --detach",
		 disk_dir, disk_dir);
	return disk_run("rm -rf '%s'", disk_dir) ? 0 : -1;
}

/* The path of a file in the directory: good until eight more are asked for. */
static inline const char *disk_path(const char *name)
{
	static char paths[8][PATH_MAX + 128];
	static unsigned int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", disk_dir, name);
	return path;
}

/*
 * Makes a loop device over a new file of the directory.
 *
 * Return: its path, good until the next call; NULL: there are none here.
 */
static inline const char *disk_loop(const char *name, uint64_t size,
				    unsigned int sector)
{
	static char device[64];
	char command[PATH_MAX + 128];
	FILE *out;

	if (geteuid() ||
	    !disk_run("truncate -s %llu '%s'", (unsigned long long)size,
		      disk_path(name)))
		return NULL;
	snprintf(command, sizeof(command),
		 "losetup --find --show --sector-size %u '%.4000s' 2>/dev/null",
		 sector, disk_path(name));
	out = popen(command, "r");
	if (!out)
		return NULL;
	if (!fgets(device, sizeof(device), out))
		device[0] = '\0';
	if (pclose(out) || !device[0])
		return NULL;
	device[strcspn(device, "\n")] = '\0';
	return device;
}

static inline void disk_unloop(const char *device)
{
	disk_run("losetup --detach '%s'", device);
}

/* Makes an ext4 on a device, and mounts it at mnt in the directory. */
static inline bool disk_ext4(const char *device, const char *options)
{
	return disk_run("mkfs.ext4 -q %s %s && mkdir '%s' && mount %s '%s'",
			options, device, disk_path("mnt"), device,
			disk_path("mnt"));
}

static inline bool disk_umount(void)
{
	return disk_run("umount '%s'", disk_path("mnt"));
}

#endif /* RDMABLK_TEST_DISK_H */
