/* SPDX-License-Identifier: GPL-2.0 */
/* A file of this test program, for tests of what reads one. */
#ifndef RDMABLK_TEST_FIXTURE_FILE_H
#define RDMABLK_TEST_FIXTURE_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/rdmablk-test-XXXXXX";

static inline int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static inline void write_file(const char *text, size_t len)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	fclose(file);
}

#endif /* RDMABLK_TEST_FIXTURE_FILE_H */
