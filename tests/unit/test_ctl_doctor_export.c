// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl doctor on a target's memory and on its daemon (ctl/doctor_memory.c,
 * doctor_daemon.c).
 */
#include "test.h"

#include "fixture_doctor.h"

#define LIMITS	"Limit                     Soft Limit           Hard Limit           Units     \n" \
		"Max cpu time              unlimited            unlimited            seconds   \n"

/* A daemon that may lock so much, as proc has it. */
static void plant_daemon(const char *limit, const char *capabilities)
{
	char text[512];

	plant("proc/321/comm", "rdmablkd\n");
	snprintf(text, sizeof(text),
		 LIMITS "Max locked memory         %-20s %-20s bytes     \n",
		 limit, limit);
	plant("proc/321/limits", text);
	snprintf(text, sizeof(text), "Name:\trdmablkd\nCapEff:\t%s\n",
		 capabilities);
	plant("proc/321/status", text);
}

static void plant_hugepages(const char *all, const char *unused)
{
	plant("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", all);
	plant("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", unused);
}

static void memory_of_a_client(void **state)
{
	(void)state;
	look(doctor_memory);
	expect_fine(0);
}

static void memory_is_well(void **state)
{
	(void)state;
	plant_daemon("unlimited", "0000000000000000");
	plant_hugepages("512\n", "256\n");
	look(doctor_memory);
	expect_fine(2);
	expect("hugepages", SEVERITY_OK,
	       "512 hugepages of 2 MiB, 512 MiB of them free", NULL);
	/* CAP_IPC_LOCK lifts the limit. */
	plant_daemon("65536", "0000000000004000");
	plant_hugepages("512\n", "0\n");
	look(doctor_memory);
	expect_fine(2);
	expect("hugepages", SEVERITY_OK, "none of them free", NULL);
}

static void little_memlock(void **state)
{
	(void)state;
	plant_daemon("65536", "0000000000000000");
	plant_hugepages("512\n", "256\n");
	look(doctor_memory);
	expect("memlock", SEVERITY_ERROR, "rdmablkd may lock 64 KiB",
	       "LimitMEMLOCK=infinity");
	plant_daemon("8589934592", "0000000000000000");
	look(doctor_memory);
	expect("memlock", SEVERITY_WARNING, "8 GiB", "ulimit -l unlimited");
}

static void no_hugepages(void **state)
{
	(void)state;
	plant_daemon("unlimited", "0");
	plant_hugepages("0\n", "0\n");
	look(doctor_memory);
	expect("hugepages", SEVERITY_NOTE, "no hugepages",
	       "sysctl vm.nr_hugepages=N");
	/* They are asked for. */
	plant("etc/rdmablk/rdmablkd.conf",
	      "[export one]\nhugepages = off\n[export disk]\nhugepages = 2M\n");
	look(doctor_memory);
	expect("hugepages-missing", SEVERITY_ERROR, "hugepages = 2M",
	       "hugepages-2048kB/nr_hugepages");
	plant("etc/rdmablk/rdmablkd.conf", "[export disk]\nhugepages = off\n");
	look(doctor_memory);
	assert_null(find("hugepages-missing"));
	plant("etc/rdmablk/rdmablkd.conf", "[export disk]\nhugepages=2M\n");
	plant_hugepages("1\n", "0\n");
	look(doctor_memory);
	expect_fine(2);
}

static void small_registrations(void **state)
{
	(void)state;
	plant_daemon("unlimited", "0");
	port_facts.max_mr_size = (uint64_t)512 << 20;
	look(doctor_memory);
	expect("max-mr-size", SEVERITY_WARNING, "512 MiB", "firmware");
}

static void no_daemon(void **state)
{
	(void)state;
	look(doctor_daemon);
	expect_fine(0);
	/* There should be one. */
	plant("etc/rdmablk/rdmablkd.conf", "[export disk]\n");
	look(doctor_daemon);
	expect("daemon-down", SEVERITY_ERROR, "does not run",
	       "systemctl enable --now rdmablkd");
	/* There is one, elsewhere. */
	plant_daemon("unlimited", "0");
	look(doctor_daemon);
	expect("daemon-elsewhere", SEVERITY_NOTE, "control.sock", "--socket");
}

static void daemon_without_answer(void **state)
{
	(void)state;
	daemon_err = -EACCES;
	look(doctor_daemon);
	expect("daemon-unknown", SEVERITY_NOTE, "only root", "sudo");
	daemon_err = -EAGAIN;
	look(doctor_daemon);
	expect("daemon-silent", SEVERITY_ERROR, "takes too long", "journalctl");
}

static void daemon_runs(void **state)
{
	(void)state;
	daemon_err = 0;
	look(doctor_daemon);
	expect_fine(2);
	expect("export", SEVERITY_OK, "export disk is ready; clients: 1",
	       NULL);
	daemon_is = "0.0.9";
	look(doctor_daemon);
	expect("daemon-version", SEVERITY_WARNING, "0.0.9",
	       "systemctl restart rdmablkd");
}

static void bad_exports(void **state)
{
	(void)state;
	daemon_err = 0;
	exports = "[]";
	look(doctor_daemon);
	expect("no-exports", SEVERITY_WARNING, "nothing to offer",
	       "rbdctl export add");
	exports = "[{\"name\": \"disk\", \"state\": \"preparing\"}]";
	look(doctor_daemon);
	expect("export-state", SEVERITY_WARNING, "not ready but preparing",
	       "rbdctl export show disk");
	exports = "[{\"name\": \"disk\", \"state\": \"ready\","
		  " \"error\": {\"message\": \"no space\", \"hint\": \"make room\"}}]";
	look(doctor_daemon);
	expect("export-error", SEVERITY_ERROR, "no space",
	       "make room; then 'rbdctl export retry disk'");
	/* What makes no sense does no harm. */
	exports = "{}";
	look(doctor_daemon);
	assert_non_null(find("no-exports"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		HOST_TEST(memory_of_a_client),
		HOST_TEST(memory_is_well),
		HOST_TEST(little_memlock),
		HOST_TEST(no_hugepages),
		HOST_TEST(small_registrations),
		HOST_TEST(no_daemon),
		HOST_TEST(daemon_without_answer),
		HOST_TEST(daemon_runs),
		HOST_TEST(bad_exports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
