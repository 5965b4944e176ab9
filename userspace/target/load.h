/* SPDX-License-Identifier: GPL-2.0 */
/* Reading a backing into memory. */
#ifndef RDMABLKD_LOAD_H
#define RDMABLKD_LOAD_H

#include "backing.h"
#include "store.h"

int load_part(const struct backing *backing, const struct store_load *load,
	      struct reason *why);

#endif /* RDMABLKD_LOAD_H */
