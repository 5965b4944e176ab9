// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl attach: makes exports block devices of this host: one that the command
 * line names, or what /etc/rdmablk/rbdtab says.
 */
#include <stdio.h>
#include <stdlib.h>

#include "attach_jobs.h"
#include "cleanup.h"
#include "command.h"
#include "rbdtab.h"
#include "report.h"
#include "uapi/rdmablk_proto.h"

#define RETRY_MAX	86400	/* seconds */

static struct attach_opts opts = {
	.queues = -1, .poll_queues = -1, .depth = -1,
	.connect_tmo = -1, .settings = SETTINGS_NONE,
};

static struct {
	bool all;
	int64_t retry;
	const char *tab;
} which = { false, 0, RBDTAB_FILE };

static const struct option_def options[] = {
	{ "all", NULL, "all that " RBDTAB_FILE " names",
	  OPTION_FLAG, &which.all, 0, 0 },
	{ "retry", "SECONDS", "try for so long (default: 0, once)",
	  OPTION_NUMBER, &which.retry, 0, RETRY_MAX },
	{ "tab", "FILE", "read FILE instead of " RBDTAB_FILE,
	  OPTION_TEXT, &which.tab, 0, 0 },
	/* From here on those that an entry of that file may have. */
	{ "read-only", NULL, "attach for reading only",
	  OPTION_FLAG, &opts.read_only, 0, 0 },
	{ "force", NULL, "take the export from the host that holds it",
	  OPTION_FLAG, &opts.force, 0, 0 },
	{ "key", "NAME", "authenticate with this key, see 'rbdctl key'",
	  OPTION_TEXT, &opts.key, 0, 0 },
	{ "queues", "N", "data queues (default: one per CPU)",
	  OPTION_NUMBER, &opts.queues, 1, RDMABLK_QUEUES_MAX },
	{ "poll-queues", "N", "more of them, for polled I/O (default: 0)",
	  OPTION_NUMBER, &opts.poll_queues, 0, RDMABLK_QUEUES_MAX - 1 },
	{ "depth", "N", "requests in flight on each queue (default: 128)",
	  OPTION_NUMBER, &opts.depth, 1, RDMABLK_DEPTH_MAX },
	{ "source", "ADDRESS", "connect from this address of this host",
	  OPTION_TEXT, &opts.source, 0, 0 },
	{ "connect-timeout", "SECONDS", "for each step of a connect (default: 5)",
	  OPTION_NUMBER, &opts.connect_tmo, 1, 60 },
	SETTING_OPTIONS(opts.settings),
	{ "no-partscan", NULL, "do not look for partitions",
	  OPTION_FLAG, &opts.no_partscan, 0, 0 },
	{ "no-udev", NULL, "do not wait until udev is done with the device",
	  OPTION_FLAG, &opts.no_udev, 0, 0 },
	OPTIONS_END,
};

#define OPTIONS_OF_ENTRY (&options[3])

/* Its own options come on top of those of the command line. */
static enum rbdctl_exit make_job(const struct rbdtab *tab,
				 const struct rbdtab_entry *entry,
				 struct attach_job *job)
{
	const struct attach_opts given = opts;
	enum rbdctl_exit code = options_parse_list(OPTIONS_OF_ENTRY,
						   entry->options);

	if (code)
		remedy("in line %u of %s", entry->line, tab->path);
	*job = (struct attach_job){
		.target = entry->target, .export = entry->export,
		.entry = entry->name, .opts = opts,
	};
	opts = given;
	return code;
}

/* There is no such entry, or no file. */
static void remedy_tab(const char *name)
{
	if (name)
		remedy("if %s is a target, name the EXPORT, too; if it is to be an entry, see rbdtab(5)",
		       quote(name));
	else
		remedy("rbdtab(5) says how to write it");
}

/* All entries, or the one of that name. Nothing is attached before all are read. */
static enum rbdctl_exit attach_tab(const char *name)
{
	CLEANUP_FREE struct attach_job *jobs = NULL;
	const struct rbdtab_entry *first;
	struct rbdtab tab = { 0 };
	enum rbdctl_exit code;
	size_t i, count;

	code = rbdtab_read(&tab, which.tab);
	first = tab.entries;
	count = tab.count;
	if (!code && name) {
		code = rbdtab_find(&tab, name, &first);
		count = 1;
	}
	if (code == EXIT_NOT_FOUND)
		remedy_tab(name);
	if (!code) {
		jobs = calloc(count + 1, sizeof(*jobs));
		if (!jobs) {
			fail(EXIT_FAILED, "out of memory");
			code = EXIT_FAILED;
		}
	}
	for (i = 0; !code && i < count; i++)
		code = make_job(&tab, &first[i], &jobs[i]);
	if (!code)
		code = attach_jobs(jobs, count, which.retry);
	if (report_json && (!code || which.all))
		attach_jobs_print_json(jobs, jobs ? count : 0, which.all);
	rbdtab_free(&tab);
	return code;
}

static enum rbdctl_exit attach_run(int argc, char **argv)
{
	struct attach_job job = { .opts = opts };
	enum rbdctl_exit code;

	if (which.all ? argc > 0 : argc == 0) {
		fail(EXIT_USAGE, which.all ? "--all takes no arguments" :
		     "what to attach is missing");
		remedy("TARGET and EXPORT, or the NAME of an entry of %s, or --all",
		       which.tab);
		return EXIT_USAGE;
	}
	if (argc < 2)
		return attach_tab(argc ? argv[0] : NULL);

	job.target = argv[0];
	job.export = argv[1];
	code = attach_jobs(&job, 1, which.retry);
	if (!code && report_json)
		attach_jobs_print_json(&job, 1, false);
	return code;
}

const struct command command_attach = {
	.name		= "attach",
	.arguments	= "TARGET[:PORT] EXPORT | NAME | --all [OPTION]...",
	.summary	= "Attach an export of a target as a block device",
	.details	= "Prints the device's name once it can be opened. The default port is 12345.\n"
			  "NAME is an entry of " RBDTAB_FILE ", see rbdtab(5)",
	.options	= options,
	.min_args	= 0,
	.max_args	= 2,
	.run		= attach_run,
};
