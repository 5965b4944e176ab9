/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host for rdmablk's doctor to look at: a tree of files, made by host_setup(),
 * and answers to what is asked otherwise. It is healthy, with one RoCE card, until
 * a test plants a fault.
 */
#ifndef RDMABLK_TEST_FIXTURE_DOCTOR_H
#define RDMABLK_TEST_FIXTURE_DOCTOR_H

#include <errno.h>
#include <netdb.h>
#include <stdio.h>

#include "disk.h"
#include "doctor.h"
#include "macros.h"
#include "version.h"

#define IB	"sys/class/infiniband/mlx5_0/"
#define PORT	IB "ports/1/"
#define RELEASE	"6.1.0-37-amd64"

static struct doctor_ops ops;
static struct doctor doctor;

/* Writes a file of the tree, with the directories above it. */
static inline void plant(const char *path, const char *text)
{
	FILE *file;

	assert_true(disk_run("mkdir -p \"$(dirname '%s')\"", disk_path(path)));
	file = fopen(disk_path(path), "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static inline void uproot(const char *path)
{
	assert_true(disk_run("rm -r '%s'", disk_path(path)));
}

/* ---- Answers, which a test may change ----------------------------------- */

static struct doctor_port port_facts;
static int port_err;
static struct pause_frames pause_facts;
static const char *rules;
static const char *queue_pairs;
static const char *exports;	/* of the daemon, in JSON */
static const char *daemon_is;	/* its version */
static int daemon_err;

static inline int answer_port(const char *device, unsigned int port,
			      struct doctor_port *out)
{
	assert_int_equal(port, 1);
	assert_non_null(device);
	*out = port_facts;
	return port_err;
}

static inline void answer_pause(const char *netdev, struct pause_frames *out)
{
	assert_string_equal(netdev, "eth0");
	*out = pause_facts;
}

static inline char *answer_ruleset(void)
{
	return rules ? strdup(rules) : NULL;
}

static inline char *answer_queue_pairs(void)
{
	return queue_pairs ? strdup(queue_pairs) : NULL;
}

static inline int answer_daemon(struct json_object *request,
				struct json_object **result)
{
	struct json_object *command;

	assert_true(json_object_object_get_ex(request, "command", &command));
	*result = json_object_new_object();
	if (!strcmp(json_object_get_string(command), "version"))
		json_object_object_add(*result, "version",
				       json_object_new_string(daemon_is));
	else
		json_object_object_add(*result, "exports",
				       json_tokener_parse(exports));
	json_object_put(request);
	if (daemon_err) {
		json_object_put(*result);
		*result = NULL;
	}
	return daemon_err;
}

/* ---- The host ------------------------------------------------------------ */

static inline void plant_card(void)
{
	plant(IB "node_type", "1: CA\n");
	plant(IB "device/net/eth0/mtu", "9000\n");
	plant(PORT "state", "4: ACTIVE\n");
	plant(PORT "link_layer", "Ethernet\n");
	plant(PORT "rate", "100 Gb/sec (4X EDR)\n");
	plant(PORT "gids/0", "fe80:0000:0000:0000:5054:00ff:fe00:0202\n");
	plant(PORT "gids/1", "0000:0000:0000:0000:0000:ffff:c000:0202\n");
	plant(PORT "gids/2", "0000:0000:0000:0000:0000:0000:0000:0000\n");
	plant(PORT "gid_attrs/types/0", "RoCE v2\n");
	plant(PORT "gid_attrs/types/1", "RoCE v2\n");
	plant(PORT "gid_attrs/ndevs/0", "eth0\n");
	plant(PORT "gid_attrs/ndevs/1", "eth0\n");
	plant(PORT "counters/port_rcv_packets", "1000000\n");
	plant(PORT "hw_counters/out_of_sequence", "0\n");
	plant("sys/class/net/eth0/mtu", "9000\n");
}

/* Soft-RoCE instead of a card. */
static inline void soften(void)
{
	plant(IB "parent", "eth0\n");
	uproot(IB "device");
}

static inline int host_setup(void **state)
{
	if (disk_setup(state))
		return -1;
	plant("proc/sys/kernel/osrelease", RELEASE "\n");
	plant("sys/module/rdmablk/version", RDMABLK_VERSION "\n");
	plant("sys/class/infiniband_verbs/abi_version", "6\n");
	plant("sys/class/misc/rdma_cm/dev", "10:60\n");
	plant_card();

	port_facts = (struct doctor_port){
		.mtu = 4096, .max_mr_size = (uint64_t)1 << 40,
	};
	port_err = 0;
	pause_facts = (struct pause_frames){ .known = true, .sent = 7 };
	rules = "";
	queue_pairs = "[]";
	exports = "[{\"name\": \"disk\", \"state\": \"ready\", \"clients\": 1}]";
	daemon_is = RDMABLK_VERSION;
	daemon_err = -ENOENT;
	ops = (struct doctor_ops){
		.port = answer_port, .queue_pairs = answer_queue_pairs,
		.pause = answer_pause, .ruleset = answer_ruleset,
		.daemon = answer_daemon,
	};
	doctor = (struct doctor){ .ops = &ops, .root = disk_dir };
	return 0;
}

static inline int host_teardown(void **state)
{
	doctor_free(&doctor);
	return disk_teardown(state);
}

#define HOST_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, host_setup, host_teardown)

/* ---- What is found ------------------------------------------------------- */

/* Makes a check; what earlier ones have found is forgotten. */
static inline void look(void (*check)(struct doctor *doctor))
{
	doctor_free(&doctor);
	rdma_ports_find(doctor.root, &doctor.ports);
	check(&doctor);
}

static inline const struct finding *find(const char *id)
{
	size_t i;

	for (i = 0; i < doctor.findings.count; i++)
		if (!strcmp(doctor.findings.list[i].id, id))
			return &doctor.findings.list[i];
	return NULL;
}

/* It was found, is as bad as that, says so, and what can be done about it. */
static inline void expect(const char *id, enum severity severity,
			  const char *what, const char *remedy)
{
	const struct finding *finding = find(id);

	if (!finding)
		fail_msg("'%s' was not found", id);
	assert_int_equal(finding->severity, severity);
	assert_contains(finding->what, what);
	if (remedy) {
		assert_non_null(finding->remedy);
		assert_contains(finding->remedy, remedy);
	}
}

/* So many findings, all of them good. */
static inline void expect_fine(size_t count)
{
	assert_int_equal(findings_worst(&doctor.findings), SEVERITY_OK);
	assert_int_equal(doctor.findings.count, count);
}

#endif /* RDMABLK_TEST_FIXTURE_DOCTOR_H */
