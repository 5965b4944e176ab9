// SPDX-License-Identifier: GPL-2.0
/*
 * What the target's card lets a remote key be used for, in words.
 */
#include <stddef.h>
#include <string.h>

#include "macros.h"
#include "scope.h"
#include "uapi/rdmablk_proto.h"

static const struct {
	const char *word, *text;
} scopes[] = {
	[RDMABLK_SCOPE_EXPORT]	= { "domain",
		"good for the sessions of this export and access mode only" },
	[RDMABLK_SCOPE_QUEUE]	= { "window",
		"good for one data connection each (memory windows)" },
};

/**
 * scope_word() - for programs
 * @scope: enum rdmablk_key_scope, as the kernel tells it
 *
 * Return: a word, or NULL when the target did not say.
 */
const char *scope_word(uint32_t scope)
{
	return scope < ARRAY_SIZE(scopes) ? scopes[scope].word : NULL;
}

/**
 * scope_text() - for people
 * @word: from scope_word(), or the daemon's
 *
 * Return: a constant string.
 */
const char *scope_text(const char *word)
{
	size_t i;

	for (i = 0; word && i < ARRAY_SIZE(scopes); i++)
		if (scopes[i].word && !strcmp(scopes[i].word, word))
			return scopes[i].text;
	return "the target does not say what they are good for";
}
