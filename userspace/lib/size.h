/* SPDX-License-Identifier: GPL-2.0 */
/* Sizes in bytes, as people write and read them. */
#ifndef RDMABLK_LIB_SIZE_H
#define RDMABLK_LIB_SIZE_H

#include <stdint.h>

#define SIZE_TEXT_MAX	32	/* what size_text() needs, bytes */

int size_parse(const char *text, uint64_t *bytes);
const char *size_text(uint64_t bytes, char buf[static SIZE_TEXT_MAX]);

#endif /* RDMABLK_LIB_SIZE_H */
