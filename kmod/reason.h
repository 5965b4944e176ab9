/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why something failed: an errno for programs and a sentence for people. It
 * travels from the place that knows to the netlink message that rbdctl prints.
 */
#ifndef RDMABLK_REASON_H
#define RDMABLK_REASON_H

#include <linux/compiler_attributes.h>

#define RDMABLK_REASON_MAX 256

/**
 * struct rdmablk_reason - why something failed
 * @error: negative errno, zero while nothing failed
 * @text: a sentence without a full stop
 */
struct rdmablk_reason {
	int error;
	char text[RDMABLK_REASON_MAX];
};

__printf(3, 4)
int rdmablk_reason_set(struct rdmablk_reason *reason, int error,
		       const char *fmt, ...);

#endif /* RDMABLK_REASON_H */
