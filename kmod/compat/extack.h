/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 6.2: extended acks with a formatted text, COMPAT_NL_SET_ERR_MSG_FMT().
 */
#ifndef RDMABLK_COMPAT_EXTACK_H
#define RDMABLK_COMPAT_EXTACK_H

#include <linux/netlink.h>

#include "probed.h"

#ifdef RDMABLK_HAVE_EXTACK_FMT
#define COMPAT_NL_SET_ERR_MSG_FMT NL_SET_ERR_MSG_FMT
#else
/*
 * The text is read after the command has returned, so that it needs memory that
 * lives on. With as many failing commands at one time as there are slots, some
 * would see another's text; none would see a broken one.
 */
#define COMPAT_EXTACK_SLOTS 32

extern char compat_extack_text[COMPAT_EXTACK_SLOTS][256];
extern atomic_t compat_extack_next;

#define COMPAT_NL_SET_ERR_MSG_FMT(extack, fmt, ...)			\
do {									\
	unsigned int slot_ = (unsigned int)				\
		atomic_inc_return(&compat_extack_next) %		\
		COMPAT_EXTACK_SLOTS;					\
									\
	scnprintf(compat_extack_text[slot_],				\
		  sizeof(compat_extack_text[slot_]), fmt,		\
		  ##__VA_ARGS__);					\
	if (extack)							\
		(extack)->_msg = compat_extack_text[slot_];		\
} while (0)
#endif

#endif /* RDMABLK_COMPAT_EXTACK_H */
