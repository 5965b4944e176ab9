// SPDX-License-Identifier: GPL-2.0
/*
 * Connections that end while their link is up, or down (target/conn.c, goodbye.c),
 * without a card.
 */
#include "test.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>

#include "addr.h"
#include "conn.h"
#include "goodbye.h"

#define NR	3

/* ---- In place of the libraries ------------------------------------------- */

static union addr own[2];
static struct ifaddrs links[2];
static unsigned int qps_destroyed;

int getifaddrs(struct ifaddrs **list)
{
	*list = links;
	return 0;
}

void freeifaddrs(struct ifaddrs *list)
{
	assert_ptr_equal(list, links);
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	(void)qp;
	qps_destroyed++;
	return 0;
}

/* What the kernel sees of an id. */
struct seen {
	struct rdma_cm_id	id;
	unsigned int		disconnected;
	unsigned int		destroyed;
};

static struct seen *seen_of(struct rdma_cm_id *id)
{
	return (struct seen *)((char *)id - offsetof(struct seen, id));
}

int rdma_disconnect(struct rdma_cm_id *id)
{
	assert_int_equal(seen_of(id)->destroyed, 0);
	seen_of(id)->disconnected++;
	return 0;
}

int rdma_destroy_id(struct rdma_cm_id *id)
{
	seen_of(id)->destroyed++;
	return 0;
}

/* ---- Connections that stand ---------------------------------------------- */

static struct ibv_context verbs;
static struct daemon daemon_;
static struct device device;
static struct ibv_qp qp;
static struct seen seen[NR];
static struct conn conns[NR];
static unsigned int lost;

static void on_lost(struct conn *conn, const char *why)
{
	(void)conn;
	(void)why;
	lost++;
}

static const struct conn_ops ops = { .lost = on_lost };

static void set_link(unsigned int i, bool up)
{
	links[i].ifa_flags = IFF_UP | (up ? IFF_RUNNING : 0);
}

static void connect_from(unsigned int i, const union addr *addr)
{
	seen[i] = (struct seen){ .id.verbs = &verbs };
	memcpy(&seen[i].id.route.addr.src_addr, &addr->in, sizeof(addr->in));
	conn_init(&conns[i], &ops, &seen[i].id, &device, 1);
	conns[i].qp = &qp;
}

static int begin(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		own[i].in = (struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_addr.s_addr = htonl(0xc0000201 + i),
		};
		links[i] = (struct ifaddrs){ .ifa_addr = &own[i].sa };
		set_link(i, true);
	}
	links[0].ifa_next = &links[1];
	daemon_init(&daemon_, NULL);
	device = (struct device){ .daemon = &daemon_, .verbs = &verbs };
	TAILQ_INIT(&device.goodbyes);
	TAILQ_INSERT_TAIL(&daemon_.devices, &device, entry);
	for (i = 0; i < NR; i++)
		connect_from(i, &own[0]);
	qps_destroyed = 0;
	lost = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	goodbye_all(&device);
	return 0;
}

static bool is_kept(unsigned int i)
{
	return !seen[i].disconnected && !seen[i].destroyed;
}

static bool has_ended(unsigned int i)
{
	return seen[i].disconnected == 1 && seen[i].destroyed == 1;
}

static void established(unsigned int i)
{
	conn_cm_event(&conns[i], RDMA_CM_EVENT_ESTABLISHED, 0);
}

/* ---- Tests --------------------------------------------------------------- */

static void at_once(void **state)
{
	(void)state;
	conn_close(&conns[0]);
	assert_true(has_ended(0));
	assert_int_equal(qps_destroyed, 1);
	conn_close(&conns[0]);
	assert_true(has_ended(0));
}

/* The QP is gone all the same: nothing that is written arrives any more. */
static void not_while_the_link_is_down(void **state)
{
	(void)state;
	set_link(0, false);
	conn_close(&conns[0]);
	assert_int_equal(qps_destroyed, 1);
	assert_true(is_kept(0));
	assert_null(seen[0].id.context);
	assert_null(conns[0].id);
	conn_close(&conns[0]);
	assert_true(is_kept(0));
	established(1);
	assert_true(is_kept(0));
}

static void when_messages_arrive_again(void **state)
{
	(void)state;
	set_link(0, false);
	conn_close(&conns[0]);
	conn_close(&conns[1]);
	set_link(0, true);
	established(2);
	assert_true(has_ended(0));
	assert_true(has_ended(1));
	established(2);
	assert_true(has_ended(0));
	assert_int_equal(lost, 0);
}

/* A device may have several links. */
static void over_its_own_link(void **state)
{
	(void)state;
	connect_from(1, &own[1]);
	set_link(0, false);
	set_link(1, false);
	conn_close(&conns[0]);
	conn_close(&conns[1]);
	set_link(1, true);
	established(2);
	assert_true(is_kept(0));
	assert_true(has_ended(1));
}

static void address_is_gone(void **state)
{
	(void)state;
	links[0].ifa_addr = NULL;
	conn_close(&conns[0]);
	assert_true(is_kept(0));
	links[0].ifa_addr = &own[0].sa;
	established(1);
	assert_true(has_ended(0));
}

/* Of whoever says what is not so nothing is kept, nor what came too late. */
static void never_had_a_link(void **state)
{
	const union addr foreign = { .in = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(0xc0000263),
	} };

	(void)state;
	connect_from(0, &foreign);
	conn_close(&conns[0]);
	assert_true(has_ended(0));
	set_link(1, false);
	connect_from(1, &own[1]);
	conn_close(&conns[1]);
	assert_true(has_ended(1));
}

static void its_own_news(void **state)
{
	(void)state;
	set_link(0, false);
	conn_close(&conns[0]);
	goodbye_event(&daemon_, &seen[0].id, RDMA_CM_EVENT_DISCONNECTED);
	assert_true(is_kept(0));
	set_link(0, true);
	goodbye_event(&daemon_, &seen[1].id, RDMA_CM_EVENT_DISCONNECTED);
	assert_true(is_kept(0));
	assert_true(is_kept(1));
	goodbye_event(&daemon_, &seen[0].id, RDMA_CM_EVENT_DISCONNECTED);
	assert_true(has_ended(0));
}

static void device_goes_away(void **state)
{
	(void)state;
	set_link(0, false);
	conn_close(&conns[0]);
	conn_close(&conns[1]);
	goodbye_event(&daemon_, &seen[0].id, RDMA_CM_EVENT_DEVICE_REMOVAL);
	assert_true(has_ended(0));
	assert_true(is_kept(1));
	device.gone = true;
	goodbye_all(&device);
	assert_true(has_ended(1));
	assert_int_equal(device.nr_goodbyes, 0);
	conn_close(&conns[2]);
	assert_true(has_ended(2));
}

/* Nor without limit; and what many connections leave goes little by little. */
static void not_too_many(void **state)
{
	struct seen *many = calloc(100000, sizeof(*many));
	unsigned int kept, left;

	(void)state;
	assert_non_null(many);
	set_link(0, false);
	for (kept = 0; kept < 100000; kept++) {
		memcpy(&many[kept].id.route.addr.src_addr, &own[0].in,
		       sizeof(own[0].in));
		goodbye_in_time(&device, &many[kept].id);
		if (many[kept].destroyed)
			break;
	}
	assert_in_range(kept, 4096, 99999);
	assert_int_equal(device.nr_goodbyes, kept);
	set_link(0, true);
	established(0);
	assert_in_range(device.nr_goodbyes, kept - 256, kept - 9);
	while (device.nr_goodbyes) {
		left = device.nr_goodbyes;
		established(0);
		assert_true(device.nr_goodbyes < left);
	}
	while (kept--)
		assert_int_equal(many[kept].destroyed, 1);
	free(many);
}

#define CASE(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(at_once),
		CASE(not_while_the_link_is_down),
		CASE(when_messages_arrive_again),
		CASE(over_its_own_link),
		CASE(address_is_gone),
		CASE(never_had_a_link),
		CASE(its_own_news),
		CASE(device_goes_away),
		CASE(not_too_many),
	};

	return cmocka_run_group_tests_name("goodbye", tests, NULL, NULL);
}
