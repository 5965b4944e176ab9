/* SPDX-License-Identifier: GPL-2.0 */
/* Values of options and of keys in the configuration. */
#ifndef RDMABLKD_VALUE_H
#define RDMABLKD_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reason.h"

int value_bool(const char *key, const char *value, bool *out,
	       struct reason *why);
int value_size(const char *key, const char *value, uint64_t *out,
	       struct reason *why);
int value_number(const char *key, const char *value, unsigned int min,
		 unsigned int max, unsigned int *out, struct reason *why);
int value_path(const char *key, const char *value, char *out, size_t size,
	       struct reason *why);

#endif /* RDMABLKD_VALUE_H */
