// SPDX-License-Identifier: GPL-2.0
/*
 * Network links: can one carry what is sent from an address? The port of an RDMA device
 * tells so later than the interface does.
 */
#include <net/if.h>

#include "addr.h"
#include "link.h"

/* The connection manager does not tell the interface of an address of IPv6. */
static bool has(const struct ifaddrs *entry, const union addr *addr)
{
	union addr own;

	if (!addr_set_sockaddr(&own, entry->ifa_addr))
		return false;
	if (addr->sa.sa_family == AF_INET6 && !addr->in6.sin6_scope_id &&
	    own.sa.sa_family == AF_INET6)
		own.in6.sin6_scope_id = 0;
	return addr_same_host(&own, addr);
}

/**
 * link_in_list_carries() - can what is sent from an address leave?
 * @list: of getifaddrs(); NULL: nothing is known
 * @from: the address
 *
 * Return: true if an interface that has the address is up and has a carrier, or if
 * that cannot be told.
 */
bool link_in_list_carries(const struct ifaddrs *list,
			  const struct sockaddr *from)
{
	const unsigned int runs = IFF_UP | IFF_RUNNING;
	const struct ifaddrs *entry;
	union addr addr;

	if (!list || !addr_set_sockaddr(&addr, from))
		return true;
	for (entry = list; entry; entry = entry->ifa_next)
		if ((entry->ifa_flags & runs) == runs && has(entry, &addr))
			return true;
	return false;
}

/**
 * link_carries() - can what is sent from an address leave now?
 * @from: the address
 *
 * Return: see link_in_list_carries().
 */
bool link_carries(const struct sockaddr *from)
{
	struct ifaddrs *list;
	bool carries;

	if (getifaddrs(&list))
		return true;
	carries = link_in_list_carries(list, from);
	freeifaddrs(list);
	return carries;
}
