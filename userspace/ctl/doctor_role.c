// SPDX-License-Identifier: GPL-2.0
/*
 * What a host is: a client, a target, or both. Nobody is asked for it, and it
 * decides what matters.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "doctor.h"
#include "rbdtab.h"
#include "tree.h"

/**
 * doctor_offers() - is the daemon of this host meant to offer something?
 * @doctor: the examination
 *
 * Return: true if its configuration has an export.
 */
bool doctor_offers(const struct doctor *doctor)
{
	char line[8];

	return tree_find(doctor->root, "[export", line, sizeof(line),
			 "etc/rdmablk/rdmablkd.conf");
}

/**
 * doctor_daemon_pid() - find the daemon's process
 * @doctor: the examination
 * @pid: set to its number
 *
 * Return: true if there is one.
 */
bool doctor_daemon_pid(const struct doctor *doctor, char pid[static 32])
{
	CLEANUP_NAMES struct tree_names names = { 0 };
	char comm[32];
	size_t i;

	tree_list(doctor->root, &names, "proc");
	for (i = 0; i < names.count; i++) {
		if (names.list[i][0] < '0' || names.list[i][0] > '9' ||
		    !tree_line(doctor->root, comm, sizeof(comm), "proc/%s/comm",
			       names.list[i]) || strcmp(comm, "rdmablkd"))
			continue;
		snprintf(pid, 32, "%s", names.list[i]);
		return true;
	}
	return false;
}

/**
 * doctor_is_target() - does this host offer, or is it meant to?
 * @doctor: the examination
 *
 * Return: true if it does.
 */
bool doctor_is_target(const struct doctor *doctor)
{
	char pid[32];

	return doctor_offers(doctor) || doctor_daemon_pid(doctor, pid);
}

/* Its rbdtab has an entry. */
static bool has_entries(const struct doctor *doctor)
{
	CLEANUP_FILE FILE *file = NULL;
	char path[PATH_MAX], line[1024];

	snprintf(path, sizeof(path), "%s" RBDTAB_FILE, doctor->root);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (!strchr("#\n", line[strspn(line, " \t")]))
			return true;
	return false;
}

static bool attaches(const struct doctor *doctor)
{
	return doctor->target || has_entries(doctor) ||
	       tree_exists(doctor->root, "sys/module/rdmablk");
}

/**
 * doctor_is_client() - does this host attach, or is it meant to?
 * @doctor: the examination
 *
 * Who is not even a target wants to become a client.
 *
 * Return: true if it does.
 */
bool doctor_is_client(const struct doctor *doctor)
{
	return attaches(doctor) || !doctor_is_target(doctor);
}

/**
 * doctor_is_new() - is this host still to become what it is meant to be?
 * @doctor: the examination
 *
 * Return: true if it is neither a target nor a client.
 */
bool doctor_is_new(const struct doctor *doctor)
{
	return !attaches(doctor) && !doctor_is_target(doctor);
}
