/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RDMABLK_TEST_LINUX_BITMAP_H
#define RDMABLK_TEST_LINUX_BITMAP_H

#include <linux/bitops.h>

#define BITMAP_FIRST_WORD_MASK(start)	(~0UL << ((start) & (BITS_PER_LONG - 1)))
#define BITMAP_LAST_WORD_MASK(nr)	(~0UL >> (-(nr) & (BITS_PER_LONG - 1)))

/* Bit by bit: obviously right. */
static inline unsigned long find_bit(const unsigned long *map,
				     unsigned long size, unsigned long from,
				     bool value)
{
	while (from < size && test_bit(from, map) != value)
		from++;
	return from < size ? from : size;
}

#define find_next_bit(map, size, from)		find_bit(map, size, from, true)
#define find_next_zero_bit(map, size, from)	find_bit(map, size, from, false)

#define for_each_set_bit_from(bit, map, size)				\
	for ((bit) = find_next_bit(map, size, bit); (bit) < (size);	\
	     (bit) = find_next_bit(map, size, (bit) + 1))
#define for_each_set_bit(bit, map, size)				\
	for ((bit) = find_next_bit(map, size, 0); (bit) < (size);	\
	     (bit) = find_next_bit(map, size, (bit) + 1))

static inline unsigned int bitmap_weight(const unsigned long *map,
					 unsigned int nr)
{
	unsigned int weight = 0, bit;

	for (bit = 0; bit < nr; bit++)
		weight += test_bit(bit, map);
	return weight;
}

static inline void bitmap_zero(unsigned long *map, unsigned int nr)
{
	memset(map, 0, BITS_TO_LONGS(nr) * sizeof(long));
}

#endif /* RDMABLK_TEST_LINUX_BITMAP_H */
