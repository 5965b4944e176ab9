// SPDX-License-Identifier: GPL-2.0
/*
 * A file of keys (lib/keyfile.c, secret.c): what is taken from it are keys, and what is
 * wrong with it is told without them.
 */
#include <fcntl.h>

#include "file.h"
#include "keyfile.h"

static int take(void *data, const char *name, const struct secret *secret,
		struct reason *why)
{
	char text[SECRET_TEXT_MAX];
	struct secret again;

	(void)data;
	MUST(secret_name_valid(name));
	MUST(secret->len >= RDMABLK_SECRET_MIN &&
	     secret->len <= RDMABLK_SECRET_MAX);
	secret_text(secret, text);
	MUST(!secret_parse(&again, text, why));
	MUST(again.len == secret->len &&
	     !memcmp(again.bytes, secret->bytes, sizeof(again.bytes)));
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = file_with(data, size);
	struct reason why = { .message = "" };
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	MUST(fd >= 0);
	if (keyfile_read(fd, path, take, NULL, &why))
		MUST(why.message[0]);
	close(fd);
	return 0;
}
