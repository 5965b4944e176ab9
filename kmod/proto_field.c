// SPDX-License-Identifier: GPL-2.0
/*
 * Fields that many messages have: names, texts, and what is reserved.
 */
#include "proto_field.h"

/**
 * rdmablk_all_zero() - is a field, or the rest of it, zero, as if reserved?
 * @field: the field
 * @size: bytes
 *
 * Return: true if it is.
 */
bool rdmablk_all_zero(const void *field, size_t size)
{
	const __u8 *bytes = field;

	while (size--)
		if (*bytes++)
			return false;
	return true;
}

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("._:@+-", c));
}

/**
 * rdmablk_name_valid() - is this the name of an export, host or key?
 * @name: the characters, not necessarily terminated
 * @len: how many
 *
 * Letters, digits and ``._:@+-``, starting with a letter or a digit: safe as a
 * file name, in a log line and in a shell. The caller checks the length's
 * upper bound.
 *
 * Return: true if it is.
 */
bool rdmablk_name_valid(const char *name, size_t len)
{
	size_t i;

	if (!len || !name_char(name[0]) || strchr("._:@+-", name[0]))
		return false;
	for (i = 1; i < len; i++)
		if (!name_char(name[i]))
			return false;
	return true;
}

/**
 * rdmablk_text_valid() - may this text be shown to people?
 * @text: the field
 * @size: of the field, bytes
 *
 * Return: true if it is printable ASCII, terminated and zero-filled.
 */
bool rdmablk_text_valid(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size && text[i]; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	return i < size && rdmablk_all_zero(text + i, size - i);
}

/**
 * rdmablk_field_valid() - is there a name in a fixed field?
 * @field: the field
 * @size: of the field, bytes
 * @optional: may it be empty?
 *
 * Return: true if it is a name, terminated and zero-filled.
 */
bool rdmablk_field_valid(const char *field, size_t size, bool optional)
{
	size_t len = strnlen(field, size);

	if (len == size || !rdmablk_all_zero(field + len, size - len))
		return false;
	return len ? rdmablk_name_valid(field, len) : optional;
}
