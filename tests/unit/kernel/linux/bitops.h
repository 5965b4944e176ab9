/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RDMABLK_TEST_LINUX_BITOPS_H
#define RDMABLK_TEST_LINUX_BITOPS_H

#include <linux/types.h>

#define BITS_PER_LONG		((int)(CHAR_BIT * sizeof(long)))
#define BITS_TO_LONGS(nr)	(((nr) + BITS_PER_LONG - 1) / BITS_PER_LONG)

static inline bool test_bit(unsigned long nr, const unsigned long *map)
{
	return __atomic_load_n(&map[nr / BITS_PER_LONG], __ATOMIC_RELAXED) >>
	       nr % BITS_PER_LONG & 1;
}

static inline void set_bit(unsigned long nr, unsigned long *map)
{
	__atomic_fetch_or(&map[nr / BITS_PER_LONG],
			  1UL << nr % BITS_PER_LONG, __ATOMIC_RELAXED);
}

static inline void clear_bit(unsigned long nr, unsigned long *map)
{
	__atomic_fetch_and(&map[nr / BITS_PER_LONG],
			   ~(1UL << nr % BITS_PER_LONG), __ATOMIC_RELAXED);
}

#define __set_bit	set_bit
#define __clear_bit	clear_bit

#endif /* RDMABLK_TEST_LINUX_BITOPS_H */
