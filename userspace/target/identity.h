/* SPDX-License-Identifier: GPL-2.0 */
/* The identity of contents that survive the daemon, kept in a file. */
#ifndef RDMABLKD_IDENTITY_H
#define RDMABLKD_IDENTITY_H

#include "store.h"

/**
 * struct identity_tie - what ties an identity to one file
 * @boot: UUID of the host's boot: tmpfs does not survive it
 * @dev: device number of the file
 * @ino: inode number of the file
 * @size: of the file, bytes
 * @birth: when the file was made, ns; zero when the file system does not know
 */
struct identity_tie {
	sd_id128_t	boot;
	uint64_t	dev;
	uint64_t	ino;
	uint64_t	size;
	uint64_t	birth;
};

int identity_new(struct identity *identity, struct reason *why);
int identity_tie(struct identity_tie *tie, int fd, struct reason *why);
int identity_load(struct identity *identity, const struct identity_tie *tie,
		  const char *path, struct reason *why);
int identity_save(const struct identity *identity,
		  const struct identity_tie *tie, const char *path,
		  struct reason *why);

#endif /* RDMABLKD_IDENTITY_H */
