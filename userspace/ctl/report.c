// SPDX-License-Identifier: GPL-2.0
/*
 * Results and errors. See report.h.
 *
 * An error is one line, "rbdctl: what failed: why", and, where there is
 * something to try, a second, indented one.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

#define QUOTES		4	/* results of quote() that are valid at once */
#define QUOTE_MAX	320	/* longer text is cut */

bool report_json;
bool report_muted;

static void print_line(const char *prefix, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static void print_line(const char *prefix, const char *format, va_list args)
{
	if (report_muted)
		return;
	/* What was printed before must not appear after the error. */
	fflush(stdout);
	fputs(prefix, stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/**
 * fail() - say what failed
 * @code: how to exit
 * @format: what failed, on what, and why, without a full stop
 *
 * Return: @code, so that it can end a function.
 */
enum rbdctl_exit fail(enum rbdctl_exit code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("rbdctl: ", format, args);
	va_end(args);
	return code;
}

/**
 * note() - say something that is not a failure
 * @format: what, without a full stop
 */
void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("rbdctl: ", format, args);
	va_end(args);
}

/**
 * remedy() - say what to try after a failure
 * @format: what, without a full stop
 */
void remedy(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_line("        ", format, args);
	va_end(args);
}

/**
 * fail_reason() - say why a function of the library failed, and what to try
 * @code: how to exit
 * @why: set by that function
 *
 * Return: @code, so that it can end a function.
 */
enum rbdctl_exit fail_reason(enum rbdctl_exit code, const struct reason *why)
{
	fail(code, "%s", why->message);
	if (why->hint[0])
		remedy("%s", why->hint);
	return code;
}

static size_t quote_char(char *out, unsigned char c)
{
	if (c == '\n')
		return sprintf(out, "\\n");
	if (c == '\\' || c == '\'')
		return sprintf(out, "\\%c", c);
	if (c < 0x20 || c == 0x7f)
		return sprintf(out, "\\x%02x", c);
	*out = (char)c;
	return 1;
}

/**
 * quote() - make text that the user gave fit to be shown
 * @text: anything
 *
 * Control characters would garble the line, or the terminal.
 *
 * Return: the text in quotes, cut when it is very long; valid until the
 * fourth next call.
 */
const char *quote(const char *text)
{
	static char results[QUOTES][QUOTE_MAX + 16];
	static unsigned int next;
	char *result = results[next++ % QUOTES];
	size_t len = 0;

	result[len++] = '\'';
	while (*text && len < QUOTE_MAX)
		len += quote_char(result + len, (unsigned char)*text++);
	strcpy(result + len, *text ? "...'" : "'");
	return result;
}

/**
 * print_json() - print a result for programs
 * @object: stays the caller's
 */
void print_json(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					    JSON_C_TO_STRING_SPACED |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
}

/**
 * print_json_line() - print one of many results for programs, on a line
 * @object: stays the caller's
 */
void print_json_line(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
}
