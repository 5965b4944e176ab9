// SPDX-License-Identifier: GPL-2.0
/*
 * Sizes, and the other values of options and keys (lib/size.c, target/value.c).
 */
#include <limits.h>

#include "input.h"
#include "size.h"
#include "value.h"

/* What is written is read again: exactly, or rounded down to one place. */
static void size_(const char *text)
{
	char written[SIZE_TEXT_MAX];
	uint64_t bytes, again;

	if (size_parse(text, &bytes))
		return;
	size_text(bytes, written);
	MUST(*written && strlen(written) < sizeof(written));
	if (strchr(written, '.'))
		return;
	memmove(strchr(written, ' '), strchr(written, ' ') + 1,
		strlen(strchr(written, ' ')));
	MUST(!size_parse(written, &again) && again == bytes);
}

static void others(const char *text)
{
	char path[64];
	unsigned int number;
	struct reason why;
	uint64_t bytes;
	bool flag;

	value_bool("key", text, &flag, &why);
	value_size("key", text, &bytes, &why);
	if (!value_number("key", text, 3, 300, &number, &why))
		MUST(number >= 3 && number <= 300);
	if (!value_path("key", text, path, sizeof(path), &why))
		MUST(path[0] == '/' && !strcmp(path, text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);

	size_(text);
	others(text);
	free(text);
	return 0;
}
