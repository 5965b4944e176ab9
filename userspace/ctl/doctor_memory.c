// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: memory that a target can lock, hugepages, and what its devices
 * register in one piece.
 */
#include <inttypes.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "doctor.h"
#include "macros.h"
#include "procfile.h"
#include "size.h"
#include "tree.h"

#define LITTLE_LOCKED	((uint64_t)64 << 20)	/* no export worth its name */
#define LITTLE_MR	((uint64_t)1 << 30)

/* Capabilities as proc has them, and whether they lift the limit. */
static bool may_lock_all(const struct doctor *doctor, const char *pid)
{
	uint64_t capabilities;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc/%s/status", doctor->root, pid);
	return !procfile_hex_field(path, "CapEff", &capabilities) &&
	       (capabilities & ((uint64_t)1 << CAP_IPC_LOCK));
}

static void check_memlock(struct doctor *doctor)
{
	struct findings *findings = &doctor->findings;
	char pid[32] = "self", limit[256], text[SIZE_TEXT_MAX];
	bool runs = doctor_daemon_pid(doctor, pid);
	const char *who = runs ? "rdmablkd" : "a daemon that is started from here";
	uint64_t bytes;
	char *end;

	if (!tree_find(doctor->root, "Max locked memory", limit, sizeof(limit),
		       "proc/%s/limits", pid))
		return;
	bytes = strtoull(limit + strspn(limit, " "), &end, 10);
	if (end == limit + strspn(limit, " ") || may_lock_all(doctor, pid)) {
		found(findings, SEVERITY_OK, "memlock",
		      "%s may lock all memory", who);
		return;
	}
	found(findings, bytes < LITTLE_LOCKED ? SEVERITY_ERROR :
	      SEVERITY_WARNING, "memlock",
	      "%s may lock %s of memory (RLIMIT_MEMLOCK), and each export needs all of its size, once for writers and once for readers",
	      who, size_text(bytes, text));
	found_remedy(findings, "LimitMEMLOCK=infinity in its unit, as rdmablkd.service has it, or 'ulimit -l unlimited' before it is started");
}

/* Size of the pages of a directory "hugepages-2048kB", bytes. */
static uint64_t page_size(const char *name)
{
	const char *number = strchr(name, '-');

	return number ? strtoull(number + 1, NULL, 10) << 10 : 0;
}

static void check_size(struct doctor *doctor, const char *word)
{
	struct findings *findings = &doctor->findings;
	uint64_t size, pages = 0;

	if (size_parse(word, &size))
		return;
	tree_number(doctor->root, &pages,
		    "sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages",
		    size >> 10);
	if (pages)
		return;
	found(findings, SEVERITY_ERROR, "hugepages-missing",
	      "rdmablkd.conf has hugepages = %s, but none of that size are set aside",
	      word);
	found_remedy(findings, "'echo N >/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages', best at boot, or hugepages = off",
		     size >> 10);
}

/* What the exports of the configuration ask for, each size once. */
static void check_wanted(struct doctor *doctor)
{
	static const char *const sizes[] = { "2M", "1G" };
	CLEANUP_FILE FILE *file = NULL;
	char path[PATH_MAX], line[256], word[16];
	bool wanted[ARRAY_SIZE(sizes)] = { false };
	size_t i;

	snprintf(path, sizeof(path), "%s/etc/rdmablk/rdmablkd.conf",
		 doctor->root);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " hugepages = %15s", word) != 1)
			continue;
		for (i = 0; i < ARRAY_SIZE(sizes); i++)
			wanted[i] |= !strcasecmp(word, sizes[i]);
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		if (wanted[i])
			check_size(doctor, sizes[i]);
}

static void check_hugepages(struct doctor *doctor)
{
	struct findings *findings = &doctor->findings;
	CLEANUP_NAMES struct tree_names names = { 0 };
	char text[SIZE_TEXT_MAX], left[SIZE_TEXT_MAX];
	uint64_t pages, free_pages, any = 0;
	size_t i;

	tree_list(doctor->root, &names, "sys/kernel/mm/hugepages");
	for (i = 0; i < names.count; i++) {
		if (!tree_number(doctor->root, &pages,
				 "sys/kernel/mm/hugepages/%s/nr_hugepages",
				 names.list[i]) || !pages ||
		    !tree_number(doctor->root, &free_pages,
				 "sys/kernel/mm/hugepages/%s/free_hugepages",
				 names.list[i]))
			continue;
		any += pages;
		found(findings, SEVERITY_OK, "hugepages",
		      "%" PRIu64 " hugepages of %s, %s of them free", pages,
		      size_text(page_size(names.list[i]), text),
		      free_pages ? size_text(free_pages *
					     page_size(names.list[i]), left) :
		      "none");
	}
	if (any)
		return;
	found(findings, SEVERITY_NOTE, "hugepages",
	      "no hugepages are set aside; exports in them are registered faster, and the card looks their addresses up faster");
	found_remedy(findings, "'sysctl vm.nr_hugepages=N' (of 2 MiB), then hugepages = 2M in rdmablkd.conf");
}

static void check_registration(struct doctor *doctor)
{
	const struct rdma_port *port;
	struct doctor_port facts;
	char text[SIZE_TEXT_MAX];
	size_t i;

	for (i = 0; i < doctor->ports.count; i++) {
		port = &doctor->ports.list[i];
		if (port->port != 1 || port->iwarp ||
		    doctor->ops->port(port->device, 1, &facts) ||
		    facts.max_mr_size >= LITTLE_MR)
			continue;
		found(&doctor->findings, SEVERITY_WARNING, "max-mr-size",
		      "%s registers no more than %s in one piece: exports are registered in many",
		      port->device, size_text(facts.max_mr_size, text));
		found_remedy(&doctor->findings, "a newer driver or firmware of the card may do more");
	}
}

/**
 * doctor_memory() - look at a target's memory
 * @doctor: the examination
 *
 * A client locks nothing and registers nothing.
 */
void doctor_memory(struct doctor *doctor)
{
	doctor->findings.group = "Memory for exports";
	if (!doctor_is_target(doctor))
		return;
	check_memlock(doctor);
	check_wanted(doctor);
	check_hugepages(doctor);
	check_registration(doctor);
}
