/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RDMABLK_TEST_LINUX_TYPES_H
#define RDMABLK_TEST_LINUX_TYPES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include_next <linux/types.h>

typedef uint32_t u32;
typedef uint64_t u64;

#define U32_MAX	UINT32_MAX

#endif /* RDMABLK_TEST_LINUX_TYPES_H */
