// SPDX-License-Identifier: GPL-2.0
/*
 * What the target's card lets a remote key be used for, in words.
 */
#include <stddef.h>

#include "scope.h"
#include "uapi/rdmablk_proto.h"

/**
 * scope_word() - for programs
 * @scope: enum rdmablk_key_scope, as the kernel tells it
 *
 * Return: a word, or NULL when the target did not say.
 */
const char *scope_word(uint32_t scope)
{
	switch (scope) {
	case RDMABLK_SCOPE_EXPORT:
		return "export";
	case RDMABLK_SCOPE_SESSION:
		return "session";
	default:
		return NULL;
	}
}

/**
 * scope_text() - for people
 * @scope: enum rdmablk_key_scope, as the kernel tells it
 *
 * Return: a constant string.
 */
const char *scope_text(uint32_t scope)
{
	switch (scope) {
	case RDMABLK_SCOPE_EXPORT:
		return "good for the sessions of this export and access mode only";
	case RDMABLK_SCOPE_SESSION:
		return "good for this session only";
	default:
		return "the target does not say what they are good for";
	}
}
