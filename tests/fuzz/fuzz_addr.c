// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses as people write them (lib/addr.c). Names are not looked up: only
 * what is numeric is resolved.
 */
#include <arpa/inet.h>

#include "addr.h"
#include "input.h"

static bool numeric(const char *host)
{
	struct in6_addr addr;

	return inet_pton(AF_INET, host, &addr) == 1 ||
	       inet_pton(AF_INET6, host, &addr) == 1;
}

/* An address that is written is the same when it is read again. */
static void round_trip(const union addr *addr)
{
	char text[ADDR_TEXT_MAX], host[ADDR_HOST_MAX];
	uint16_t port = 0;
	union addr again;
	const char *why;

	addr_text(addr, text);
	MUST(!addr_split(text, host, &port));
	MUST(!addr_resolve(host, port, false, &again, &why));
	MUST(addr_same_host(addr, &again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size), host[ADDR_HOST_MAX];
	uint16_t port = 1;
	union addr addr;
	const char *why;

	if (!addr_split(text, host, &port)) {
		MUST(port && *host && strlen(host) <= strlen(text));
		if (numeric(host) && !addr_resolve(host, port, false, &addr, &why))
			round_trip(&addr);
	}
	free(text);
	return 0;
}
