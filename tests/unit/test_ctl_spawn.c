// SPDX-License-Identifier: GPL-2.0
/* Running other programs (ctl/spawn.c). */
#include "test.h"

#include <errno.h>
#include <stdlib.h>

#include "spawn.h"

static void other_programs(void **state)
{
	static const char *const both[] = {
		"/bin/sh", "-c", "echo out; echo err >&2; exit 3", NULL,
	};
	static const char *const killed[] = {
		"/bin/sh", "-c", "kill -9 $$", NULL,
	};
	static const char *const none[] = { "/nonexistent", NULL };
	char *said;

	(void)state;
	assert_int_equal(spawn_read(both, &said), 3);
	assert_string_equal(said, "out\nerr\n");
	free(said);
	assert_int_equal(spawn_read(killed, &said), 128);
	assert_string_equal(said, "");
	free(said);
	assert_int_equal(spawn_read(none, &said), -ENOENT);
	assert_null(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(other_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
