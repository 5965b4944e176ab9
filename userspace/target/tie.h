/* SPDX-License-Identifier: GPL-2.0 */
/* What is unmistakable about a file or a disk that holds contents. */
#ifndef RDMABLKD_TIE_H
#define RDMABLKD_TIE_H

#include <stdint.h>
#include <systemd/sd-id128.h>

#include "reason.h"

#define TIE_ID_MAX	128

enum tie_kind {
	TIE_MEMORY	= 1,	/* a file on tmpfs: gone with the host's boot */
	TIE_FILE	= 2,	/* a file on a disk */
	TIE_DISK	= 3,	/* a block device */
};

/**
 * struct tie - what ties a record to the contents that it is about
 * @boot: UUID of the host's boot when the tie was made
 * @dev: device number of the file's file system, or of the disk itself
 * @ino: inode number of the file
 * @size: of the file or disk, bytes
 * @birth: when the file was made, ns; zero: its file system does not know
 * @fs: id of the file's file system; zero: it has none that lasts
 * @seq: of the disk: told apart from others that had its number in this boot
 * @id: of the disk: what its maker or its partition table call it; may be empty
 * @kind: enum tie_kind
 * @reserved: 0
 *
 * It is kept in memory that another daemon reads: there is no padding.
 */
struct tie {
	sd_id128_t	boot;
	uint64_t	dev;
	uint64_t	ino;
	uint64_t	size;
	uint64_t	birth;
	uint64_t	fs;
	uint64_t	seq;
	char		id[TIE_ID_MAX];
	uint32_t	kind;
	uint32_t	reserved;
};

int tie_file(struct tie *tie, enum tie_kind kind, int fd, struct reason *why);
int tie_disk(struct tie *tie, int fd, uint64_t size, struct reason *why);
const char *tie_difference(const struct tie *kept, const struct tie *now);

#endif /* RDMABLKD_TIE_H */
