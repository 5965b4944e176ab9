// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl detach: removes a device, unless somebody uses it. The kernel refuses
 * then but does not know who it is; the tool finds out.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "clock.h"
#include "command.h"
#include "device.h"
#include "device_word.h"
#include "family.h"
#include "holder.h"
#include "node.h"
#include "outcome.h"
#include "report.h"

#define SETTLE_MS	5000	/* udev opens devices, for moments */
#define RETRY_MS	100
#define GONE_MS		60000	/* the kernel has nobody to wait for */

static struct {
	bool force;
} opts;

static const struct option_def options[] = {
	{ "force", NULL, "also when in use: its I/O fails from then on",
	  OPTION_FLAG, &opts.force, 0, 0 },
	{ NULL, NULL, NULL, OPTION_FLAG, NULL, 0, 0 },
};

static int detach_once(struct genl *genl, uint32_t index)
{
	struct nl_msg *msg = genl_request(genl, RDMABLK_CMD_DETACH);

	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, RDMABLK_ATTR_INDEX, index);
	nla_put_u32(msg, RDMABLK_ATTR_FLAGS,
		    opts.force ? RDMABLK_FLAG_FORCE : 0);
	return genl_call(genl, msg, NULL, NULL);
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

	while ((err = detach_once(genl, index)) == -EBUSY) {
		holders_find(name, &holders);
		if (holders.lasting || now_ms() >= deadline)
			return busy(name, &holders);
		poll(NULL, 0, RETRY_MS);
	}
	if (err == -ENODEV)
		return device_missing(name);
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
static enum rbdctl_exit find_device(struct outcome *outcome, const char *name)
{
	struct device device;
	int err = genl_join(outcome->genl, RDMABLK_GENL_GROUP);

	if (err)
		return family_fail(NULL, err, "cannot listen to the module's events");
	err = device_get(outcome->genl, outcome->index, &device);
	if (err == -ENODEV)
		return device_missing(name);
	if (err)
		return family_fail(outcome->genl, err, "cannot look at the device");
	outcome->id = device_u64(&device, RDMABLK_ATTR_ID);
	device_free(&device);
	return EXIT_OK;
}

static enum rbdctl_exit detach_device(struct outcome *outcome,
				      const char *name)
{
	CLEANUP_JSON struct json_object *json = NULL;
	enum rbdctl_exit code = find_device(outcome, name);

	if (!code)
		code = detach_settled(outcome->genl, outcome->index, name);
	if (!code)
		code = wait_gone(outcome, name);
	if (code || !report_json)
		return code;
	json = json_object_new_object();
	json_object_object_add(json, "name", json_object_new_string(name));
	json_object_object_add(json, "index",
			       json_object_new_int64(outcome->index));
	print_json(json);
	return EXIT_OK;
}

static enum rbdctl_exit detach_run(int argc, char **argv)
{
	CLEANUP_GENL struct genl *genl = NULL;
	struct outcome outcome = { .signals = -1 };
	char name[DEVICE_NAME_MAX];
	int err;

	(void)argc;
	if (device_index(argv[0], &outcome.index))
		return device_bad_name(argv[0]);
	snprintf(name, sizeof(name), "rdmablk%u", outcome.index);

	err = family_open(&genl);
	/* Without the module there are no devices: the same answer. */
	if (err == -ENOENT)
		return device_missing(name);
	if (err)
		return family_fail(NULL, err, "cannot reach the rdmablk module");
	outcome.genl = genl;
	return detach_device(&outcome, name);
}

const struct command command_detach = {
	.name		= "detach",
	.arguments	= "DEVICE [OPTION]...",
	.summary	= "Detach a device",
	.details	= "DEVICE is /dev/rdmablkN, rdmablkN or N. Returns once the device is gone",
	.options	= options,
	.min_args	= 1,
	.max_args	= 1,
	.run		= detach_run,
};
