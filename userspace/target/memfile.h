/* SPDX-License-Identifier: GPL-2.0 */
/* Files in memory that have a name: on tmpfs or hugetlbfs. */
#ifndef RDMABLKD_MEMFILE_H
#define RDMABLKD_MEMFILE_H

#include <stdint.h>

#include "reason.h"

int memfile_check(int fd, const char *path, uint64_t *page_size,
		  struct reason *why);
int memfile_lock(int fd, const char *path, struct reason *why);

#endif /* RDMABLKD_MEMFILE_H */
