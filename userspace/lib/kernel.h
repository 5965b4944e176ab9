/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the pure files of kmod/ (proto*.c) take from the kernel,
 * in terms of the C library, so that both sides compile the same source.
 */
#ifndef RDMABLK_LIB_KERNEL_H
#define RDMABLK_LIB_KERNEL_H

#include <endian.h>

#define le16_to_cpu(x)	le16toh(x)
#define le32_to_cpu(x)	le32toh(x)
#define le64_to_cpu(x)	le64toh(x)
#define cpu_to_le16(x)	htole16(x)
#define cpu_to_le32(x)	htole32(x)
#define cpu_to_le64(x)	htole64(x)

#endif /* RDMABLK_LIB_KERNEL_H */
