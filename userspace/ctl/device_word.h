/* SPDX-License-Identifier: GPL-2.0 */
/* The argument DEVICE of a command. */
#ifndef RBDCTL_DEVICE_WORD_H
#define RBDCTL_DEVICE_WORD_H

#include <stdint.h>

#include "exits.h"

int device_index(const char *text, uint32_t *index);
enum rbdctl_exit device_bad_name(const char *text);
enum rbdctl_exit device_missing(const char *name);

#endif /* RBDCTL_DEVICE_WORD_H */
