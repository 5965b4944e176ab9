// SPDX-License-Identifier: GPL-2.0
/*
 * Who a client is by the request for a connection (target/conn.c).
 */
#include "test.h"

#include <errno.h>

#include "conn.h"

static struct ibv_port_attr port;
static int port_error;

static int query_port(struct ibv_context *context, uint8_t number,
		      struct ibv_port_attr *attr, size_t size)
{
	(void)context;
	assert_int_equal(number, 2);
	assert_int_equal(size, sizeof(*attr));
	*attr = port;
	return port_error;
}

static struct verbs_context verbs = {
	.query_port = query_port, .sz = sizeof(verbs),
	.context.abi_compat = __VERBS_ABI_IS_EXTENDED,
};

/* Comes from one address, by what it says, and is to be answered at another. */
static struct ibv_sa_path_rec path = {
	.dgid.raw = { [10] = 0xff, 0xff, 192, 0, 2, 7 },
};
static struct rdma_cm_id id = {
	.verbs = &verbs.context, .port_num = 2,
	.route = { .path_rec = &path, .num_paths = 1 },
};

static const char *peer_text(void)
{
	static char text[ADDR_TEXT_MAX];
	union addr addr;

	conn_peer(&id, &addr);
	return addr_host_text(&addr, text);
}

static void say(const char *text)
{
	const char *why;
	union addr addr;

	assert_int_equal(addr_resolve(text, 5, false, &addr, &why), 0);
	memcpy(&id.route.addr.dst_storage, &addr,
	       sizeof(id.route.addr.dst_storage));
}

static void what_is_said_is_not_believed(void **state)
{
	(void)state;
	port = (struct ibv_port_attr){ .link_layer = IBV_LINK_LAYER_ETHERNET };
	say("192.0.2.1");
	assert_string_equal(peer_text(), "192.0.2.7");
	say("2001:db8::1");
	assert_string_equal(peer_text(), "192.0.2.7");
	say("192.0.2.7");
	assert_string_equal(peer_text(), "192.0.2.7");
}

/* The GIDs of InfiniBand are no addresses. */
static void unless_nothing_else_is_known(void **state)
{
	(void)state;
	port = (struct ibv_port_attr){ .link_layer = IBV_LINK_LAYER_INFINIBAND };
	say("192.0.2.1");
	assert_string_equal(peer_text(), "192.0.2.1");
	say("2001:db8::1");
	assert_string_equal(peer_text(), "2001:db8::1");
	port = (struct ibv_port_attr){ .link_layer = IBV_LINK_LAYER_ETHERNET };
	id.route.num_paths = 0;
	assert_string_equal(peer_text(), "2001:db8::1");
	id.route.num_paths = 1;
	port_error = EIO;
	assert_string_equal(peer_text(), "2001:db8::1");
	port_error = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_said_is_not_believed),
		TEST(unless_nothing_else_is_known),
	};

	return cmocka_run_group_tests_name("conn", tests, NULL, NULL);
}
