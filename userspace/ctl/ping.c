// SPDX-License-Identifier: GPL-2.0
/*
 * One ICMP echo. See ping.h. Ping sockets need no privilege where the
 * administrator lets everybody have them; else raw ones are for root.
 */
#include <errno.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>

#include "cleanup.h"
#include "clock.h"
#include "ping.h"

#define TRIES		3	/* packets get lost */
#define ANSWER_MS	700
#define PACKET_MAX	10000U	/* of IP, bytes */

/**
 * struct echo - a request, and its answer; the same layout in both families
 * @type: of the message
 * @code: zero
 * @checksum: in network order; IPv6 and ping sockets have the kernel fill it in
 * @id: tells our answers on a raw socket from others', besides @token
 * @sequence: of the request
 * @token: random
 */
struct echo {
	uint8_t		type;
	uint8_t		code;
	uint16_t	checksum;
	uint16_t	id;
	uint16_t	sequence;
	uint64_t	token;
};

static uint16_t checksum(const uint8_t *data, size_t len)
{
	uint32_t sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += i & 1 ? data[i] : (uint32_t)data[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((uint16_t)~sum);
}

/* Neither cut here nor on the way, nor by what is known of the way. */
static int open_socket(int family, bool *raw)
{
	int protocol = family == AF_INET ? IPPROTO_ICMP : IPPROTO_ICMPV6;
	int v4 = IP_PMTUDISC_PROBE, v6 = IPV6_PMTUDISC_PROBE, one = 1, fd;

	fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, protocol);
	*raw = fd < 0;
	if (fd < 0)
		fd = socket(family, SOCK_RAW | SOCK_CLOEXEC, protocol);
	if (fd < 0)
		return -errno;
	if (family == AF_INET) {
		setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &v4, sizeof(v4));
	} else {
		setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &v6, sizeof(v6));
		setsockopt(fd, IPPROTO_IPV6, IPV6_DONTFRAG, &one, sizeof(one));
	}
	return fd;
}

/* Is this the answer to @asked? Raw sockets show everybody's, headers first. */
static bool answers(const uint8_t *packet, size_t len, int family, bool raw,
		    const struct echo *asked)
{
	size_t skip = family == AF_INET && raw && len ?
		      (size_t)(packet[0] & 15) * 4 : 0;
	struct echo got;

	if (len < skip + sizeof(got))
		return false;
	memcpy(&got, packet + skip, sizeof(got));
	return got.type == (family == AF_INET ? ICMP_ECHOREPLY :
						ICMP6_ECHO_REPLY) &&
	       got.token == asked->token;
}

static int wait_answer(int fd, int family, bool raw, const struct echo *asked)
{
	int64_t deadline = now_ms() + ANSWER_MS, left;
	struct pollfd poller = { .fd = fd, .events = POLLIN };
	uint8_t packet[PACKET_MAX];
	ssize_t len;

	while ((left = deadline - now_ms()) > 0) {
		if (poll(&poller, 1, (int)left) <= 0)
			break;
		len = recv(fd, packet, sizeof(packet), MSG_DONTWAIT);
		if (len < 0 && errno != EAGAIN)
			return -errno;
		if (len > 0 && answers(packet, (size_t)len, family, raw, asked))
			return 0;
	}
	return -ETIMEDOUT;
}

/**
 * ping() - does an echo come back?
 * @to: from whom; the port does not matter
 * @bytes: size of the packet, its IP header included
 *
 * Return: 0; -ETIMEDOUT: no; -EMSGSIZE: the interface does not take such packets;
 * another negative errno.
 */
int ping(const union addr *to, unsigned int bytes)
{
	int family = to->sa.sa_family, err = -ETIMEDOUT, tries;
	bool v4 = family == AF_INET, raw;
	CLEANUP_CLOSE int fd = open_socket(family, &raw);
	size_t len = bytes - (v4 ? 20 : 40);
	struct echo echo = { .type = v4 ? ICMP_ECHO : ICMP6_ECHO_REQUEST };
	uint8_t packet[PACKET_MAX] = { 0 };
	union addr addr = *to;

	if (fd < 0)
		return fd;
	if (bytes < PING_SMALL || bytes > PACKET_MAX)
		return -EINVAL;
	if (getrandom(&echo.token, sizeof(echo.token), 0) < 0)
		return -errno;
	addr.in.sin_port = 0;
	for (tries = 0; err == -ETIMEDOUT && tries < TRIES; tries++) {
		echo.sequence = htons((uint16_t)tries);
		echo.checksum = 0;
		memcpy(packet, &echo, sizeof(echo));
		if (v4)
			echo.checksum = checksum(packet, len);
		memcpy(packet, &echo, sizeof(echo));
		if (sendto(fd, packet, len, 0, &addr.sa, v4 ?
			   sizeof(addr.in) : sizeof(addr.in6)) < 0)
			return -errno;
		err = wait_answer(fd, family, raw, &echo);
	}
	return err;
}
