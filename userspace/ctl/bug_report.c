// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl report: what a bug report needs, in one file: versions, what doctor
 * finds, devices, exports, settings, logs. No keys.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "cleanup.h"
#include "command.h"
#include "daemon.h"
#include "doctor.h"
#include "family.h"
#include "figures_text.h"
#include "host.h"
#include "json.h"
#include "mask.h"
#include "rbdtab.h"
#include "report.h"
#include "spawn.h"
#include "version.h"

#define KERNEL_LOG_MAX	((size_t)4 << 20)
#define READ_ALL	3	/* of klogctl() */

static const struct option_def options[] = {
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

/* Whatever it is, it passes here. */
static void put(FILE *to, char *text)
{
	size_t len = strlen(text);

	mask_keys(text);
	fprintf(to, "%s%s", text, len && text[len - 1] != '\n' ? "\n" : "");
}

static void put_json(FILE *to, struct json_object *object)
{
	CLEANUP_FREE char *text =
		strdup(json_object_to_json_string_ext(object,
						      JSON_C_TO_STRING_PRETTY |
						      JSON_C_TO_STRING_NOSLASHESCAPE));

	if (text)
		put(to, text);
}

static void put_file(FILE *to, const char *path)
{
	CLEANUP_FILE FILE *file = fopen(path, "re");
	CLEANUP_FREE char *line = NULL;
	size_t size = 0;

	fprintf(to, "\n--- %s\n", path);
	if (!file)
		fprintf(to, "%s\n", strerror(errno));
	while (file && getline(&line, &size, file) > 0)
		put(to, line);
}

static void put_output(FILE *to, const char *const *argv)
{
	CLEANUP_FREE char *text = NULL;
	int i, err;

	fprintf(to, "\n---");
	for (i = 0; argv[i]; i++)
		fprintf(to, " %s", argv[i]);
	fputc('\n', to);
	err = spawn_read(argv, &text);
	if (err < 0)
		fprintf(to, "%s\n", strerror(-err));
	else
		put(to, text);
}

static void put_versions(FILE *to)
{
	CLEANUP_JSON struct json_object *daemon = NULL;
	struct utsname uts;

	uname(&uts);
	fprintf(to, "rbdctl    %s\n", RDMABLK_VERSION);
	if (!daemon_ask(daemon_request("version"), &daemon))
		fprintf(to, "rdmablkd  %s\n", json_text(daemon, "version"));
	fprintf(to, "kernel    %s %s %s\n", uts.release, uts.version,
		uts.machine);
	put_file(to, "/sys/module/rdmablk/version");
	put_file(to, "/etc/os-release");
}

static void put_doctor(FILE *to)
{
	struct doctor doctor = { .ops = &doctor_real_ops, .root = "" };

	fputs("\n--- rbdctl doctor\n", to);
	doctor_examine(&doctor);
	findings_print(&doctor.findings, to);
	doctor_free(&doctor);
}

static void put_no_module(FILE *to, int err)
{
	fprintf(to, "%s\n", err == -ENOENT ? "the module is not loaded" :
		strerror(-err));
}

static void put_devices(FILE *to)
{
	CLEANUP_JSON struct json_object *json = NULL;
	struct devices devices = { 0 };
	int err = doctor_real_ops.devices(&devices);

	fputs("\n--- devices\n", to);
	if (err) {
		put_no_module(to, err);
		return;
	}
	json = devices_json(&devices);
	put_json(to, json);
	devices_free(&devices);
}

static void put_figures(FILE *to)
{
	CLEANUP_GENL struct genl *genl = NULL;
	struct sample sample = { 0 };
	int err = family_open(&genl);

	fputs("\n--- what they have done\n", to);
	if (!err)
		err = sample_take(genl, SAMPLE_ALL, false, &sample);
	if (err)
		put_no_module(to, err);
	else
		figures_totals(&sample, to);
	sample_free(&sample);
}

static void put_export(FILE *to, const char *name)
{
	CLEANUP_JSON struct json_object *export = NULL;

	if (!daemon_ask(daemon_request_for("export-show", name), &export))
		put_json(to, export);
}

static void put_exports(FILE *to)
{
	CLEANUP_JSON struct json_object *result = NULL;
	struct json_object *list;
	size_t i;
	int err = daemon_ask(daemon_request("export-list"), &result);

	fputs("\n--- exports\n", to);
	if (err)
		fprintf(to, "rdmablkd does not tell: %s\n", strerror(-err));
	if (!json_object_object_get_ex(result, "exports", &list) ||
	    !json_object_is_type(list, json_type_array))
		return;
	for (i = 0; i < json_object_array_length(list); i++)
		put_export(to, json_text(json_object_array_get_idx(list, i),
					 "name"));
}

static bool is_ours(const char *line)
{
	static const char *const words[] = {
		"rdmablk", "infiniband", "rdma_rxe", "mlx5", "bnxt_re", "irdma",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

static void put_kernel_log(FILE *to)
{
	CLEANUP_FREE char *log = calloc(1, KERNEL_LOG_MAX + 1);
	char *line, *rest = NULL;

	fputs("\n--- kernel log, what is about rdmablk and RDMA\n", to);
	if (!log || klogctl(READ_ALL, log, (int)KERNEL_LOG_MAX) < 0) {
		fprintf(to, "%s\n", strerror(errno));
		return;
	}
	for (line = strtok_r(log, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (is_ours(line))
			put(to, line);
}

static void put_all(FILE *to)
{
	static const char *const link[] = { "/usr/bin/rdma", "link", NULL };
	static const char *const address[] = {
		"/usr/bin/ip", "-brief", "address", NULL,
	};
	static const char *const journal[] = {
		"/usr/bin/journalctl", "--unit=rdmablkd", "--unit=rdmablk*",
		"--lines=300", "--no-pager", "--output=short-iso", NULL,
	};

	put_versions(to);
	put_doctor(to);
	put_devices(to);
	put_figures(to);
	put_exports(to);
	put_file(to, "/etc/rdmablk/rdmablkd.conf");
	put_file(to, RBDTAB_FILE);
	put_output(to, link);
	put_output(to, address);
	put_kernel_log(to);
	put_output(to, journal);
}

/* Names that sort by time, and tell hosts apart. */
static void default_name(char *name, size_t size)
{
	char host[RDMABLK_HOST_MAX], date[32];
	time_t now = time(NULL);
	struct tm tm;

	host_name(host);
	if (!localtime_r(&now, &tm) ||
	    !strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm))
		snprintf(date, sizeof(date), "0");
	snprintf(name, size, "rdmablk-report-%s-%s.txt", host, date);
}

static enum rbdctl_exit cannot_write(const char *path, int err)
{
	enum rbdctl_exit code = err == EEXIST ? EXIT_BUSY : EXIT_FAILED;

	fail(code, "cannot write the report to %s: %s", quote(path),
	     strerror(err));
	if (err == EEXIST)
		remedy("name another file: none is overwritten");
	return code;
}

static void say_name(const char *path)
{
	CLEANUP_JSON struct json_object *json = NULL;

	if (!report_json) {
		puts(path);
		note("it has names of hosts, exports and keys, and addresses, but not the keys: look at it before you send it");
		return;
	}
	json = json_object_new_object();
	json_object_object_add(json, "file", json_object_new_string(path));
	print_json(json);
}

static enum rbdctl_exit report_run(int argc, char **argv)
{
	char name[PATH_MAX];
	const char *path = argc ? argv[0] : name;
	FILE *file;
	int fd, broken;

	default_name(name, sizeof(name));
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return cannot_write(path, errno);
	file = fdopen(fd, "w");
	if (!file) {
		close(fd);
		return cannot_write(path, ENOMEM);
	}
	put_all(file);
	broken = ferror(file);
	if (fclose(file) || broken)
		return cannot_write(path, errno ? errno : EIO);
	say_name(path);
	return EXIT_OK;
}

const struct command command_report = {
	.name		= "report",
	.arguments	= "[FILE] [OPTION]...",
	.summary	= "Collect what a bug report needs in one file",
	.details	= "Prints the file's name. Nothing of keys is in it but their names",
	.options	= options,
	.max_args	= 1,
	.run		= report_run,
};
