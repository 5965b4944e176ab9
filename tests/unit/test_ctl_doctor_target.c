// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl doctor on the way to a target, and on attached devices
 * (ctl/doctor_target.c, doctor_devices.c).
 */
#include "test.h"

#include <arpa/inet.h>

#include "fixture_doctor.h"
#include "ping.h"
#include "uapi/rdmablk_proto.h"

#define ADDRESS	"192.0.2.1:12345"

/* ---- The way to a target -------------------------------------------------- */

static struct target target;
static struct addrinfo address, next_address;
static union addr to;
static struct cm_knock knocked, next_knocked;	/* the latter from the second time on */
static const char *netdev;		/* that the way leaves by */
static const char *from;		/* address that the way starts from */
static int route_err;
static unsigned int largest_ping;	/* that comes back; 0: none does */
static const char *lookup_why;

static const char *answer_lookup(struct target *out)
{
	out->list = &address;
	return lookup_why;
}

static int answer_route(const union addr *where, struct doctor_route *out)
{
	assert_memory_equal(where, &to, sizeof(to));
	*out = (struct doctor_route){ .netdev = "" };
	strcpy(out->netdev, netdev);
	out->from.in.sin_family = AF_INET;
	assert_int_equal(inet_pton(AF_INET, from, &out->from.in.sin_addr), 1);
	return route_err;
}

static int answer_ping(const union addr *where, unsigned int bytes)
{
	assert_memory_equal(where, &to, sizeof(to));
	return bytes <= largest_ping ? 0 : -ETIMEDOUT;
}

static void answer_knock(const union addr *where, struct cm_knock *out)
{
	assert_memory_equal(where, &to, sizeof(to));
	*out = knocked;
	if (address.ai_next)
		knocked = next_knocked;
}

static int target_setup(void **state)
{
	if (host_setup(state))
		return -1;
	memset(&to, 0, sizeof(to));
	to.in.sin_family = AF_INET;
	to.in.sin_port = htons(12345);
	to.in.sin_addr.s_addr = htonl(0xc0000201);
	address = (struct addrinfo){
		.ai_family = AF_INET, .ai_addr = &to.sa,
		.ai_addrlen = sizeof(to.in),
	};
	next_address = address;
	target = (struct target){ .host = "storage" };
	knocked = (struct cm_knock){
		.end = CM_KNOCK_ACCEPTED, .version_max = 1,
		.device = "mlx5_0", .port = 1,
	};
	netdev = "eth0";
	from = "192.0.2.2";
	route_err = 0;
	largest_ping = 9000;
	lookup_why = NULL;
	ops.lookup = answer_lookup;
	ops.route = answer_route;
	ops.ping = answer_ping;
	ops.knock = answer_knock;
	doctor.target = &target;
	return 0;
}

/* The knock comes to that end before a device is known. */
static void ends(enum cm_knock_end end)
{
	knocked = (struct cm_knock){ .end = end, .err = -EIO };
	look(doctor_target);
}

static void target_is_well(void **state)
{
	(void)state;
	look(doctor_target);
	expect_fine(2);
	expect("target", SEVERITY_OK, ADDRESS ": rdmablkd answers through mlx5_0, by protocol version 1",
	       NULL);
	expect("path-mtu", SEVERITY_OK, "4156 bytes, get there", NULL);
	doctor.target = NULL;
	look(doctor_target);
	expect_fine(0);
}

/* One address that leads there is enough, wherever it is in the list. */
static void second_address(void **state)
{
	const struct cm_knock good = knocked;

	(void)state;
	address.ai_next = &next_address;
	next_knocked = good;
	ends(CM_KNOCK_SILENT);
	expect("rdma-silent", SEVERITY_WARNING, ADDRESS, "4791");
	expect("target", SEVERITY_OK, ADDRESS, NULL);
	knocked = good;
	next_knocked = (struct cm_knock){ .end = CM_KNOCK_NOBODY };
	look(doctor_target);
	expect("port-closed", SEVERITY_WARNING, ADDRESS, NULL);
	/* What is wrong with the good one stays wrong. */
	knocked = good;
	largest_ping = 1500;
	look(doctor_target);
	expect("path-mtu", SEVERITY_ERROR, "4156", NULL);
	/* None does. */
	ends(CM_KNOCK_SILENT);
	expect("rdma-silent", SEVERITY_ERROR, ADDRESS, NULL);
}

static void target_unknown(void **state)
{
	(void)state;
	lookup_why = "Name or service not known";
	look(doctor_target);
	expect("target-unknown", SEVERITY_ERROR, "'storage': Name or service",
	       "spelling");
}

static void no_route(void **state)
{
	(void)state;
	route_err = -ENETUNREACH;
	look(doctor_target);
	expect("no-route", SEVERITY_ERROR, "no way to " ADDRESS, "ip route");
}

static void no_rdma_on_the_way(void **state)
{
	(void)state;
	ends(CM_KNOCK_NO_DEVICE);
	expect("no-rdma-path", SEVERITY_ERROR, "leaves by eth0",
	       "type rxe netdev eth0");
}

static void wrong_gid(void **state)
{
	(void)state;
	from = "192.0.2.99";
	ends(CM_KNOCK_NO_DEVICE);
	expect("gid", SEVERITY_WARNING, "no GID of mlx5_0 is 192.0.2.99",
	       "--source");
	from = "192.0.2.2";
	plant(PORT "gid_attrs/types/1", "IB/RoCE v1\n");
	ends(CM_KNOCK_NO_DEVICE);
	expect("gid", SEVERITY_WARNING, "192.0.2.2 as RoCE v1 only", "--source");
}

static void target_down(void **state)
{
	(void)state;
	largest_ping = 0;
	ends(CM_KNOCK_NO_NEIGHBOUR);
	expect("target-down", SEVERITY_ERROR, "neither pings nor RDMA",
	       "is the host up");
	assert_null(find("path-mtu"));
	assert_null(find("no-rdma-path"));
	ends(CM_KNOCK_SILENT);
	assert_non_null(find("target-down"));
}

/* Nobody answers where no RDMA would have gone through, either. */
static void target_down_elsewhere(void **state)
{
	(void)state;
	largest_ping = 0;
	netdev = "eth1";
	ends(CM_KNOCK_NO_NEIGHBOUR);
	assert_non_null(find("target-down"));
	expect("no-rdma-path", SEVERITY_ERROR, "leaves by eth1", "rxe0");
	/* The card's VLAN. */
	netdev = "eth0.100";
	plant(PORT "gid_attrs/ndevs/1", "eth0.100\n");
	ends(CM_KNOCK_NO_NEIGHBOUR);
	assert_null(find("no-rdma-path"));
}

static void rdma_silent(void **state)
{
	(void)state;
	ends(CM_KNOCK_SILENT);
	expect("rdma-silent", SEVERITY_ERROR, "answers pings, but nothing by RDMA",
	       "UDP port 4791");
	expect("rdma-silent", SEVERITY_ERROR, "", "whether rdmablkd answers");
}

static void nobody_listens(void **state)
{
	(void)state;
	ends(CM_KNOCK_NOBODY);
	expect("port-closed", SEVERITY_ERROR, "nobody listens on " ADDRESS,
	       "systemctl start rdmablkd");
}

static void something_else_listens(void **state)
{
	(void)state;
	ends(CM_KNOCK_STRANGER);
	expect("not-rdmablkd", SEVERITY_ERROR, "not rdmablkd", "TARGET:PORT");
}

static void other_protocol(void **state)
{
	(void)state;
	knocked = (struct cm_knock){
		.end = CM_KNOCK_REFUSED, .status = RDMABLK_E_VERSION,
		.version_min = 7, .version_max = 9,
	};
	look(doctor_target);
	expect("protocol-version", SEVERITY_ERROR, "versions 7 to 9",
	       "same release");
	knocked.status = RDMABLK_E_SHUTDOWN;
	look(doctor_target);
	expect("refused", SEVERITY_ERROR, "refuses", "journalctl");
}

static void other_failures(void **state)
{
	(void)state;
	ends(CM_KNOCK_NO_CM);
	expect("rdma-failed", SEVERITY_ERROR, ADDRESS, "modprobe rdma_ucm");
	ends(CM_KNOCK_FAILED);
	expect("rdma-failed", SEVERITY_ERROR, "Input/output error", "dmesg");
}

static void large_packets_are_lost(void **state)
{
	(void)state;
	largest_ping = 1500;
	look(doctor_target);
	expect("path-mtu", SEVERITY_ERROR, "packets of 4156 bytes",
	       "ping -M do -s 4128");
	port_facts.mtu = 1024;
	look(doctor_target);
	expect_fine(2);
	/* Nobody has to answer pings. */
	largest_ping = 0;
	look(doctor_target);
	expect("target", SEVERITY_OK, ADDRESS, NULL);
	expect("path-mtu", SEVERITY_NOTE, "answers no pings", NULL);
}

/* ---- Attached devices ----------------------------------------------------- */

static struct device attached;
static size_t more;	/* devices just like it */
static int devices_err, speed_err;
static struct read_speed speed;

static void set(int attr, const void *value, size_t len)
{
	free(attached.attrs[attr]);
	attached.attrs[attr] = calloc(1, NLA_HDRLEN + len + 1);
	assert_non_null(attached.attrs[attr]);
	attached.attrs[attr]->nla_len = (uint16_t)(NLA_HDRLEN + len);
	memcpy(nla_data(attached.attrs[attr]), value, len);
}

static void set_text(int attr, const char *text)
{
	set(attr, text, strlen(text) + 1);
}

static void set_u32(int attr, uint32_t value)
{
	set(attr, &value, sizeof(value));
}

static struct device likewise(const struct device *device)
{
	struct device copy = { .attrs = { NULL } };
	int i;

	for (i = 0; i <= RDMABLK_ATTR_MAX; i++) {
		if (!device->attrs[i])
			continue;
		copy.attrs[i] = calloc(1, device->attrs[i]->nla_len + 1U);
		assert_non_null(copy.attrs[i]);
		memcpy(copy.attrs[i], device->attrs[i],
		       device->attrs[i]->nla_len);
	}
	return copy;
}

/* Hands the device over. */
static int answer_devices(struct devices *devices)
{
	size_t i;

	if (devices_err)
		return devices_err;
	devices->count = 1 + more;
	devices->list = calloc(devices->count, sizeof(*devices->list));
	assert_non_null(devices->list);
	devices->list[0] = attached;
	for (i = 1; i <= more; i++)
		devices->list[i] = likewise(&attached);
	memset(&attached, 0, sizeof(attached));
	return 0;
}

static int answer_speed(const char *path, struct read_speed *out)
{
	assert_string_equal(path, "/dev/rdmablk0");
	*out = speed;
	return speed_err;
}

static void look_at(uint32_t state, const char *reason)
{
	set_text(RDMABLK_ATTR_NAME, "rdmablk0");
	set_text(RDMABLK_ATTR_EXPORT, "disk");
	set_text(RDMABLK_ATTR_TARGET_NAME, "storage");
	set_text(RDMABLK_ATTR_IBDEV, "mlx5_0");
	set_u32(RDMABLK_ATTR_IBPORT, 1);
	set_u32(RDMABLK_ATTR_STATE, state);
	if (reason)
		set_text(RDMABLK_ATTR_REASON, reason);
	look(doctor_devices);
}

static int devices_setup(void **state)
{
	if (host_setup(state))
		return -1;
	more = 0;
	devices_err = 0;
	speed_err = 0;
	speed = (struct read_speed){
		.reads = 1000, .median_us = 12, .bytes_per_s = 8e9,
	};
	ops.devices = answer_devices;
	ops.speed = answer_speed;
	return 0;
}

static void no_devices(void **state)
{
	(void)state;
	devices_err = -ENOENT;
	look(doctor_devices);
	expect_fine(0);
	devices_err = -EPROTO;
	look(doctor_devices);
	expect("devices-unknown", SEVERITY_WARNING, "Protocol error", "dmesg");
}

static void fast_device(void **state)
{
	(void)state;
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect_fine(1);
	expect("speed", SEVERITY_OK, "4 KiB takes 12 us (median of 1000), reads of 1 MiB one by one give 8000 MB/s of the 12500 MB/s",
	       NULL);
}

static void many_devices(void **state)
{
	(void)state;
	more = 5;
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect_fine(6);
	assert_string_equal(doctor.findings.list[3].id, "speed");
	expect("device", SEVERITY_OK, "rdmablk0 is live", NULL);
	assert_string_equal(doctor.findings.list[4].id, "device");
}

static void slow_device(void **state)
{
	(void)state;
	speed.bytes_per_s = 1e9;
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect("speed", SEVERITY_WARNING, "1000 MB/s", "PCIe slot");
	speed.bytes_per_s = 8e9;
	speed.median_us = 900;
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect("speed", SEVERITY_WARNING, "900 us", "losses");
	/* Of software nobody expects more. */
	soften();
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect_fine(1);
	expect("speed", SEVERITY_OK, "by Soft-RoCE", NULL);
}

static void unreadable_device(void **state)
{
	(void)state;
	speed_err = -EACCES;
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect("speed", SEVERITY_NOTE, "only root", NULL);
	speed_err = -EIO;
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect("speed", SEVERITY_ERROR, "cannot be read: Input/output error",
	       "rbdctl doctor storage");
}

static void broken_device(void **state)
{
	(void)state;
	look_at(RDMABLK_STATE_RECOVERING, "connection refused");
	expect("device-recovering", SEVERITY_ERROR,
	       "rdmablk0, export disk of storage, has lost its path: connection refused",
	       "rbdctl doctor storage");
	look_at(RDMABLK_STATE_FAILED, "the export was removed");
	expect("device-failed", SEVERITY_ERROR, "the export was removed",
	       "rbdctl detach rdmablk0");
	look_at(RDMABLK_STATE_CONNECTING, NULL);
	expect("device-busy", SEVERITY_NOTE, "connecting", NULL);
	set_text(RDMABLK_ATTR_FLUSH_ERROR, "no space left");
	look_at(RDMABLK_STATE_LIVE, NULL);
	expect("device-flush", SEVERITY_ERROR, "no space left",
	       "rbdctl export show disk");
}

#define TARGET_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, target_setup, host_teardown)
#define DEVICES_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, devices_setup, host_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TARGET_TEST(target_is_well),
		TARGET_TEST(second_address),
		TARGET_TEST(target_unknown),
		TARGET_TEST(no_route),
		TARGET_TEST(no_rdma_on_the_way),
		TARGET_TEST(wrong_gid),
		TARGET_TEST(target_down),
		TARGET_TEST(target_down_elsewhere),
		TARGET_TEST(rdma_silent),
		TARGET_TEST(nobody_listens),
		TARGET_TEST(something_else_listens),
		TARGET_TEST(other_protocol),
		TARGET_TEST(other_failures),
		TARGET_TEST(large_packets_are_lost),
		DEVICES_TEST(no_devices),
		DEVICES_TEST(fast_device),
		DEVICES_TEST(many_devices),
		DEVICES_TEST(slow_device),
		DEVICES_TEST(unreadable_device),
		DEVICES_TEST(broken_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
