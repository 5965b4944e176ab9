/* SPDX-License-Identifier: GPL-2.0 */
/* Small macros that the C library lacks. */
#ifndef RDMABLK_LIB_MACROS_H
#define RDMABLK_LIB_MACROS_H

#include <stddef.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* The structure that holds @member, of which @ptr is the address. */
#define container_of(ptr, type, member)					\
	((type *)(void *)((char *)(ptr) - offsetof(type, member)))

#define MIN(a, b)							\
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })

#endif /* RDMABLK_LIB_MACROS_H */
