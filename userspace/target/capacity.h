/* SPDX-License-Identifier: GPL-2.0 */
/* Will the machine bear another region? Asked before anything is allocated. */
#ifndef RDMABLKD_CAPACITY_H
#define RDMABLKD_CAPACITY_H

#include <stdint.h>

#include "region.h"
#include "store.h"

int capacity_memory(const struct store *store, uint64_t promised,
		  struct reason *why);
int capacity_step(uint64_t bytes, struct reason *why);
int capacity_file_system(const struct store *store, struct reason *why);
int capacity_memlock(uint64_t bytes, uint64_t promised, struct reason *why);
int capacity_device(const struct device *device, const struct layout *layout,
		  unsigned int faces, struct reason *why);

#endif /* RDMABLKD_CAPACITY_H */
