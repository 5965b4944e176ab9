/* SPDX-License-Identifier: GPL-2.0 */
/* What a mistyped word was probably meant to be. */
#ifndef RDMABLK_LIB_SUGGEST_H
#define RDMABLK_LIB_SUGGEST_H

#include <stddef.h>

unsigned int suggest_distance(const char *a, const char *b);
const char *suggest(const char *word, const char *const *known, size_t count);

#endif /* RDMABLK_LIB_SUGGEST_H */
