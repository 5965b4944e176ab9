/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What rbdctl says: results on standard output, as text or as JSON, and errors
 * on standard error, always as text.
 */
#ifndef RBDCTL_REPORT_H
#define RBDCTL_REPORT_H

#include <json-c/json.h>
#include <stdbool.h>

#include "exits.h"
#include "reason.h"

extern bool report_json;	/* set by -o json */
extern bool report_muted;	/* nothing is said: not for the first time */

enum rbdctl_exit fail(enum rbdctl_exit code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
enum rbdctl_exit fail_reason(enum rbdctl_exit code, const struct reason *why);
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void remedy(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *quote(const char *text);
void print_json(struct json_object *object);
void print_json_line(struct json_object *object);

#endif /* RBDCTL_REPORT_H */
