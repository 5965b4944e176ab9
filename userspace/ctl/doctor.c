// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl doctor: finds why it does not work, or is slow.
 */
#include <stdio.h>

#include "command.h"
#include "daemon.h"
#include "doctor.h"
#include "macros.h"
#include "report.h"

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

/* In the order in which one thing needs the other. */
static void (*const checks[])(struct doctor *doctor) = {
	doctor_host,
	doctor_rdma,
	doctor_cm,
	doctor_mtu,
	doctor_loss,
	doctor_firewall,
	doctor_memory,
	doctor_daemon,
	doctor_target,
	doctor_devices,
};

static enum rbdctl_exit exit_for(enum severity worst)
{
	switch (worst) {
	case SEVERITY_ERROR:
		return EXIT_FAILED;
	case SEVERITY_WARNING:
		return EXIT_WARNING;
	default:
		return EXIT_OK;
	}
}

/**
 * doctor_examine() - make all checks
 * @doctor: its findings and ports are filled in; doctor_free() is due
 */
void doctor_examine(struct doctor *doctor)
{
	size_t i;

	rdma_ports_find(doctor->root, &doctor->ports);
	for (i = 0; i < ARRAY_SIZE(checks); i++)
		checks[i](doctor);
}

/**
 * doctor_free() - release what an examination found
 * @doctor: the examination
 */
void doctor_free(struct doctor *doctor)
{
	rdma_ports_free(&doctor->ports);
	findings_free(&doctor->findings);
}

static enum rbdctl_exit doctor_run(int argc, char **argv)
{
	struct doctor doctor = { .ops = &doctor_real_ops, .root = "" };
	struct target target = { .list = NULL };
	enum rbdctl_exit code = EXIT_OK;

	if (argc)
		code = target_parse(argv[0], &target);
	if (code)
		return code;

	doctor.target = argc ? &target : NULL;
	doctor_examine(&doctor);
	if (report_json)
		findings_print_json(&doctor.findings);
	else
		findings_print(&doctor.findings, stdout);
	code = exit_for(findings_worst(&doctor.findings));
	doctor_free(&doctor);
	if (target.list)
		freeaddrinfo(target.list);
	return code;
}

const struct command command_doctor = {
	.name		= "doctor",
	.arguments	= "[TARGET[:PORT]] [OPTION]...",
	.summary	= "Find why it does not work, or is slow, on a client or a target",
	.details	= "Looks at this host, and at TARGET if it is named. Changes nothing",
	.options	= options,
	.max_args	= 1,
	.run		= doctor_run,
};
