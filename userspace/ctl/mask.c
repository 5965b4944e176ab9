// SPDX-License-Identifier: GPL-2.0
/*
 * Takes out of text what looks like a key: a configuration or a log should have
 * none, but people paste them into strange places, and what is sent to others
 * cannot be taken back.
 */
#include <stdbool.h>
#include <string.h>

#include "mask.h"
#include "secret.h"

#define SHOWN	4	/* characters that stay, for who wonders what it was */

static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			     "0123456789+/";

/* Also a part of a key, or one of another length, is nobody's business. */
static bool is_key(const char *text, size_t len, size_t padding)
{
	size_t least = (RDMABLK_SECRET_MIN * 8 + 5) / 6;

	/* Paths are long, too, and begin with a slash; so do few keys. */
	return len >= least && (padding || *text != '/');
}

/**
 * mask_keys() - take out what looks like a key
 * @text: changed in place
 */
void mask_keys(char *text)
{
	size_t len, padding;

	for (; *text; text += len + padding) {
		len = strspn(text, base64);
		padding = strspn(text + len, "=");
		if (is_key(text, len, padding))
			memset(text + SHOWN, '*', len + padding - SHOWN);
		if (!len && !padding)
			text++;
	}
}
