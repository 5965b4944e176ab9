/* SPDX-License-Identifier: GPL-2.0 */
/* What every unit test includes. */
#ifndef RDMABLK_TEST_H
#define RDMABLK_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Room for names of tests that say what they show. */
#define TEST(function)	cmocka_unit_test(function)

/* Is @part somewhere in @text? */
#define assert_contains(text, part)					\
	do {								\
		if (!strstr(text, part))				\
			fail_msg("'%s' does not contain '%s'", text, part); \
	} while (0)

#endif /* RDMABLK_TEST_H */
