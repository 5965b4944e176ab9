/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the files of proto alone: fields that many messages have, and what those files
 * take from the kernel, or from the C library.
 */
#ifndef RDMABLK_PROTO_FIELD_H
#define RDMABLK_PROTO_FIELD_H

#include "proto.h"

#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#else
#include <errno.h>
#include <string.h>
#include "kernel.h"
#endif

bool rdmablk_all_zero(const void *field, size_t size);
bool rdmablk_field_valid(const char *field, size_t size, bool optional);

#endif /* RDMABLK_PROTO_FIELD_H */
