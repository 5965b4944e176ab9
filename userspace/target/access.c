// SPDX-License-Identifier: GPL-2.0
/*
 * Access rules of an export, as they are written: CLIENT[:ro|:rw][@ADDRESS[/BITS]],
 * several of them separated by blanks. "any" stands for all clients, "none", alone,
 * for no rule at all: nobody is admitted.
 *
 * Rules only add: a client may do what any of the rules that fit it says.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "cleanup.h"
#include "secret.h"

#define MAPPED_BITS	96	/* before an IPv4 address that is mapped into IPv6 */

static void map_v4(const struct in_addr *in, struct in6_addr *out)
{
	*out = (struct in6_addr){ .s6_addr = { [10] = 0xff, [11] = 0xff } };
	memcpy(out->s6_addr + 12, in, sizeof(*in));
}

static bool same_bits(const struct in6_addr *a, const struct in6_addr *b,
		      unsigned int bits)
{
	unsigned int i;

	for (i = 0; i < bits; i++)
		if ((a->s6_addr[i / 8] ^ b->s6_addr[i / 8]) & (0x80 >> i % 8))
			return false;
	return true;
}

/* Bits of the host would be ignored: more likely they are a mistake. */
static bool ends_at(const struct in6_addr *net, unsigned int prefix)
{
	unsigned int i;

	for (i = prefix; i < 128; i++)
		if (net->s6_addr[i / 8] & (0x80 >> i % 8))
			return false;
	return true;
}

static int parse_net(struct access_rule *rule, char *text, struct reason *why)
{
	char *slash = strchr(text, '/'), *end = NULL;
	unsigned int most = 128;
	unsigned long bits;
	struct in_addr v4;

	if (slash)
		*slash = '\0';
	if (inet_pton(AF_INET, text, &v4) == 1) {
		map_v4(&v4, &rule->net);
		most = 32;
	} else if (inet_pton(AF_INET6, text, &rule->net) != 1) {
		return reason_set(why, -EINVAL, "'%s' is not an address", text);
	}
	bits = most;
	if (slash)
		bits = strtoul(slash + 1, &end, 10);
	if (slash && (slash[1] < '0' || slash[1] > '9' || *end || bits > most))
		return reason_set(why, -EINVAL, "'%s' is not a number of bits from 0 to %u",
				  slash + 1, most);
	rule->has_net = true;
	rule->prefix = (unsigned int)bits + (most == 32 ? MAPPED_BITS : 0);
	if (!ends_at(&rule->net, rule->prefix))
		return reason_set(why, -EINVAL, "'%s' has more bits than /%lu keeps",
				  text, bits);
	return 0;
}

static int parse_mode(struct access_rule *rule, const char *text,
		      struct reason *why)
{
	if (strcmp(text, "ro") && strcmp(text, "rw"))
		return reason_set(why, -EINVAL, "access is ro or rw, not '%s'",
				  text);
	rule->write = !strcmp(text, "rw");
	return 0;
}

static int parse_rule(struct access_rule *rule, char *text, struct reason *why)
{
	char *net = strchr(text, '@'), *mode;
	int err = 0;

	*rule = (struct access_rule){ .write = true };
	if (net)
		*net++ = '\0';
	mode = strchr(text, ':');
	if (mode)
		*mode++ = '\0';
	if (strcmp(text, "any")) {
		if (!secret_name_valid(text))
			return reason_set(why, -EINVAL, "'%s' is not the name of a key",
					  text);
		memcpy(rule->client, text, strlen(text) + 1);
	}
	if (mode)
		err = parse_mode(rule, mode, why);
	if (!err && net)
		err = parse_net(rule, net, why);
	return err;
}

/* Puts the rule in front of what is wrong with it. */
static int blame(const char *text, int err, struct reason *why)
{
	struct reason inner = *why;

	reason_set(why, err, "rule '%.100s': %.300s", text, inner.message);
	reason_hint(why, "a rule is CLIENT[:ro|:rw][@ADDRESS[/BITS]], CLIENT the name of a key or 'any'");
	return err;
}

static int add_rule(struct access *access, const char *text, struct reason *why)
{
	CLEANUP_FREE char *copy = strdup(text);
	int err;

	if (!copy)
		return reason_set(why, -ENOMEM, "out of memory");
	if (access->nr == ACCESS_RULES_MAX)
		return reason_set(why, -E2BIG, "an export has more than %d access rules",
				  ACCESS_RULES_MAX);
	err = parse_rule(&access->rule[access->nr], copy, why);
	if (err)
		return blame(text, err, why);
	access->nr++;
	return 0;
}

/**
 * access_add() - add rules to those of an export
 * @access: the rules
 * @text: one or more, separated by blanks; "none" only says that others do not count
 * @why: set on failure
 *
 * Return: 0, -EINVAL, -E2BIG or -ENOMEM.
 */
int access_add(struct access *access, const char *text, struct reason *why)
{
	CLEANUP_FREE char *copy = strdup(text);
	char *rest = copy, *word;
	unsigned int words = 0;
	int err = 0;

	if (!copy)
		return reason_set(why, -ENOMEM, "out of memory");
	while (!err && (word = strsep(&rest, " \t"))) {
		if (!*word)
			continue;
		words++;
		if (strcmp(word, "none"))
			err = add_rule(access, word, why);
	}
	if (!err && !words)
		return reason_set(why, -EINVAL, "no access rule: write 'none' if nobody may open the export");
	access->restricted = true;
	return err;
}

static bool fits(const struct access_rule *rule, const char *client,
		 const struct in6_addr *from)
{
	return (!rule->client[0] || !strcmp(rule->client, client)) &&
	       (!rule->has_net || same_bits(&rule->net, from, rule->prefix));
}

/**
 * access_granted() - what may a client do?
 * @access: the rules
 * @client: name of the key that it has proved to have; empty: of none
 * @peer: where it comes from
 *
 * Return: enum rdmablk_access, or zero: nothing.
 */
unsigned int access_granted(const struct access *access, const char *client,
			    const union addr *peer)
{
	struct in6_addr from = peer->in6.sin6_addr;
	unsigned int granted = 0, i;

	if (!access->restricted)
		return RDMABLK_ACCESS_RW;
	if (peer->sa.sa_family == AF_INET)
		map_v4(&peer->in.sin_addr, &from);
	for (i = 0; i < access->nr; i++) {
		if (!fits(&access->rule[i], client, &from))
			continue;
		if (access->rule[i].write)
			return RDMABLK_ACCESS_RW;
		granted = RDMABLK_ACCESS_RO;
	}
	return granted;
}

/**
 * access_admits() - may a client go on with what it does?
 * @access: the rules
 * @client: as for access_granted()
 * @peer: likewise
 * @write: it writes
 *
 * Return: true if it may.
 */
bool access_admits(const struct access *access, const char *client,
		   const union addr *peer, bool write)
{
	unsigned int granted = access_granted(access, client, peer);

	return write ? granted == RDMABLK_ACCESS_RW : granted;
}

/**
 * access_text() - a rule as it is written
 * @rule: the rule
 * @buf: where the text goes
 *
 * Return: @buf.
 */
const char *access_text(const struct access_rule *rule,
			char buf[static ACCESS_TEXT_MAX])
{
	bool v4 = IN6_IS_ADDR_V4MAPPED(&rule->net) && rule->prefix >= MAPPED_BITS;
	char addr[INET6_ADDRSTRLEN];
	int len;

	len = snprintf(buf, ACCESS_TEXT_MAX, "%s:%s",
		       rule->client[0] ? rule->client : "any",
		       rule->write ? "rw" : "ro");
	if (!rule->has_net)
		return buf;
	inet_ntop(v4 ? AF_INET : AF_INET6, v4 ? rule->net.s6_addr + 12 :
		  rule->net.s6_addr, addr, sizeof(addr));
	snprintf(buf + len, ACCESS_TEXT_MAX - (size_t)len, "@%s/%u", addr,
		 rule->prefix - (v4 ? MAPPED_BITS : 0));
	return buf;
}
