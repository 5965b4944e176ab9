// SPDX-License-Identifier: GPL-2.0
/*
 * Network addresses as people write them.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "addr.h"

static int parse_port(const char *text, uint16_t *port)
{
	unsigned long number;
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	number = strtoul(text, &end, 10);
	if (*end || !number || number > UINT16_MAX)
		return -EINVAL;
	*port = (uint16_t)number;
	return 0;
}

/**
 * addr_split() - take host and port apart
 * @text: HOST, HOST:PORT, IPV6, [IPV6] or [IPV6]:PORT
 * @host: set to the host, without brackets
 * @port: set to the port if @text has one, left as it is otherwise
 *
 * Return: 0; -EINVAL when the host is empty or too long, or the port not from
 * 1 to 65535.
 */
int addr_split(const char *text, char host[static ADDR_HOST_MAX],
	       uint16_t *port)
{
	const char *start = text, *end, *rest;

	if (*text == '[') {
		start++;
		end = strchr(start, ']');
		if (!end)
			return -EINVAL;
		rest = end + 1;
	} else {
		end = strchr(text, ':');
		if (!end || strchr(end + 1, ':'))	/* IPv6 has two */
			end = text + strlen(text);
		rest = end;
	}

	if (end == start || end - start >= ADDR_HOST_MAX)
		return -EINVAL;
	memcpy(host, start, (size_t)(end - start));
	host[end - start] = '\0';
	if (*rest == ':')
		return parse_port(rest + 1, port);
	return *rest ? -EINVAL : 0;
}

/**
 * addr_resolve() - find the address of a host
 * @host: name or address
 * @port: goes into the address
 * @passive: to listen on: names of other hosts are of no use
 * @addr: set to the first address found
 * @why: on failure set to a constant text that says why
 *
 * May ask the network, and block, if @host is a name.
 *
 * Return: 0 or -EHOSTUNREACH.
 */
int addr_resolve(const char *host, uint16_t port, bool passive,
		 union addr *addr, const char **why)
{
	struct addrinfo hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = passive ? AI_PASSIVE : 0,
	};
	struct addrinfo *list;
	int err;

	err = getaddrinfo(host, NULL, &hints, &list);
	if (err) {
		*why = err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err);
		return -EHOSTUNREACH;
	}
	memset(addr, 0, sizeof(*addr));
	memcpy(addr, list->ai_addr, list->ai_addrlen);
	freeaddrinfo(list);
	if (addr->sa.sa_family == AF_INET6)
		addr->in6.sin6_port = htons(port);
	else
		addr->in.sin_port = htons(port);
	return 0;
}

/**
 * addr_set_sockaddr() - the address that somebody else tells
 * @addr: where to; what the address does not fill is zero
 * @sa: as long as its family says; may be NULL
 *
 * Return: false if it is neither of IPv4 nor of IPv6; then the family is AF_UNSPEC.
 */
bool addr_set_sockaddr(union addr *addr, const struct sockaddr *sa)
{
	*addr = (union addr){ .storage.ss_family = AF_UNSPEC };
	if (sa && sa->sa_family == AF_INET)
		memcpy(&addr->in, sa, sizeof(addr->in));
	else if (sa && sa->sa_family == AF_INET6)
		memcpy(&addr->in6, sa, sizeof(addr->in6));
	return addr->sa.sa_family != AF_UNSPEC;
}

/* Rewrites an IPv4 address that came mapped into IPv6. */
static union addr unmapped(const union addr *addr)
{
	union addr plain = *addr;

	if (addr->sa.sa_family == AF_INET6 &&
	    IN6_IS_ADDR_V4MAPPED(&addr->in6.sin6_addr)) {
		memset(&plain, 0, sizeof(plain));
		plain.in.sin_family = AF_INET;
		plain.in.sin_port = addr->in6.sin6_port;
		memcpy(&plain.in.sin_addr, &addr->in6.sin6_addr.s6_addr[12], 4);
	}
	return plain;
}

/**
 * addr_set_gid() - the address that a GID of RoCE is
 * @addr: has another; keeps its port, and its interface if it is IPv6
 * @gid: in network byte order, as everywhere
 */
void addr_set_gid(union addr *addr, const uint8_t gid[static ADDR_GID_SIZE])
{
	union addr new = { .in6 = {
		.sin6_family = AF_INET6, .sin6_port = addr->in6.sin6_port,
	} };

	if (addr->sa.sa_family == AF_INET6)
		new.in6.sin6_scope_id = addr->in6.sin6_scope_id;
	memcpy(&new.in6.sin6_addr, gid, ADDR_GID_SIZE);
	*addr = unmapped(&new);
}

/**
 * addr_same_host() - do two addresses name the same host, whatever the port?
 * @a: an address
 * @b: another
 *
 * Return: true if they do.
 */
bool addr_same_host(const union addr *a, const union addr *b)
{
	union addr x = unmapped(a), y = unmapped(b);

	if (x.sa.sa_family != y.sa.sa_family)
		return false;
	if (x.sa.sa_family == AF_INET)
		return x.in.sin_addr.s_addr == y.in.sin_addr.s_addr;
	return IN6_ARE_ADDR_EQUAL(&x.in6.sin6_addr, &y.in6.sin6_addr) &&
	       x.in6.sin6_scope_id == y.in6.sin6_scope_id;
}

/**
 * addr_host_text() - write an address without its port
 * @addr: the address
 * @buf: where the text goes
 *
 * Return: @buf.
 */
const char *addr_host_text(const union addr *addr,
			   char buf[static ADDR_TEXT_MAX])
{
	union addr plain = unmapped(addr);
	socklen_t len = plain.sa.sa_family == AF_INET6 ? sizeof(plain.in6) :
							 sizeof(plain.in);

	if (getnameinfo(&plain.sa, len, buf, ADDR_TEXT_MAX, NULL, 0,
			NI_NUMERICHOST))
		snprintf(buf, ADDR_TEXT_MAX, "unknown address");
	return buf;
}

/**
 * addr_text() - write an address with its port
 * @addr: the address
 * @buf: where the text goes
 *
 * Return: @buf, which addr_split() reads again.
 */
const char *addr_text(const union addr *addr, char buf[static ADDR_TEXT_MAX])
{
	union addr plain = unmapped(addr);
	char host[ADDR_TEXT_MAX];

	addr_host_text(&plain, host);
	if (plain.sa.sa_family == AF_INET6)
		snprintf(buf, ADDR_TEXT_MAX, "[%.70s]:%u", host,
			 ntohs(plain.in6.sin6_port));
	else
		snprintf(buf, ADDR_TEXT_MAX, "%.70s:%u", host,
			 ntohs(plain.in.sin_port));
	return buf;
}
