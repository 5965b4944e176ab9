/* SPDX-License-Identifier: GPL-2.0 */
/* Making a backing that was damaged fit to be written again. */
#ifndef RDMABLKD_BACKING_RESTORE_H
#define RDMABLKD_BACKING_RESTORE_H

#include "backing.h"

int backing_restore(const struct backing *backing, struct reason *why);

#endif /* RDMABLKD_BACKING_RESTORE_H */
