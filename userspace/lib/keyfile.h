/* SPDX-License-Identifier: GPL-2.0 */
/* Files of pre-shared keys: lines NAME:KEY, the key in base64. */
#ifndef RDMABLK_LIB_KEYFILE_H
#define RDMABLK_LIB_KEYFILE_H

#include "secret.h"

#define KEYFILE_MAX	((size_t)1 << 20)	/* bytes */

/* Takes a key; returns 0, or a negative errno with the reason set. */
typedef int keyfile_take(void *data, const char *name,
			 const struct secret *secret, struct reason *why);

int keyfile_open(const char *path, bool root_too, struct reason *why);
int keyfile_read(int fd, const char *path, keyfile_take *take, void *data,
		 struct reason *why);

#endif /* RDMABLK_LIB_KEYFILE_H */
