// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for the texts of extended acks. See extack.h.
 */
#include "extack.h"

#ifndef RDMABLK_HAVE_EXTACK_FMT
char compat_extack_text[COMPAT_EXTACK_SLOTS][256];
atomic_t compat_extack_next;
#endif
