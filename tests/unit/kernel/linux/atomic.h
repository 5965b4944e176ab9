/* SPDX-License-Identifier: GPL-2.0 */
/* What the pure files of kmod/ take from the kernel: ordered as it promises. */
#ifndef RDMABLK_TEST_LINUX_ATOMIC_H
#define RDMABLK_TEST_LINUX_ATOMIC_H

typedef struct {
	long counter;
} atomic_long_t;

static inline long atomic_long_fetch_or(long bits, atomic_long_t *v)
{
	return __atomic_fetch_or(&v->counter, bits, __ATOMIC_SEQ_CST);
}

static inline long atomic_long_fetch_andnot(long bits, atomic_long_t *v)
{
	return __atomic_fetch_and(&v->counter, ~bits, __ATOMIC_SEQ_CST);
}

#define smp_mb__after_atomic()	__atomic_thread_fence(__ATOMIC_SEQ_CST)

#endif /* RDMABLK_TEST_LINUX_ATOMIC_H */
