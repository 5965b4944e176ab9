/* SPDX-License-Identifier: GPL-2.0 */
/* Network addresses as people write them: HOST, HOST:PORT, [IPV6]:PORT. */
#ifndef RDMABLK_LIB_ADDR_H
#define RDMABLK_LIB_ADDR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define ADDR_HOST_MAX	256	/* host name, NUL included */
#define ADDR_TEXT_MAX	80	/* what addr_text() needs, bytes */
#define ADDR_GID_SIZE	16

/**
 * union addr - an IPv4 or IPv6 address with its port
 * @sa: for the system calls
 * @in: when @sa.sa_family is AF_INET
 * @in6: when @sa.sa_family is AF_INET6
 * @storage: as large as any
 */
union addr {
	struct sockaddr		sa;
	struct sockaddr_in	in;
	struct sockaddr_in6	in6;
	struct sockaddr_storage	storage;
};

int addr_split(const char *text, char host[static ADDR_HOST_MAX],
	       uint16_t *port);
int addr_resolve(const char *host, uint16_t port, bool passive,
		 union addr *addr, const char **why);
bool addr_set_sockaddr(union addr *addr, const struct sockaddr *sa);
void addr_set_gid(union addr *addr, const uint8_t gid[static ADDR_GID_SIZE]);
bool addr_same_host(const union addr *a, const union addr *b);
const char *addr_text(const union addr *addr, char buf[static ADDR_TEXT_MAX]);
const char *addr_host_text(const union addr *addr,
			   char buf[static ADDR_TEXT_MAX]);

#endif /* RDMABLK_LIB_ADDR_H */
