/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers in five columns, for tables that are looked at rather than read. */
#ifndef RDMABLK_LIB_BRIEF_H
#define RDMABLK_LIB_BRIEF_H

#include <stdint.h>

#define BRIEF_MAX	16	/* what they need, bytes */

const char *brief_time(uint64_t ns, char buf[static BRIEF_MAX]);
const char *brief_count(double number, char buf[static BRIEF_MAX]);
const char *brief_size(double bytes, char buf[static BRIEF_MAX]);

#endif /* RDMABLK_LIB_BRIEF_H */
