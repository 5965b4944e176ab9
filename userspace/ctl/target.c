// SPDX-License-Identifier: GPL-2.0
/*
 * The argument TARGET[:PORT]. A host may have several addresses, of which not
 * all lead there over RDMA: the list keeps them all.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "target.h"
#include "uapi/rdmablk_proto.h"

/**
 * target_parse() - take the argument apart
 * @text: as the user wrote it
 * @target: filled in, but for the addresses
 *
 * Return: EXIT_OK, or EXIT_USAGE after the fault was printed.
 */
enum rbdctl_exit target_parse(const char *text, struct target *target)
{
	memset(target, 0, sizeof(*target));
	target->port = RDMABLK_PORT;
	if (!addr_split(text, target->host, &target->port))
		return EXIT_OK;
	fail(EXIT_USAGE, "%s is not a target", quote(text));
	remedy("write HOST, HOST:PORT, [IPV6] or [IPV6]:PORT, with a port from 1 to 65535");
	return EXIT_USAGE;
}

/**
 * target_lookup() - look its addresses up, and say nothing
 * @target: parsed; @target->list is set on success, for freeaddrinfo()
 *
 * Return: NULL, or why there are none.
 */
const char *target_lookup(struct target *target)
{
	const struct addrinfo hints = {
		.ai_family	= AF_UNSPEC,
		.ai_socktype	= SOCK_STREAM,
		.ai_flags	= AI_NUMERICSERV,
	};
	char port[8];
	int error;

	snprintf(port, sizeof(port), "%u", target->port);
	error = getaddrinfo(target->host, port, &hints, &target->list);
	if (!error)
		return NULL;
	return error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error);
}

/**
 * target_resolve() - look its addresses up
 * @target: parsed; @target->list is set on success, for freeaddrinfo()
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit target_resolve(struct target *target)
{
	const char *why = target_lookup(target);

	if (!why)
		return EXIT_OK;
	fail(EXIT_NOT_FOUND, "cannot find the host %s: %s",
	     quote(target->host), why);
	remedy("check the spelling, or give the host's address");
	return EXIT_NOT_FOUND;
}

/**
 * target_source() - parse the address to connect from
 * @text: a numeric address, or NULL: any will do
 * @source: filled in; family AF_UNSPEC when any will do
 *
 * Return: EXIT_OK, or EXIT_USAGE after the fault was printed.
 */
enum rbdctl_exit target_source(const char *text, union addr *source)
{
	const struct addrinfo hints = {
		.ai_family	= AF_UNSPEC,
		.ai_socktype	= SOCK_STREAM,
		.ai_flags	= AI_NUMERICHOST,
	};
	struct addrinfo *list;

	memset(source, 0, sizeof(*source));
	if (!text)
		return EXIT_OK;
	if (getaddrinfo(text, NULL, &hints, &list))
		return fail(EXIT_USAGE, "--source takes an IPv4 or IPv6 address of this host, not %s",
			    quote(text));
	memcpy(source, list->ai_addr, list->ai_addrlen);
	freeaddrinfo(list);
	return EXIT_OK;
}
