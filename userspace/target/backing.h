/* SPDX-License-Identifier: GPL-2.0 */
/* The file or block device that keeps an export's contents. */
#ifndef RDMABLKD_BACKING_H
#define RDMABLKD_BACKING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "reason.h"
#include "tie.h"

#define BACKING_ALIGN_MAX	4096U	/* write-back works in units of it */

/**
 * struct backing - an open backing
 * @fd: opened for direct I/O, and locked against other users
 * @size: of the export that it is a backing of, bytes: its own when it was opened
 *	  or resized
 * @align: of offset, length and memory of direct I/O, bytes: a power of two up
 *	   to BACKING_ALIGN_MAX. @size is a multiple of it
 * @block_device: not a regular file
 * @read_only: opened for reading only
 * @path: as the operator named it
 */
struct backing {
	int		fd;
	uint64_t	size;
	uint32_t	align;
	bool		block_device;
	bool		read_only;
	char		path[PATH_MAX];
};

int backing_create(const char *path, uint64_t size, bool prealloc,
		   struct reason *why);
int backing_open_file(struct backing *backing, const char *path,
		      bool read_only, struct reason *why);
int backing_open_disk(struct backing *backing, const char *path,
		      bool read_only, struct reason *why);
void backing_close(struct backing *backing);
int backing_size(const struct backing *backing, uint64_t *size,
		 struct reason *why);
int backing_reserve(const struct backing *backing, uint64_t size,
		    struct reason *why);
int backing_resize(struct backing *backing, uint64_t size, struct reason *why);
int backing_check_place(const struct backing *backing, struct reason *why);
int backing_check(const struct backing *backing, struct reason *why);
int backing_tie(const struct backing *backing, struct tie *tie,
		struct reason *why);
int backing_mtime(const struct backing *backing, uint64_t *mtime,
		  struct reason *why);

#endif /* RDMABLKD_BACKING_H */
