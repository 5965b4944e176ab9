// SPDX-License-Identifier: GPL-2.0
/*
 * What doctor has found: collecting it. See finding.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "finding.h"

static char *make_text(const char *format, va_list args)
	__attribute__((format(printf, 1, 0)));

static char *make_text(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		abort();
	return text;
}

/**
 * found() - add a finding
 * @findings: to these
 * @severity: how bad it is
 * @id: what kind it is of, for programs
 * @format: what it is, one sentence without a full stop
 */
void found(struct findings *findings, enum severity severity, const char *id,
	   const char *format, ...)
{
	struct finding *list = reallocarray(findings->list, findings->count + 1,
					    sizeof(*list));
	va_list args;

	if (!list)
		abort();
	findings->list = list;
	va_start(args, format);
	list[findings->count++] = (struct finding){
		.group = findings->group, .id = id, .severity = severity,
		.what = make_text(format, args),
	};
	va_end(args);
}

/**
 * found_remedy() - what to do about the latest finding
 * @findings: there is one at least
 * @format: what, without a full stop
 */
void found_remedy(struct findings *findings, const char *format, ...)
{
	struct finding *latest = &findings->list[findings->count - 1];
	va_list args;

	free(latest->remedy);
	va_start(args, format);
	latest->remedy = make_text(format, args);
	va_end(args);
}

/**
 * findings_worst() - how bad is it all in all?
 * @findings: all of them
 *
 * Return: the severity of the worst one.
 */
enum severity findings_worst(const struct findings *findings)
{
	enum severity worst = SEVERITY_OK;
	size_t i;

	for (i = 0; i < findings->count; i++)
		if (findings->list[i].severity > worst)
			worst = findings->list[i].severity;
	return worst;
}

/**
 * findings_free() - release them
 * @findings: all of them
 */
void findings_free(struct findings *findings)
{
	size_t i;

	for (i = 0; i < findings->count; i++) {
		free(findings->list[i].what);
		free(findings->list[i].remedy);
	}
	free(findings->list);
	*findings = (struct findings){ 0 };
}
