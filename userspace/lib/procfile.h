/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers that the kernel tells in text files. */
#ifndef RDMABLK_LIB_PROCFILE_H
#define RDMABLK_LIB_PROCFILE_H

#include <stdint.h>

int procfile_number(const char *path, uint64_t *out);
int procfile_field(const char *path, const char *field, uint64_t *out);
int procfile_hex_field(const char *path, const char *field, uint64_t *out);

#endif /* RDMABLK_LIB_PROCFILE_H */
