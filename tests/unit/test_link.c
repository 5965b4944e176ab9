// SPDX-License-Identifier: GPL-2.0
/*
 * Which addresses can be sent from (target/link.c).
 */
#include "test.h"

#include <net/if.h>

#include "addr.h"
#include "link.h"

#define NR	6
#define RUNS	(IFF_UP | IFF_RUNNING)

static struct ifaddrs list[NR];
static union addr addrs[NR];

static union addr addr_of(const char *text)
{
	union addr addr;
	const char *why;

	assert_int_equal(addr_resolve(text, 4711, false, &addr, &why), 0);
	return addr;
}

static void set(unsigned int i, const char *text, unsigned int flags)
{
	if (text)
		addrs[i] = addr_of(text);
	list[i] = (struct ifaddrs){
		.ifa_next = i + 1 < NR ? &list[i + 1] : NULL,
		.ifa_flags = flags,
		.ifa_addr = text ? &addrs[i].sa : NULL,
	};
}

static int make_list(void **state)
{
	(void)state;
	set(0, NULL, RUNS);
	set(1, "192.0.2.1", RUNS);
	set(2, "192.0.2.2", IFF_UP);
	set(3, "192.0.2.3", IFF_RUNNING);
	set(4, "2001:db8::1", RUNS);
	set(5, "fe80::1", RUNS);
	addrs[5].in6.sin6_scope_id = 7;
	return 0;
}

static bool carries(const char *text)
{
	union addr addr = addr_of(text);

	return link_in_list_carries(list, &addr.sa);
}

static void up_and_with_a_carrier(void **state)
{
	(void)state;
	assert_true(carries("192.0.2.1"));
	assert_true(carries("2001:db8::1"));
	assert_false(carries("192.0.2.2"));
	assert_false(carries("192.0.2.3"));
}

static void nobody_has_it(void **state)
{
	(void)state;
	assert_false(carries("192.0.2.4"));
	assert_false(carries("2001:db8::2"));
}

/* An address may be there twice, while it moves. */
static void one_link_is_enough(void **state)
{
	(void)state;
	set(3, "192.0.2.2", RUNS);
	assert_true(carries("192.0.2.2"));
}

static void link_local(void **state)
{
	union addr addr = addr_of("fe80::1");

	(void)state;
	assert_true(link_in_list_carries(list, &addr.sa));
	addr.in6.sin6_scope_id = 7;
	assert_true(link_in_list_carries(list, &addr.sa));
	addr.in6.sin6_scope_id = 8;
	assert_false(link_in_list_carries(list, &addr.sa));
}

static void nothing_is_known(void **state)
{
	const struct sockaddr other = { .sa_family = AF_UNSPEC };
	union addr addr = addr_of("192.0.2.4");

	(void)state;
	assert_true(link_in_list_carries(NULL, &addr.sa));
	assert_true(link_in_list_carries(list, &other));
}

static bool loopback_is_up(void)
{
	struct ifaddrs *all, *entry;
	bool up = false;

	assert_int_equal(getifaddrs(&all), 0);
	for (entry = all; entry; entry = entry->ifa_next)
		if (!strcmp(entry->ifa_name, "lo") && entry->ifa_addr &&
		    entry->ifa_addr->sa_family == AF_INET)
			up = entry->ifa_flags & IFF_UP;
	freeifaddrs(all);
	return up;
}

static void this_host(void **state)
{
	union addr lo = addr_of("127.0.0.1"), test_net = addr_of("192.0.2.1");

	(void)state;
	assert_int_equal(link_carries(&lo.sa), loopback_is_up());
	assert_false(link_carries(&test_net.sa));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(up_and_with_a_carrier, make_list),
		cmocka_unit_test_setup(nobody_has_it, make_list),
		cmocka_unit_test_setup(one_link_is_enough, make_list),
		cmocka_unit_test_setup(link_local, make_list),
		cmocka_unit_test_setup(nothing_is_known, make_list),
		cmocka_unit_test(this_host),
	};

	return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
