// SPDX-License-Identifier: GPL-2.0
/*
 * The command line. It is read twice: first for the configuration file, then
 * for what goes beyond it, because the command line has the last word wherever
 * --config stands.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "options.h"
#include "suggest.h"
#include "version.h"

enum {
	OPT_CONFIG = 256,
	OPT_EXPORT,
	OPT_ALLOW_UNAUTHENTICATED,
	OPT_VERSION,
	OPT_KEY,	/* the long name is a key of the configuration file */
};

static const struct option options[] = {
	{ "config",		required_argument, NULL, OPT_CONFIG },
	{ "listen",		required_argument, NULL, OPT_KEY },
	{ "port",		required_argument, NULL, OPT_KEY },
	{ "export",		required_argument, NULL, OPT_EXPORT },
	{ "metrics",		required_argument, NULL, OPT_KEY },
	{ "socket",		required_argument, NULL, OPT_KEY },
	{ "state-dir",		required_argument, NULL, OPT_KEY },
	{ "key-file",		required_argument, NULL, OPT_KEY },
	{ "allow-unauthenticated", no_argument, NULL,
	  OPT_ALLOW_UNAUTHENTICATED },
	{ "help",		no_argument, NULL, 'h' },
	{ "version",		no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
"Usage: rdmablkd [OPTION]...\n"
"\n"
"Offers memory of this host, and disks served from it, as block devices over\n"
"RDMA.\n"
"\n"
"  --config FILE           read FILE instead of " CONFIG_FILE "\n"
"  --listen ADDR[:PORT]    listen there only; may be repeated\n"
"  --port N                where an address has no port of its own (12345)\n"
"  --export NAME:KEY=VALUE[,KEY=VALUE]...\n"
"                          offer an export; may be repeated. Keys: store (mem,\n"
"                          shm, file, blk), size, path, staging, prealloc,\n"
"                          block-size, read-only, shared-read, hugepages,\n"
"                          extent-size, allow\n"
"  --metrics [ADDR:]PORT   serve OpenMetrics over HTTP, on 127.0.0.1 or there\n"
"  --socket PATH           control socket (" CONFIG_SOCKET ")\n"
"  --state-dir DIR         where state survives a restart (" CONFIG_STATE_DIR ")\n"
"  --key-file FILE         the clients' keys (" CONFIG_KEY_FILE ")\n"
"  --allow-unauthenticated serve clients that do not prove who they are\n"
"  -h, --help              print this\n"
"  --version               print the version\n"
"\n"
"See rdmablkd(8) and rdmablkd.conf(5).\n";

static void unknown_option(const char *arg, struct reason *why)
{
	const char *known[ARRAY_SIZE(options) - 1], *meant;
	char word[64];
	size_t i;

	if (strncmp(arg, "--", 2)) {
		reason_set(why, -EINVAL, "unknown option '%s'", arg);
		return;
	}
	/* It is known, or getopt would not say which it is. */
	if (optopt) {
		reason_set(why, -EINVAL, "option '%.*s' takes no value",
			   (int)strcspn(arg, "="), arg);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(known); i++)
		known[i] = options[i].name;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(arg + 2, "="),
		 arg + 2);
	meant = suggest(word, known, ARRAY_SIZE(known));
	reason_set(why, -EINVAL, "unknown option '--%s'", word);
	if (meant)
		reason_hint(why, "did you mean '--%s'?", meant);
}

static int add_export(struct config *config, const char *text,
		      struct reason *why)
{
	struct reason inner;
	struct spec spec;
	int err = spec_parse(&spec, text, &inner);

	if (!err)
		return config_add_export(config, &spec, why);
	reason_set(why, err, "--export %.100s: %.300s", text, inner.message);
	if (inner.hint[0])
		reason_hint(why, "%s", inner.hint);
	return err;
}

/* Goes through the command line once. -ECANCELED: there is nothing to run. */
static int walk(int argc, char **argv, int (*take)(struct config *config,
		int option, int index, struct reason *why),
		struct config *config, struct reason *why)
{
	int option, index = -1, err = 0;

	optind = 0;
	opterr = 0;
	while (!err && (option = getopt_long(argc, argv, ":h", options,
					     &index)) >= 0) {
		if (option == ':')
			err = reason_set(why, -EINVAL, "%s needs a value",
					 argv[optind - 1]);
		else if (option == '?')
			err = -EINVAL;
		else
			err = take(config, option, index, why);
		if (option == '?')
			unknown_option(argv[optind - 1], why);
	}
	if (!err && optind < argc)
		err = reason_set(why, -EINVAL, "unexpected argument '%s'",
				 argv[optind]);
	return err;
}

static const char *config_file;

static int take_first(struct config *config __attribute__((unused)),
		      int option, int index __attribute__((unused)),
		      struct reason *why __attribute__((unused)))
{
	switch (option) {
	case OPT_CONFIG:
		config_file = optarg;
		return 0;
	case 'h':
		fputs(help, stdout);
		return -ECANCELED;
	case OPT_VERSION:
		puts("rdmablkd " RDMABLK_VERSION);
		return -ECANCELED;
	default:
		return 0;
	}
}

static bool listen_given;

static int take_second(struct config *config, int option, int index,
		       struct reason *why)
{
	const char *name;

	switch (option) {
	case OPT_EXPORT:
		return add_export(config, optarg, why);
	case OPT_ALLOW_UNAUTHENTICATED:
		config->allow_unauthenticated = true;
		return 0;
	case OPT_KEY:
		name = options[index].name;
		/* The first --listen replaces what the file says. */
		if (!strcmp(name, "listen") && !listen_given) {
			listen_given = true;
			config->nr_listen = 0;
		}
		return config_set(config, name, optarg, why);
	default:
		return 0;
	}
}

/**
 * options_parse() - read command line and configuration file
 * @config: filled in
 * @argc: of main()
 * @argv: of main()
 * @why: set for OPTIONS_BAD
 *
 * Return: what to do next.
 */
enum options_result options_parse(struct config *config, int argc, char **argv,
				  struct reason *why)
{
	int err;

	config_init(config);
	config_file = NULL;
	listen_given = false;
	err = walk(argc, argv, take_first, config, why);
	if (err)
		return err == -ECANCELED ? OPTIONS_DONE : OPTIONS_BAD;

	/* The default file may be missing, one that was named may not. */
	if (config_file)
		err = config_load(config, config_file, why);
	else if (!access(CONFIG_FILE, F_OK))
		err = config_load(config, CONFIG_FILE, why);
	if (!err)
		err = walk(argc, argv, take_second, config, why);
	return err ? OPTIONS_BAD : OPTIONS_RUN;
}
