// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl set: changes settings of a device while it is attached.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "command.h"
#include "device.h"
#include "device_word.h"
#include "family.h"
#include "kernel_key.h"
#include "report.h"
#include "setting.h"

static struct settings settings = SETTINGS_NONE;
static const char *key;
static bool all;

/* What attach takes and an attached device keeps: refused by name. */
static struct {
	bool read_only, force, no_partscan, no_udev;
	const char *queues, *poll_queues, *depth, *source, *connect_tmo;
} fixed;

static const struct option_def options[] = {
	{ "all", NULL, "of all devices of this host", OPTION_FLAG, &all, 0, 0 },
	SETTING_OPTIONS(settings),
	{ "key", "NAME", "key to prove itself with at the next connect",
	  OPTION_TEXT, &key, 0, 0 },
	{ "read-only", NULL, NULL, OPTION_FLAG, &fixed.read_only, 0, 0 },
	{ "force", NULL, NULL, OPTION_FLAG, &fixed.force, 0, 0 },
	{ "no-partscan", NULL, NULL, OPTION_FLAG, &fixed.no_partscan, 0, 0 },
	{ "no-udev", NULL, NULL, OPTION_FLAG, &fixed.no_udev, 0, 0 },
	{ "queues", "N", NULL, OPTION_TEXT, &fixed.queues, 0, 0 },
	{ "poll-queues", "N", NULL, OPTION_TEXT, &fixed.poll_queues, 0, 0 },
	{ "depth", "N", NULL, OPTION_TEXT, &fixed.depth, 0, 0 },
	{ "source", "ADDRESS", NULL, OPTION_TEXT, &fixed.source, 0, 0 },
	{ "connect-timeout", "SECONDS", NULL, OPTION_TEXT, &fixed.connect_tmo,
	  0, 0 },
	OPTIONS_END,
};

static bool is_given(const struct option_def *def)
{
	return def->kind == OPTION_FLAG ? *(bool *)def->value :
					  *(const char **)def->value != NULL;
}

static enum rbdctl_exit check_fixed(void)
{
	const struct option_def *def;

	for (def = options; def->name; def++) {
		if (def->help || !is_given(def))
			continue;
		fail(EXIT_USAGE, "--%s cannot be changed while a device is attached",
		     def->name);
		remedy("detach it, and attach it with the option");
		return EXIT_USAGE;
	}
	return EXIT_OK;
}

static enum rbdctl_exit set_device(struct genl *genl, uint32_t index,
				   const char *name)
{
	struct nl_msg *msg = genl_request(genl, RDMABLK_CMD_SET);
	char what[64];
	int err = -ENOMEM;

	snprintf(what, sizeof(what), "cannot change %s", name);
	if (msg) {
		nla_put_u32(msg, RDMABLK_ATTR_INDEX, index);
		settings_put(&settings, msg);
		if (key)
			nla_put_string(msg, RDMABLK_ATTR_KEY, key);
		err = genl_call(genl, msg, NULL, NULL);
	}
	if (err == -ENODEV)
		return device_missing(index);
	if (err == -EINVAL)
		return fail(EXIT_USAGE, "%s: %s", what, genl_text(genl));
	if (err == -ENOKEY) {
		fail(EXIT_NOT_FOUND, "%s: %s", what, genl_text(genl));
		remedy("'rbdctl key add %s' gives the kernel the key", key);
		return EXIT_NOT_FOUND;
	}
	return err ? family_fail(genl, err, what) : EXIT_OK;
}

/* As it is now, for programs. */
static enum rbdctl_exit print_device(struct genl *genl, uint32_t index)
{
	CLEANUP_JSON struct json_object *json = NULL;
	enum rbdctl_exit code;
	struct device device;

	code = device_look_up(genl, index, &device);
	if (code)
		return code;
	json = device_json(&device);
	print_json(json);
	device_free(&device);
	return EXIT_OK;
}

static enum rbdctl_exit set_one(const char *text)
{
	CLEANUP_GENL struct genl *genl = NULL;
	char name[DEVICE_NAME_MAX];
	enum rbdctl_exit code;
	uint32_t index;

	code = device_named(text, &genl, &index);
	if (!code)
		code = set_device(genl, index, device_name(index, name));
	return !code && report_json ? print_device(genl, index) : code;
}

/* Goes on after a failure; returns the first. */
static enum rbdctl_exit set_all(void)
{
	CLEANUP_JSON struct json_object *json = NULL;
	enum rbdctl_exit first = EXIT_OK, code;
	CLEANUP_GENL struct genl *genl = NULL;
	struct devices devices = { 0 };
	const struct device *device;
	size_t i;
	int err;

	code = devices_open(&genl, &devices);
	if (code)
		return code;
	for (i = 0; i < devices.count; i++) {
		device = &devices.list[i];
		code = set_device(genl, device_u32(device, RDMABLK_ATTR_INDEX),
				  device_text(device, RDMABLK_ATTR_NAME));
		if (!first)
			first = code;
	}
	devices_free(&devices);
	if (!report_json)
		return first;
	/* As they are now. */
	err = genl ? devices_get(genl, &devices) : 0;
	json = devices_json(&devices);
	print_json(json);
	devices_free(&devices);
	return err ? family_fail(genl, err, "cannot list the devices") : first;
}

static enum rbdctl_exit set_run(int argc, char **argv)
{
	static const struct settings none = SETTINGS_NONE;
	enum rbdctl_exit code = check_fixed();

	if (code)
		return code;
	if (all ? argc > 0 : argc == 0) {
		fail(EXIT_USAGE, all ? "--all takes no arguments" :
		     "an argument is missing");
		remedy("name a DEVICE, or write --all for all devices of this host");
		return EXIT_USAGE;
	}
	if (key) {
		code = key_name_check(key);
		if (code)
			return code;
		kernel_key_offer(key);
	} else if (!memcmp(&settings, &none, sizeof(none))) {
		fail(EXIT_USAGE, "nothing to set was given");
		remedy("'rbdctl set --help' lists the settings");
		return EXIT_USAGE;
	}
	return all ? set_all() : set_one(argv[0]);
}

const struct command command_set = {
	.name		= "set",
	.arguments	= "DEVICE | --all OPTION...",
	.summary	= "Change settings of a device",
	.details	= DEVICE_WORD_HELP ".\n"
			  "Takes effect at once, also while the device recovers. What is not given\n"
			  "stays as it is: the defaults are those of attach",
	.options	= options,
	.min_args	= 0,
	.max_args	= 1,
	.run		= set_run,
};
