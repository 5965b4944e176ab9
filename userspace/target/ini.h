/* SPDX-License-Identifier: GPL-2.0 */
/* Reader of the configuration file's syntax. */
#ifndef RDMABLKD_INI_H
#define RDMABLKD_INI_H

#include <stdio.h>

#include "reason.h"

/**
 * struct ini_ops - what is done with what a file says
 * @section: a section begins
 * @key: a key is set, in the section that began last or before any
 *
 * Both return 0, or a negative errno with the reason set, which ends reading.
 */
struct ini_ops {
	int (*section)(void *data, const char *name, struct reason *why);
	int (*key)(void *data, const char *key, const char *value,
		   struct reason *why);
};

int ini_read(FILE *file, const char *name, const struct ini_ops *ops,
	     void *data, struct reason *why);

#endif /* RDMABLKD_INI_H */
