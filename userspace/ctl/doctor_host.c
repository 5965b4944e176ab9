// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: kernel and modules of this host.
 */
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "doctor.h"
#include "tree.h"
#include "version.h"

#define OLDEST_MAJOR	6	/* kernel that the module is made for */
#define OLDEST_MINOR	1

/* Where to begin. */
static void check_role(struct doctor *doctor)
{
	if (!doctor_is_new(doctor))
		return;
	found(&doctor->findings, SEVERITY_NOTE, "no-role",
	      "this host is set up neither as a target nor as a client yet");
	found_remedy(&doctor->findings, "see to what is below, from the top; then a target needs an export in /etc/rdmablk/rdmablkd.conf and 'systemctl enable --now rdmablkd', a client 'rbdctl attach TARGET EXPORT'");
}

static void check_kernel(struct doctor *doctor, const char *release)
{
	unsigned int major = 0, minor = 0;

	/* NOLINTNEXTLINE: what is no number is 0.0, and too old */
	sscanf(release, "%u.%u", &major, &minor);
	if (major > OLDEST_MAJOR ||
	    (major == OLDEST_MAJOR && minor >= OLDEST_MINOR)) {
		found(&doctor->findings, SEVERITY_OK, "kernel", "Linux %s",
		      release);
		return;
	}
	found(&doctor->findings, doctor_is_client(doctor) ? SEVERITY_ERROR :
	      SEVERITY_NOTE, "kernel",
	      "Linux %s: the module is made for %d.%d and newer", release,
	      OLDEST_MAJOR, OLDEST_MINOR);
	found_remedy(&doctor->findings, "install a newer kernel; a target that attaches nothing may stay");
}

/* Has depmod seen a module of this kernel? */
static bool installed(const struct doctor *doctor, const char *release,
		      const char *module)
{
	CLEANUP_FILE FILE *file = NULL;
	char path[4096], line[1024], part[80];

	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.dep",
		 doctor->root, release);
	snprintf(part, sizeof(part), "/%s.ko", module);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, ":")] = '\0';
		if (strstr(line, part))
			return true;
	}
	return false;
}

static void check_loaded(struct doctor *doctor, const char *version)
{
	struct findings *findings = &doctor->findings;

	if (!strcmp(version, RDMABLK_VERSION)) {
		found(findings, SEVERITY_OK, "module",
		      "the module rdmablk is loaded, version %s", version);
		return;
	}
	found(findings, SEVERITY_WARNING, "module-version",
	      "the module that is loaded has version %s, rbdctl has %s",
	      version, RDMABLK_VERSION);
	found_remedy(findings, "when no device is in use: 'rbdctl detach --all && rmmod rdmablk && modprobe rdmablk'");
}

static void check_module(struct doctor *doctor, const char *release)
{
	struct findings *findings = &doctor->findings;
	char version[64];

	if (tree_line(doctor->root, version, sizeof(version),
		      "sys/module/rdmablk/version")) {
		check_loaded(doctor, version);
	} else if (installed(doctor, release, "rdmablk")) {
		found(findings, SEVERITY_OK, "module",
		      "the module rdmablk is installed; 'rbdctl attach' loads it");
	} else {
		found(findings, doctor_is_client(doctor) ? SEVERITY_ERROR :
		      SEVERITY_NOTE, "module-missing",
		      "the module rdmablk is neither loaded nor installed for this kernel");
		found_remedy(findings, "clients need it: install rdmablk-dkms and linux-headers-%s, or 'make modules_install' in the sources",
			     release);
	}
}

/* What user space needs of the kernel: the daemon, and doctor itself. */
static void check_user_access(struct doctor *doctor)
{
	static const struct {
		const char *path;
		const char *module;
	} interfaces[] = {
		{ "sys/class/infiniband_verbs",	"ib_uverbs" },
		{ "sys/class/misc/rdma_cm",	"rdma_ucm" },
	};
	struct findings *findings = &doctor->findings;
	bool good = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(interfaces); i++) {
		if (tree_exists(doctor->root, "%s", interfaces[i].path))
			continue;
		good = false;
		found(findings, doctor_is_target(doctor) ? SEVERITY_ERROR :
		      SEVERITY_WARNING, "rdma-modules",
		      "the module %s is not loaded: programs such as rdmablkd cannot use RDMA",
		      interfaces[i].module);
		found_remedy(findings, "'modprobe %s'; the package rdma-core has it loaded at boot",
			     interfaces[i].module);
	}
	if (good)
		found(findings, SEVERITY_OK, "rdma-modules",
		      "programs can use RDMA: ib_uverbs and rdma_ucm are loaded");
}

/**
 * doctor_host() - look at kernel and modules
 * @doctor: the examination
 */
void doctor_host(struct doctor *doctor)
{
	char release[128] = "";

	doctor->findings.group = "This host";
	tree_line(doctor->root, release, sizeof(release),
		  "proc/sys/kernel/osrelease");
	check_role(doctor);
	check_kernel(doctor, release);
	check_module(doctor, release);
	check_user_access(doctor);
}
