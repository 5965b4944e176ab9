/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What doctor has found: what is so, how bad that is, and what to do about it.
 * Identifiers are an interface, documented in rbdctl-doctor(8).
 */
#ifndef RBDCTL_FINDING_H
#define RBDCTL_FINDING_H

#include <stddef.h>
#include <stdio.h>

enum severity {
	SEVERITY_OK,		/* as it should be */
	SEVERITY_NOTE,		/* worth knowing */
	SEVERITY_WARNING,	/* works, but not as well, or not for long */
	SEVERITY_ERROR,		/* does not work */
	NR_SEVERITIES
};

/**
 * struct finding - one of them
 * @group: what it is about, a constant
 * @id: for programs, a constant
 * @severity: how bad
 * @what: one sentence without a full stop
 * @remedy: what to do, likewise; NULL: nothing
 */
struct finding {
	const char *group;
	const char *id;
	enum severity severity;
	char *what;
	char *remedy;
};

/**
 * struct findings - all of them, in the order in which they were found
 * @group: of those that come next
 * @list: the findings
 * @count: how many
 */
struct findings {
	const char *group;
	struct finding *list;
	size_t count;
};

void found(struct findings *findings, enum severity severity, const char *id,
	   const char *format, ...) __attribute__((format(printf, 4, 5)));
void found_remedy(struct findings *findings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
enum severity findings_worst(const struct findings *findings);
void findings_print(const struct findings *findings, FILE *to);
void findings_print_json(const struct findings *findings);
void findings_free(struct findings *findings);

#endif /* RBDCTL_FINDING_H */
