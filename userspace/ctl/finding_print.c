// SPDX-License-Identifier: GPL-2.0
/*
 * What doctor has found: as text of 80 columns, by groups, and as JSON.
 */
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "finding.h"
#include "report.h"

#define WIDTH	80
#define INDENT	11	/* of what is found: two, a severity, one */

static const char *const severities[NR_SEVERITIES] = {
	[SEVERITY_OK]		= "ok",
	[SEVERITY_NOTE]		= "note",
	[SEVERITY_WARNING]	= "warning",
	[SEVERITY_ERROR]	= "error",
};

/* Breaks lines at spaces; all begin at @indent, where the first one is already. */
static void print_wrapped(FILE *to, const char *text, int indent)
{
	size_t column = (size_t)indent, len;
	const char *word = text;

	for (; *word; word += len) {
		word += strspn(word, " ");
		len = strcspn(word, " ");
		if (word != text && column + 1 + len > WIDTH) {
			fprintf(to, "\n%*s", indent, "");
			column = (size_t)indent;
		} else if (word != text) {
			putc(' ', to);
			column++;
		}
		fprintf(to, "%.*s", (int)len, word);
		column += len;
	}
	putc('\n', to);
}

static void print_finding(FILE *to, const struct finding *finding)
{
	static const char try[] = "-> ";

	fprintf(to, "  %-*s", INDENT - 2, severities[finding->severity]);
	print_wrapped(to, finding->what, INDENT);
	if (!finding->remedy)
		return;
	fprintf(to, "%*s%s", INDENT, "", try);
	print_wrapped(to, finding->remedy, INDENT + (int)strlen(try));
}

static const char *verdict(enum severity worst)
{
	switch (worst) {
	case SEVERITY_ERROR:
		return "Something does not work";
	case SEVERITY_WARNING:
		return "It works, but look at the warnings";
	default:
		return "Nothing is wrong";
	}
}

/* The worst first; of what there is none is not told. */
static void print_summary(FILE *to, const struct findings *findings)
{
	static const char *const plurals[NR_SEVERITIES] = { "", "s", "s", "s" };
	size_t count[NR_SEVERITIES] = { 0 }, i;
	const char *separator = ": ";

	for (i = 0; i < findings->count; i++)
		count[findings->list[i].severity]++;
	fprintf(to, "\n%s", verdict(findings_worst(findings)));
	for (i = NR_SEVERITIES; i-- > 0;) {
		if (!count[i])
			continue;
		fprintf(to, "%s%zu %s%s", separator, count[i], severities[i],
			count[i] == 1 ? "" : plurals[i]);
		separator = ", ";
	}
	putc('\n', to);
}

/**
 * findings_print() - for people
 * @findings: all of them
 * @to: where to
 */
void findings_print(const struct findings *findings, FILE *to)
{
	const char *group = NULL;
	size_t i;

	for (i = 0; i < findings->count; i++) {
		if (group != findings->list[i].group)
			fprintf(to, "%s%s\n", i ? "\n" : "",
				findings->list[i].group);
		group = findings->list[i].group;
		print_finding(to, &findings->list[i]);
	}
	print_summary(to, findings);
}

/* One member of a finding. */
static void add_text(struct json_object *object, const char *key,
		     const char *text)
{
	json_object_object_add(object, key,
			       text ? json_object_new_string(text) : NULL);
}

/**
 * findings_print_json() - for programs
 * @findings: all of them
 */
void findings_print_json(const struct findings *findings)
{
	CLEANUP_JSON struct json_object *json = json_object_new_object();
	struct json_object *list = json_object_new_array(), *object;
	const struct finding *finding;

	for (finding = findings->list;
	     finding < findings->list + findings->count; finding++) {
		object = json_object_new_object();
		add_text(object, "group", finding->group);
		add_text(object, "id", finding->id);
		add_text(object, "severity", severities[finding->severity]);
		add_text(object, "what", finding->what);
		add_text(object, "remedy", finding->remedy);
		json_object_array_add(list, object);
	}
	add_text(json, "worst", severities[findings_worst(findings)]);
	json_object_object_add(json, "findings", list);
	print_json(json);
}
