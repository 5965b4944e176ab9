/* SPDX-License-Identifier: GPL-2.0 */
/* A line of what `show` prints: a name and what there is to say. */
#ifndef RBDCTL_ROW_H
#define RBDCTL_ROW_H

void row(const char *name, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* RBDCTL_ROW_H */
