// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: a firewall of this host that is in the way. It sees Soft-RoCE only: a
 * card handles its packets by itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "doctor.h"
#include "tree.h"

#define ROCE_PORT	"4791"	/* UDP */

/* Is @word in @line, not as a part of a longer word or number? */
static bool has_word(const char *line, const char *word)
{
	const char *at = line;
	size_t len = strlen(word);

	while ((at = strstr(at, word))) {
		if ((at == line || strchr(" \t{,-", at[-1])) &&
		    strchr(" \t\n,};-", at[len]))
			return true;
		at += len;
	}
	return false;
}

/**
 * struct reading - what was read of a ruleset
 * @dropped: first rule that drops RoCE
 * @accepts: a rule accepts it
 * @closed: chain whose policy is to drop
 * @chain: the chain that is being read
 */
struct reading {
	char dropped[160];
	bool accepts;
	char closed[64];
	char chain[64];
};

static void read_rule(struct reading *reading, const char *line)
{
	const char *start = line + strspn(line, " \t");

	/* Its first word may be followed by the name only: "chain input {". */
	if (!strncmp(start, "chain ", 6))
		snprintf(reading->chain, sizeof(reading->chain), "%.*s",
			 (int)strcspn(start + 6, " \n"), start + 6);
	if (strstr(start, "hook input") && strstr(start, "policy drop"))
		snprintf(reading->closed, sizeof(reading->closed), "%s",
			 reading->chain);
	if (!has_word(start, ROCE_PORT))
		return;
	if (has_word(start, "accept"))
		reading->accepts = true;
	else if (!reading->dropped[0] &&
		 (has_word(start, "drop") || has_word(start, "reject")))
		snprintf(reading->dropped, sizeof(reading->dropped), "%.*s",
			 (int)strcspn(start, "\n"), start);
}

static void read_rules(struct reading *reading, const char *rules)
{
	while (*rules) {
		char line[1024];
		size_t len = strcspn(rules, "\n");

		snprintf(line, sizeof(line), "%.*s\n", (int)len, rules);
		read_rule(reading, line);
		rules += len + (rules[len] == '\n');
	}
}

static void judge(struct doctor *doctor, const struct reading *reading)
{
	struct findings *findings = &doctor->findings;

	if (reading->dropped[0]) {
		found(findings, SEVERITY_ERROR, "firewall",
		      "the firewall of this host drops RoCE: '%s'",
		      reading->dropped);
		found_remedy(findings, "allow UDP port " ROCE_PORT " to and from the hosts of the storage network: 'nft -a list ruleset' has the rule's handle");
	} else if (reading->closed[0] && !reading->accepts) {
		found(findings, SEVERITY_WARNING, "firewall",
		      "the firewall of this host drops what no rule of chain %s accepts, and none names UDP port " ROCE_PORT,
		      reading->closed);
		found_remedy(findings, "let it accept 'udp dport " ROCE_PORT "' from the hosts of the storage network");
	} else {
		found(findings, SEVERITY_OK, "firewall",
		      "no rule of nftables is in the way of RoCE");
	}
}

/* Another one, that nft does not show. */
static void check_legacy(struct doctor *doctor)
{
	char table[64];

	if (!tree_line(doctor->root, table, sizeof(table),
		       "proc/net/ip_tables_names"))
		return;
	found(&doctor->findings, SEVERITY_NOTE, "firewall-legacy",
	      "there are rules of the old iptables, too, which were not looked at");
	found_remedy(&doctor->findings, "'iptables-legacy -S | grep " ROCE_PORT "'");
}

/**
 * doctor_firewall() - look for rules that drop RoCE
 * @doctor: the examination
 */
void doctor_firewall(struct doctor *doctor)
{
	struct reading reading = { .accepts = false };
	CLEANUP_FREE char *rules = NULL;
	bool software = false;
	size_t i;

	for (i = 0; i < doctor->ports.count; i++)
		software |= doctor->ports.list[i].software;
	if (!software)
		return;
	doctor->findings.group = "Firewall";
	check_legacy(doctor);
	rules = doctor->ops->ruleset();
	if (!rules) {
		found(&doctor->findings, SEVERITY_NOTE, "firewall-unknown",
		      "the firewall's rules cannot be seen: that takes root, and nft");
		return;
	}
	read_rules(&reading, rules);
	judge(doctor, &reading);
}
