// SPDX-License-Identifier: GPL-2.0
/*
 * doctor: the daemon of this host, and what it offers.
 */
#include <errno.h>
#include <string.h>

#include "cleanup.h"
#include "daemon.h"
#include "doctor.h"
#include "json.h"
#include "version.h"

static void not_running(struct doctor *doctor)
{
	found(&doctor->findings, SEVERITY_ERROR, "daemon-down",
	      "rdmablkd does not run, though rdmablkd.conf has exports");
	found_remedy(&doctor->findings, "'systemctl enable --now rdmablkd'; 'journalctl -u rdmablkd' says why it ended");
}

static void no_answer(struct doctor *doctor, int err)
{
	char pid[32];

	/* A host that is not meant to be a target is none. */
	if (err == -ENOENT || err == -ECONNREFUSED) {
		if (!doctor_daemon_pid(doctor, pid)) {
			if (doctor_offers(doctor))
				not_running(doctor);
			return;
		}
		found(&doctor->findings, SEVERITY_NOTE, "daemon-elsewhere",
		      "rdmablkd runs, but does not listen on %s",
		      daemon_socket);
		found_remedy(&doctor->findings, "say --socket PATH");
		return;
	}
	if (err == -EACCES || err == -EPERM) {
		found(&doctor->findings, SEVERITY_NOTE, "daemon-unknown",
		      "rdmablkd runs, and only root may ask it how it is");
		found_remedy(&doctor->findings, "'sudo rbdctl doctor'");
		return;
	}
	found(&doctor->findings, SEVERITY_ERROR, "daemon-silent",
	      "rdmablkd does not answer: %s",
	      err == -EAGAIN ? "it takes too long" : strerror(-err));
	found_remedy(&doctor->findings, "'journalctl -u rdmablkd' may say why");
}

static void check_version(struct doctor *doctor, const char *version)
{
	struct findings *findings = &doctor->findings;

	if (!strcmp(version, RDMABLK_VERSION)) {
		found(findings, SEVERITY_OK, "daemon",
		      "rdmablkd runs, version %s", version);
		return;
	}
	found(findings, SEVERITY_WARNING, "daemon-version",
	      "the rdmablkd that runs has version %s, rbdctl has %s", version,
	      RDMABLK_VERSION);
	found_remedy(findings, "'systemctl restart rdmablkd' when it suits: exports in its own memory (store mem) lose their contents");
}

static void check_export(struct doctor *doctor, struct json_object *export)
{
	struct findings *findings = &doctor->findings;
	struct json_object *error = json_object_object_get(export, "error");
	const char *name = json_text(export, "name");
	const char *state = json_text(export, "state");

	if (error) {
		found(findings, SEVERITY_ERROR, "export-error",
		      "export %s: flushes fail: %s", name,
		      json_text(error, "message"));
		found_remedy(findings, "%s%s'rbdctl export retry %s' when the cause is gone",
			     json_text(error, "hint"),
			     *json_text(error, "hint") ? "; then " : "", name);
	} else if (strcmp(state, "ready")) {
		found(findings, SEVERITY_WARNING, "export-state",
		      "export %s is not ready but %s: clients have to wait",
		      name, state);
		found_remedy(findings, "'rbdctl export show %s' tells how far it is",
			     name);
	} else {
		found(findings, SEVERITY_OK, "export",
		      "export %s is ready; clients: %s", name,
		      json_text(export, "clients"));
	}
}

static void check_exports(struct doctor *doctor, struct json_object *exports)
{
	size_t i, count = json_object_is_type(exports, json_type_array) ?
			  json_object_array_length(exports) : 0;

	for (i = 0; i < count; i++)
		check_export(doctor, json_object_array_get_idx(exports, i));
	if (count)
		return;
	found(&doctor->findings, SEVERITY_WARNING, "no-exports",
	      "rdmablkd has nothing to offer");
	found_remedy(&doctor->findings, "'rbdctl export add', or an export in rdmablkd.conf");
}

/**
 * doctor_daemon() - look at the daemon
 * @doctor: the examination
 */
void doctor_daemon(struct doctor *doctor)
{
	CLEANUP_JSON struct json_object *version = NULL, *list = NULL;
	struct json_object *exports = NULL;
	int err;

	doctor->findings.group = "The daemon of this host";
	err = doctor->ops->daemon(daemon_request("version"), &version);
	if (!err)
		err = doctor->ops->daemon(daemon_request("export-list"), &list);
	if (err) {
		no_answer(doctor, err);
		return;
	}
	check_version(doctor, json_text(version, "version"));
	json_object_object_get_ex(list, "exports", &exports);
	check_exports(doctor, exports);
}
