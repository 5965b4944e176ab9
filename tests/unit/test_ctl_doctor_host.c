// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl doctor on kernel, modules and RDMA devices (ctl/doctor_host.c,
 * doctor_role.c, doctor_rdma.c, doctor_mtu.c, rdma_port.c): faults are planted in
 * a tree of files.
 */
#include "test.h"

#include "fixture_doctor.h"

static void all_is_well(void **state)
{
	(void)state;
	look(doctor_host);
	expect_fine(3);
	look(doctor_rdma);
	expect_fine(1);
	expect("port", SEVERITY_OK, "mlx5_0 port 1: active, RoCE v2, on eth0, 192.0.2.2",
	       NULL);
	look(doctor_mtu);
	expect_fine(1);
}

/* The first one that people know. */
static void many_addresses(void **state)
{
	(void)state;
	plant(PORT "gids/1", "2001:0db8:0000:0000:0000:0000:0000:0002\n");
	plant(PORT "gids/2", "0000:0000:0000:0000:0000:ffff:c000:0202\n");
	plant(PORT "gid_attrs/types/2", "RoCE v2\n");
	plant(PORT "gids/3", "0000:0000:0000:0000:0000:ffff:c000:0209\n");
	plant(PORT "gid_attrs/types/3", "RoCE v2\n");
	look(doctor_rdma);
	expect("port", SEVERITY_OK, "192.0.2.2 and others", NULL);
}

static void old_kernel(void **state)
{
	(void)state;
	plant("proc/sys/kernel/osrelease", "5.10.0-33-amd64\n");
	look(doctor_host);
	expect("kernel", SEVERITY_ERROR, "6.1 and newer", "newer kernel");
	plant("proc/sys/kernel/osrelease", "6.0.12\n");
	look(doctor_host);
	expect("kernel", SEVERITY_ERROR, "6.0.12", "newer kernel");
	plant("proc/sys/kernel/osrelease", "10.0.0\n");
	look(doctor_host);
	expect_fine(3);
}

static void module_missing(void **state)
{
	(void)state;
	uproot("sys/module/rdmablk");
	look(doctor_host);
	expect("module-missing", SEVERITY_ERROR, "neither loaded nor installed",
	       "linux-headers-" RELEASE);
	plant("lib/modules/" RELEASE "/modules.dep",
	      "kernel/other.ko: updates/dkms/rdmablk.ko\n");
	look(doctor_host);
	assert_non_null(find("module-missing"));
	plant("lib/modules/" RELEASE "/modules.dep",
	      "updates/dkms/rdmablk.ko.xz: kernel/rdma_cm.ko.xz\n");
	look(doctor_host);
	expect("module", SEVERITY_OK, "'rbdctl attach' loads it", NULL);
}

static void neither_target_nor_client(void **state)
{
	(void)state;
	uproot("sys/module/rdmablk");
	plant("etc/rdmablk/rdmablkd.conf", "# [export disk]\n");
	plant("etc/rdmablk/rbdtab", "# NAME TARGET EXPORT\n\n \t# none\n");
	look(doctor_host);
	expect("no-role", SEVERITY_NOTE, "neither as a target nor as a client",
	       "'rbdctl attach TARGET EXPORT'");
	plant("etc/rdmablk/rbdtab", "# NAME TARGET EXPORT\n\tdata db1 disk\n");
	look(doctor_host);
	assert_null(find("no-role"));
	uproot("etc/rdmablk/rbdtab");
	plant("etc/rdmablk/rdmablkd.conf", "[export disk]\n");
	look(doctor_host);
	assert_null(find("no-role"));
}

/* A target needs none. */
static void module_of_a_target(void **state)
{
	(void)state;
	uproot("sys/module/rdmablk");
	plant("proc/321/comm", "rdmablkd\n");
	plant("proc/sys/kernel/osrelease", "5.10.0\n");
	look(doctor_host);
	assert_int_equal(find("module-missing")->severity, SEVERITY_NOTE);
	assert_int_equal(find("kernel")->severity, SEVERITY_NOTE);
}

static void module_of_another_version(void **state)
{
	(void)state;
	plant("sys/module/rdmablk/version", "0.0.9\n");
	look(doctor_host);
	expect("module-version", SEVERITY_WARNING, "0.0.9", "rmmod rdmablk");
}

static void no_user_access(void **state)
{
	(void)state;
	uproot("sys/class/misc/rdma_cm");
	look(doctor_host);
	expect("rdma-modules", SEVERITY_WARNING, "rdma_ucm", "modprobe rdma_ucm");
	plant("etc/rdmablk/rdmablkd.conf", "# [export no]\n  [export disk]\n");
	look(doctor_host);
	expect("rdma-modules", SEVERITY_ERROR, "rdma_ucm", "rdma-core");
}

static void no_device(void **state)
{
	(void)state;
	uproot("sys/class/infiniband");
	look(doctor_rdma);
	expect("no-rdma-device", SEVERITY_ERROR, "no RDMA device",
	       "rdma link add rxe0 type rxe");
	assert_true(disk_run("mkdir -p '%s' && ln -s ../../../../bus/pci/drivers/mlx5_core '%s'",
			     disk_path("sys/class/net/eth0/device"),
			     disk_path("sys/class/net/eth0/device/driver")));
	look(doctor_rdma);
	expect("no-rdma-device", SEVERITY_ERROR, "no RDMA device",
	       "eth0 can do RDMA: 'modprobe mlx5_ib'");
}

static void port_down(void **state)
{
	(void)state;
	plant(PORT "state", "1: DOWN\n");
	look(doctor_rdma);
	expect("port-down", SEVERITY_ERROR, "not active but DOWN",
	       "ip link set eth0 up");
	/* Another one works. */
	assert_true(disk_run("cp -r '%s' '%s'", disk_path(IB),
			     disk_path("sys/class/infiniband/mlx5_1")));
	plant("sys/class/infiniband/mlx5_1/ports/1/state", "4: ACTIVE\n");
	look(doctor_rdma);
	expect("port-down", SEVERITY_WARNING, "mlx5_0", NULL);
	expect("port", SEVERITY_OK, "mlx5_1", NULL);
	look(doctor_mtu);
	expect_fine(1);
}

static void no_subnet_manager(void **state)
{
	(void)state;
	plant(PORT "state", "2: INIT\n");
	plant(PORT "link_layer", "InfiniBand\n");
	look(doctor_rdma);
	expect("port-down", SEVERITY_ERROR, "INIT", "opensm");
	plant(PORT "state", "4: ACTIVE\n");
	look(doctor_rdma);
	expect_fine(1);
	port_facts.mtu = 256;
	look(doctor_mtu);
	expect("mtu", SEVERITY_WARNING, "256 bytes", "subnet manager");
}

static void no_gid(void **state)
{
	(void)state;
	plant(PORT "gids/1", "0000:0000:0000:0000:0000:0000:0000:0000\n");
	look(doctor_rdma);
	expect("no-address", SEVERITY_ERROR, "no IP address",
	       "ip address add ADDRESS/PREFIX dev eth0");
	plant(PORT "gids/0", "0000:0000:0000:0000:0000:0000:0000:0000\n");
	look(doctor_rdma);
	expect("no-gid", SEVERITY_ERROR, "no GID", "dev eth0");
	plant(PORT "gids/0", "0000:0000:0000:0000:0000:ffff:c000:0202\n");
	plant(PORT "gid_attrs/types/0", "IB/RoCE v1\n");
	look(doctor_rdma);
	expect("roce-v1", SEVERITY_ERROR, "only RoCE v1", "RoCE v2");
}

static void no_provider(void **state)
{
	(void)state;
	port_err = -ENODEV;
	look(doctor_rdma);
	expect("provider-missing", SEVERITY_WARNING, "mlx5_0",
	       "ibverbs-providers");
	look(doctor_mtu);
	expect_fine(0);
	/* Who may not look does not know. */
	port_err = -EACCES;
	look(doctor_rdma);
	expect_fine(1);
}

static void iwarp(void **state)
{
	(void)state;
	plant(IB "node_type", "4: RNIC\n");
	look(doctor_rdma);
	expect("iwarp", SEVERITY_ERROR, "iWARP", "InfiniBand or RoCE");
}

static void small_packets(void **state)
{
	(void)state;
	plant("sys/class/net/eth0/mtu", "1500\n");
	port_facts.mtu = 1024;
	look(doctor_mtu);
	expect("mtu", SEVERITY_NOTE, "eth0 has an MTU of 1500: RDMA packets on mlx5_0 carry 1024 bytes, not 4096; the link gives 92 % of its speed at most, not 98 %, and takes 4 times the packets",
	       "ip link set eth0 mtu 9000");
	port_facts.mtu = 512;
	look(doctor_mtu);
	expect("mtu", SEVERITY_WARNING, "512 bytes", "jumbo");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOST_TEST(all_is_well),
		HOST_TEST(many_addresses),
		HOST_TEST(old_kernel),
		HOST_TEST(module_missing),
		HOST_TEST(neither_target_nor_client),
		HOST_TEST(module_of_a_target),
		HOST_TEST(module_of_another_version),
		HOST_TEST(no_user_access),
		HOST_TEST(no_device),
		HOST_TEST(port_down),
		HOST_TEST(no_subnet_manager),
		HOST_TEST(no_gid),
		HOST_TEST(no_provider),
		HOST_TEST(iwarp),
		HOST_TEST(small_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
