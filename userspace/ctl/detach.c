// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl detach: removes a device, unless somebody uses it. The kernel refuses
 * then but does not know who it is; the tool finds out.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "clock.h"
#include "command.h"
#include "device.h"
#include "device_word.h"
#include "family.h"
#include "holder.h"
#include "node.h"
#include "outcome.h"
#include "rbdtab.h"
#include "report.h"

#define SETTLE_MS	5000	/* udev opens devices, for moments */
#define RETRY_MS	100
#define GONE_MS		60000	/* the kernel has nobody to wait for */

static struct {
	bool all, force;
	const char *tab;
} opts = { false, false, RBDTAB_FILE };

static const struct option_def options[] = {
	{ "all", NULL, "all devices of this host", OPTION_FLAG, &opts.all, 0, 0 },
	{ "tab", "FILE", "read FILE instead of " RBDTAB_FILE,
	  OPTION_TEXT, &opts.tab, 0, 0 },
	{ "force", NULL, "also when in use: its I/O fails from then on",
	  OPTION_FLAG, &opts.force, 0, 0 },
	OPTIONS_END,
};

static int request_detach(struct genl *genl, uint32_t index)
{
	struct nl_msg *msg = genl_request(genl, RDMABLK_CMD_DETACH);

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, RDMABLK_ATTR_INDEX, index);
	nla_put_u32(msg, RDMABLK_ATTR_FLAGS,
		    opts.force ? RDMABLK_FLAG_FORCE : 0);
	return genl_call(genl, msg, NULL, NULL);
}

/* The kernel itself holds it, to look for partitions. */
static bool is_being_added(struct genl *genl, uint32_t index)
{
	struct device device;
	bool adding;

	if (device_get(genl, index, &device))
		return false;
	adding = device_lacks_disk(&device);
	device_free(&device);
	return adding;
}

static enum rbdctl_exit busy_adding(const char *name)
{
	fail(EXIT_BUSY, "cannot detach %s: the kernel looks for partitions, and the target does not answer",
	     name);
	remedy("detach it with --force");
	return EXIT_BUSY;
}

static enum rbdctl_exit busy(const char *name, const struct holders *holders)
{
	size_t i, shown = holders->count;

	if (shown > HOLDERS_MAX)
		shown = HOLDERS_MAX;
	if (!shown) {
		fail(EXIT_BUSY, "cannot detach %s: it is in use, by something that is not a mount, swap, a block device or a process",
		     name);
		remedy("a user inside the kernel, such as an NVMe or iSCSI target, or a process that only root can see");
	}
	for (i = 0; i < shown; i++)
		fail(EXIT_BUSY, "cannot detach %s: it is %s", name,
		     holders->text[i]);
	if (holders->count > shown)
		remedy("and in use in %zu other places",
		       holders->count - shown);
	remedy("end that use first, or detach with --force: its I/O fails then");
	return EXIT_BUSY;
}

static enum rbdctl_exit detach_settled(struct genl *genl, uint32_t index,
				       const char *name)
{
	int64_t deadline = now_ms() + SETTLE_MS;
	struct holders holders;
	char what[64];
	int err;

	while ((err = request_detach(genl, index)) == -EBUSY) {
		holders_find(name, &holders);
		if (holders.lasting || now_ms() >= deadline)
			return is_being_added(genl, index) ? busy_adding(name) :
			       busy(name, &holders);
		poll(NULL, 0, RETRY_MS);
	}
	if (err == -ENODEV)
		return device_missing(index);
	if (err == -EALREADY)
		return EXIT_OK;		/* somebody else's: wait for the end */
	snprintf(what, sizeof(what), "cannot detach %s", name);
	return err ? family_fail(genl, err, what) : EXIT_OK;
}

static enum rbdctl_exit wait_gone(struct outcome *outcome, const char *name)
{
	int err = outcome_wait(outcome, outcome_gone, GONE_MS);

	if (err == -ETIMEDOUT) {
		fail(EXIT_UNREACHABLE, "%s is still being detached after %d s",
		     name, GONE_MS / 1000);
		remedy("the kernel goes on with it; 'rbdctl show %s' and 'dmesg' say how far it is",
		       name);
		return EXIT_UNREACHABLE;
	}
	if (err)
		return family_fail(NULL, err, "cannot wait for the detach");
	node_wait_gone(name);
	return EXIT_OK;
}

/* Its id, by which it is told from the next one with that index. */
static enum rbdctl_exit find_device(struct outcome *outcome)
{
	int err = genl_join(outcome->genl, RDMABLK_GENL_GROUP);
	enum rbdctl_exit code;
	struct device device;

	if (err)
		return family_fail(NULL, err, "cannot listen to the module's events");
	code = device_look_up(outcome->genl, outcome->index, &device);
	if (code)
		return code;
	outcome->id = device_u64(&device, RDMABLK_ATTR_ID);
	device_free(&device);
	return EXIT_OK;
}

static enum rbdctl_exit detach_device(struct genl *genl, uint32_t index)
{
	struct outcome outcome = {
		.genl = genl, .index = index, .signals = -1,
	};
	char name[DEVICE_NAME_MAX];
	enum rbdctl_exit code;

	device_name(index, name);
	code = find_device(&outcome);
	if (!code)
		code = detach_settled(genl, index, name);
	return code ? code : wait_gone(&outcome, name);
}

static struct json_object *index_json(uint32_t index)
{
	struct json_object *json = json_object_new_object();
	char name[DEVICE_NAME_MAX];

	json_object_object_add(json, "name",
			       json_object_new_string(device_name(index, name)));
	json_object_object_add(json, "index", json_object_new_int64(index));
	return json;
}

/* Goes on after a failure; returns the first. */
static enum rbdctl_exit detach_all(void)
{
	CLEANUP_JSON struct json_object *json = json_object_new_array();
	CLEANUP_GENL struct genl *genl = NULL;
	enum rbdctl_exit first = EXIT_OK, code;
	struct devices devices = { 0 };
	uint32_t index;
	size_t i;

	code = devices_open(&genl, &devices);
	if (code)
		return code;
	for (i = 0; i < devices.count; i++) {
		index = device_u32(&devices.list[i], RDMABLK_ATTR_INDEX);
		code = detach_device(genl, index);
		if (!code)
			json_object_array_add(json, index_json(index));
		else if (!first)
			first = code;
	}
	devices_free(&devices);
	if (report_json)
		print_json(json);
	return first;
}

/* An entry of rbdtab stands for the device that it is attached as. */
static enum rbdctl_exit entry_index(struct genl *genl, const char *name,
				    uint32_t *index)
{
	const struct rbdtab_entry *entry = NULL;
	const struct device *device = NULL;
	struct devices devices = { 0 };
	struct rbdtab tab = { 0 };
	enum rbdctl_exit code;
	int err;

	code = rbdtab_read(&tab, opts.tab);
	if (!code)
		code = rbdtab_find(&tab, name, &entry);
	if (!code && genl) {
		err = devices_get(genl, &devices);
		if (err)
			code = family_fail(genl, err, "cannot list the devices");
	}
	if (!code)
		device = devices_of_export(&devices, entry->target,
					   entry->export);
	if (device)
		*index = device_u32(device, RDMABLK_ATTR_INDEX);
	else if (!code)
		code = fail(EXIT_NOT_FOUND, "%s is not attached", quote(name));
	devices_free(&devices);
	rbdtab_free(&tab);
	return code;
}

/* Written as a device, or, where there is a file of names, as one of those. */
static bool is_entry_name(const char *text)
{
	return !strchr(text, '/') && !access(opts.tab, F_OK);
}

/* Which one is meant, if it may be attached. */
static enum rbdctl_exit find_named(const char *text, struct genl **genl,
				   uint32_t *index)
{
	int err;

	if (!device_index(text, index) || !is_entry_name(text))
		return device_named(text, genl, index);
	err = family_open(genl);
	/* Without the module it is not attached, if it is an entry. */
	if (err && err != -ENOENT)
		return family_fail(NULL, err, "cannot reach the rdmablk module");
	return entry_index(*genl, text, index);
}

static enum rbdctl_exit detach_one(const char *text)
{
	CLEANUP_JSON struct json_object *json = NULL;
	CLEANUP_GENL struct genl *genl = NULL;
	enum rbdctl_exit code;
	uint32_t index;

	code = find_named(text, &genl, &index);
	if (!code)
		code = detach_device(genl, index);
	if (!code && report_json) {
		json = index_json(index);
		print_json(json);
	}
	return code;
}

static enum rbdctl_exit detach_run(int argc, char **argv)
{
	if (opts.all ? argc > 0 : argc == 0) {
		fail(EXIT_USAGE, opts.all ? "--all takes no arguments" :
		     "an argument is missing");
		remedy("name a DEVICE, or write --all for all devices of this host");
		return EXIT_USAGE;
	}
	return opts.all ? detach_all() : detach_one(argv[0]);
}

const struct command command_detach = {
	.name		= "detach",
	.arguments	= "DEVICE | NAME | --all [OPTION]...",
	.summary	= "Detach a device",
	.details	= DEVICE_WORD_HELP ".\n"
			  "NAME is an entry of " RBDTAB_FILE ", see rbdtab(5).\n"
			  "Returns once the device is gone",
	.options	= options,
	.min_args	= 0,
	.max_args	= 1,
	.run		= detach_run,
};
