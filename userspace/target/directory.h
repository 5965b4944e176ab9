/* SPDX-License-Identifier: GPL-2.0 */
/* Directories of the daemon's own, and the lock that says who runs. */
#ifndef RDMABLKD_DIRECTORY_H
#define RDMABLKD_DIRECTORY_H

#include <sys/types.h>

#include "reason.h"

int directory_make(const char *path, mode_t mode, struct reason *why);
int directory_lock(const char *path, struct reason *why);

#endif /* RDMABLKD_DIRECTORY_H */
