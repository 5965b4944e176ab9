/* SPDX-License-Identifier: GPL-2.0 */
/* An input as a file, for parsers that want the path of one. */
#ifndef RDMABLK_FUZZ_FILE_H
#define RDMABLK_FUZZ_FILE_H

#include <sys/mman.h>
#include <unistd.h>

#include "input.h"

/* The same one for every input. Returns its path. */
static inline const char *file_with(const uint8_t *data, size_t size)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("input", MFD_CLOEXEC);
		MUST(fd >= 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	MUST(!ftruncate(fd, 0));
	MUST(pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
}

#endif /* RDMABLK_FUZZ_FILE_H */
