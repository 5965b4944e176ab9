// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl doctor on connection managers, lost packets, flow control and firewalls
 * (ctl/doctor_cm.c, doctor_loss.c, pause_frames.c, doctor_firewall.c).
 */
#include "test.h"

#include "fixture_doctor.h"

/* A queue pair as rdma(8) has it. */
#define PAIR(device, port, number, type, state)				\
	"{\"ifindex\":0,\"ifname\":\"" device "\",\"port\":" port ","	\
	"\"lqpn\":" number ",\"type\":\"" type "\",\"state\":\"" state "\","	\
	"\"sq-psn\":6,\"comm\":\"ib_core\"}"

static void manager_works(void **state)
{
	(void)state;
	soften();
	queue_pairs = "[" PAIR("mlx5_0", "1", "1", "GSI", "RTS") "]\n";
	look(doctor_cm);
	expect_fine(0);
	/* Others' are none of its business, nor are connections that have broken. */
	queue_pairs = "[" PAIR("mlx5_1", "1", "1", "GSI", "ERR") ","
		      PAIR("mlx5_0", "2", "1", "GSI", "ERR") ","
		      PAIR("mlx5_0", "1", "17", "RC", "ERR") ","
		      PAIR("mlx5_0", "1", "1", "GSI", "RTS") "]\n";
	look(doctor_cm);
	expect_fine(0);
}

static void manager_is_broken(void **state)
{
	(void)state;
	soften();
	queue_pairs = "[" PAIR("mlx5_0", "1", "17", "RC", "RTS") ","
		      PAIR("mlx5_1", "1", "1", "GSI", "RTS") ","
		      PAIR("mlx5_0", "1", "1", "GSI", "ERR") "]\n";
	look(doctor_cm);
	expect("cm-broken", SEVERITY_ERROR, "connection manager of mlx5_0 is broken",
	       "'rdma link delete mlx5_0', then 'rdma link add mlx5_0 type rxe netdev eth0'");
	assert_int_equal(doctor.findings.count, 1);
	/* Its addresses are those of a VLAN. */
	plant(PORT "gid_attrs/ndevs/0", "eth0.5\n");
	look(doctor_cm);
	expect("cm-broken", SEVERITY_ERROR, "mlx5_0", "netdev eth0'");
	/* First things first. */
	plant(PORT "state", "1: DOWN\n");
	look(doctor_cm);
	expect_fine(0);
}

/* It gets over what it cannot send. */
static void manager_of_a_card(void **state)
{
	(void)state;
	queue_pairs = "[" PAIR("mlx5_0", "1", "1", "GSI", "ERR") "]\n";
	look(doctor_cm);
	expect_fine(0);
	queue_pairs = NULL;
	look(doctor_cm);
	expect_fine(0);
}

static void manager_unseen(void **state)
{
	static const char *const unseen[] = {
		NULL,				/* there is no rdma(8) */
		"",
		"[]\n",				/* in a container */
		"Error: no such thing\n",
		"[" PAIR("mlx5_0", "1", "1", "GSI", "ERR"),
		PAIR("mlx5_0", "1", "1", "GSI", "ERR"),
		"[null, 1, \"mlx5_0\", [\"GSI\", \"ERR\"]]",
		"[" PAIR("mlx5_0", "\"1\"", "1", "GSI", "ERR") "]",
		"[{\"ifname\": \"mlx5_0\", \"type\": \"GSI\", \"state\": \"ERR\"}]",
		"[{\"ifname\": \"mlx5_0\", \"port\": 1, \"type\": \"GSI\"}]",
		"[{\"ifname\": \"mlx5_0\", \"port\": 1, \"type\": \"GSI\", \"state\": 6}]",
		"[{\"ifname\": \"mlx5_0\", \"port\": 1, \"type\": 1, \"state\": \"ERR\"}]",
		"[{\"ifname\": [\"mlx5_0\"], \"port\": 1, \"type\": \"GSI\", \"state\": \"ERR\"}]",
	};
	size_t i;

	(void)state;
	soften();
	for (i = 0; i < ARRAY_SIZE(unseen); i++) {
		queue_pairs = unseen[i];
		look(doctor_cm);
		expect("cm-unknown", SEVERITY_NOTE, "mlx5_0 cannot be looked at",
		       "iproute2");
		assert_int_equal(doctor.findings.count, 1);
	}
}

static void nothing_is_lost(void **state)
{
	(void)state;
	look(doctor_loss);
	expect_fine(2);
	expect("flow-control", SEVERITY_OK, "7 pause frames sent", NULL);
}

static void packets_are_lost(void **state)
{
	(void)state;
	plant(PORT "hw_counters/out_of_sequence", "9\n");
	look(doctor_loss);
	expect("loss", SEVERITY_NOTE, "9 losses or errors, and received 1000000",
	       "still grows");
	plant(PORT "hw_counters/packet_seq_err", "2\n");
	look(doctor_loss);
	expect("loss", SEVERITY_WARNING, "11 losses", "flow control");
}

static void no_counters(void **state)
{
	(void)state;
	uproot(PORT "counters");
	uproot(PORT "hw_counters");
	look(doctor_loss);
	expect("loss", SEVERITY_NOTE, "no counters", "ethtool -S eth0");
}

static void no_flow_control(void **state)
{
	(void)state;
	pause_facts.sent = 0;
	look(doctor_loss);
	expect("flow-control", SEVERITY_NOTE, "neither PFC nor ECN is set up",
	       "dcb pfc show dev eth0");
	pause_facts.known = false;
	look(doctor_loss);
	expect("flow-control", SEVERITY_NOTE, "does not tell", "ethtool -S eth0");
	/* There is ECN. */
	plant(PORT "hw_counters/rp_cnp_handled", "3\n");
	look(doctor_loss);
	expect("flow-control", SEVERITY_OK, "3 congestion notifications", NULL);
}

static void what_drivers_count(void **state)
{
	struct pause_frames out = { .known = false };

	(void)state;
	pause_frames_count("rx_packets", 9, &out);
	pause_frames_count("rx_prio0_pause_duration", 9, &out);
	pause_frames_count("tx_pause_storm_warning_events", 9, &out);
	assert_false(out.known);
	pause_frames_count("rx_prio3_pause", 1, &out);
	pause_frames_count("rx_pause_ctrl_phy", 2, &out);
	pause_frames_count("tx_pause_frames", 4, &out);
	assert_true(out.known);
	assert_int_equal(out.received, 3);
	assert_int_equal(out.sent, 4);
}

/* A firewall does not see what a card does by itself. */
static void firewall_of_a_card(void **state)
{
	(void)state;
	rules = "table inet f {\n\tchain in {\n\t\tudp dport 4791 drop\n\t}\n}\n";
	look(doctor_firewall);
	expect_fine(0);
	soften();
	look(doctor_firewall);
	expect("firewall", SEVERITY_ERROR, "'udp dport 4791 drop'",
	       "UDP port 4791");
}

static void rules_that_drop(void **state)
{
	static const char *const dropping[] = {
		"udp dport { 53, 4791 } counter packets 3 bytes 9 drop\n",
		"meta l4proto udp udp dport 4791 counter reject\n",
		"ip saddr 192.0.2.0/24 udp dport 4791 drop comment \"x\"\n",
	};
	static const char *const harmless[] = {
		"udp dport 14791 drop\n",
		"udp dport 4791 accept\n",
		"udp dport 53 drop\n",
		"udp dport 4791 counter packets 1 bytes 2\n",
		"",
	};
	size_t i;

	(void)state;
	soften();
	for (i = 0; i < ARRAY_SIZE(dropping); i++) {
		rules = dropping[i];
		look(doctor_firewall);
		expect("firewall", SEVERITY_ERROR, "4791", "4791");
	}
	for (i = 0; i < ARRAY_SIZE(harmless); i++) {
		rules = harmless[i];
		look(doctor_firewall);
		expect_fine(1);
	}
}

static void closed_by_default(void **state)
{
	(void)state;
	soften();
	rules = "table inet filter {\n\tchain input {\n"
		"\t\ttype filter hook input priority filter; policy drop;\n"
		"\t\ttcp dport 22 accept\n\t}\n}\n";
	look(doctor_firewall);
	expect("firewall", SEVERITY_WARNING, "chain input", "udp dport 4791");
	rules = "table inet filter {\n\tchain input {\n"
		"\t\ttype filter hook input priority filter; policy drop;\n"
		"\t\tudp dport { 53, 4791 } accept\n\t}\n}\n";
	look(doctor_firewall);
	expect_fine(1);
}

static void rules_unseen(void **state)
{
	(void)state;
	soften();
	rules = NULL;
	look(doctor_firewall);
	expect("firewall-unknown", SEVERITY_NOTE, "root", NULL);
	plant("proc/net/ip_tables_names", "filter\n");
	look(doctor_firewall);
	expect("firewall-legacy", SEVERITY_NOTE, "old iptables",
	       "iptables-legacy -S");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOST_TEST(manager_works),
		HOST_TEST(manager_is_broken),
		HOST_TEST(manager_of_a_card),
		HOST_TEST(manager_unseen),
		HOST_TEST(nothing_is_lost),
		HOST_TEST(packets_are_lost),
		HOST_TEST(no_counters),
		HOST_TEST(no_flow_control),
		TEST(what_drivers_count),
		HOST_TEST(firewall_of_a_card),
		HOST_TEST(rules_that_drop),
		HOST_TEST(closed_by_default),
		HOST_TEST(rules_unseen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
