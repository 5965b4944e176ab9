// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl show: all that is known of a device, for people to read.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-id128.h>

#include "cleanup.h"
#include "command.h"
#include "device.h"
#include "device_word.h"
#include "durability.h"
#include "family.h"
#include "recovery.h"
#include "report.h"
#include "row.h"
#include "scope.h"
#include "size.h"

static void row_seconds(const char *name, const struct device *device,
			int attr, const char *zero)
{
	if (!device_u32(device, attr))
		row(name, "%s", zero);
	else
		row(name, "%" PRIu32 " s", device_u32(device, attr));
}

static void show_state(const struct device *device)
{
	printf("%s: %s\n", device_text(device, RDMABLK_ATTR_NAME),
	       device_state_text(device_u32(device, RDMABLK_ATTR_STATE)));
	if (device_has(device, RDMABLK_ATTR_REASON))
		row("because", "%s", device_text(device, RDMABLK_ATTR_REASON));
	recovery_rows(device);
}

static void show_device(const struct device *device)
{
	uint64_t size = device_u64(device, RDMABLK_ATTR_SIZE);
	char text[SIZE_TEXT_MAX];

	puts("  device");
	row("node", "/dev/%s%s", device_text(device, RDMABLK_ATTR_NAME),
	    device_lacks_disk(device) ?
	    ", not yet: the kernel looks for partitions" : "");
	row("access", "%s", device_read_only(device) ? "read-only"
						     : "read and write");
	if (!device_has(device, RDMABLK_ATTR_SIZE))
		return;
	row("size", "%s (%" PRIu64 " bytes)", size_text(size, text), size);
	row("block size", "%" PRIu32 " bytes logical, %" PRIu32 " physical",
	    device_u32(device, RDMABLK_ATTR_LOGICAL_BLOCK),
	    device_u32(device, RDMABLK_ATTR_PHYSICAL_BLOCK));
	row("largest I/O", "%s",
	    size_text(device_u32(device, RDMABLK_ATTR_MAX_IO), text));
	row("users", "%" PRIu32 " (open files, mounts and others)",
	    device_u32(device, RDMABLK_ATTR_OPENERS));
}

static void show_contents(const struct device *device)
{
	const unsigned char *uuid = device_uuid(device, RDMABLK_ATTR_GENERATION);
	char text[SD_ID128_UUID_STRING_MAX];
	sd_id128_t id;

	puts("  contents");
	row("export", "%s", device_text(device, RDMABLK_ATTR_EXPORT));
	if (!uuid)
		return;
	memcpy(id.bytes, uuid, sizeof(id.bytes));
	row("generation", "%s", sd_id128_to_uuid_string(id, text));
	row("instance", "0x%016" PRIx64,
	    device_u64(device, RDMABLK_ATTR_INSTANCE));
	row("writes survive", "%s", durability_survives(
		device_u32(device, RDMABLK_ATTR_DURABILITY)));
	row("FLUSH guarantees", "%s", durability_flush(
		device_u32(device, RDMABLK_ATTR_WRITE_CACHE)));
}

static void show_cache(const struct device *device)
{
	char text[SIZE_TEXT_MAX];

	if (!device_has(device, RDMABLK_ATTR_DIRTY))
		return;
	puts("  write cache");
	row("not flushed", "%s",
	    size_text(device_u64(device, RDMABLK_ATTR_DIRTY), text));
	if (device_has(device, RDMABLK_ATTR_FLUSH_AGE))
		row("last flush", "%.1f s ago, took %.3f ms",
		    (double)device_u64(device, RDMABLK_ATTR_FLUSH_AGE) / 1000,
		    (double)device_u64(device, RDMABLK_ATTR_FLUSH_TIME) / 1000);
	else
		row("last flush", "none yet");
	if (device_has(device, RDMABLK_ATTR_FLUSH_ERROR))
		row("flushes fail", "%s",
		    device_text(device, RDMABLK_ATTR_FLUSH_ERROR));
	row_seconds("sync interval", device, RDMABLK_ATTR_SYNC_INTERVAL,
		    "none: FLUSH only");
}

static void show_path(const struct device *device)
{
	char text[ADDR_TEXT_MAX];
	union addr addr;

	puts("  path");
	row("target", "%s", device_text(device, RDMABLK_ATTR_TARGET_NAME));
	if (device_addr(device, RDMABLK_ATTR_ADDR, &addr))
		row("address", "%s", addr_text(&addr, text));
	if (device_addr(device, RDMABLK_ATTR_SOURCE, &addr))
		row("source", "%s", addr_host_text(&addr, text));
	if (!device_has(device, RDMABLK_ATTR_IBDEV))
		return;
	row("RDMA device", "%s port %" PRIu32 ", %s",
	    device_text(device, RDMABLK_ATTR_IBDEV),
	    device_u32(device, RDMABLK_ATTR_IBPORT),
	    device_text(device, RDMABLK_ATTR_TRANSPORT));
	row("data queues", "%" PRIu32 " of %" PRIu32 " requests",
	    device_u32(device, RDMABLK_ATTR_QUEUES),
	    device_u32(device, RDMABLK_ATTR_DEPTH));
	if (device_u32(device, RDMABLK_ATTR_POLL_QUEUES))
		row("", "the last %" PRIu32 " for polled I/O",
		    device_u32(device, RDMABLK_ATTR_POLL_QUEUES));
	row("extents", "%" PRIu32, device_u32(device, RDMABLK_ATTR_EXTENTS));
	row("session", "0x%016" PRIx64,
	    device_u64(device, RDMABLK_ATTR_SESSION));
}

static void show_security(const struct device *device)
{
	const char *proven = device_text(device, RDMABLK_ATTR_PROVEN);
	const char *key = device_text(device, RDMABLK_ATTR_KEY);

	puts("  security");
	if (!device_has(device, RDMABLK_ATTR_IBDEV))
		row("key", "%s", *key ? key : "none");
	else if (*proven)
		row("authenticated", "both ends, with key %s", proven);
	else
		row("authenticated", "no: neither end has proved who it is");
	if (*proven && strcmp(proven, key))
		row("next connect", "with key %s", key);
	if (device_has(device, RDMABLK_ATTR_KEY_SCOPE))
		row("remote keys", "%s", scope_text(scope_word(
			device_u32(device, RDMABLK_ATTR_KEY_SCOPE))));
}

static void show_recovery(const struct device *device)
{
	puts("  recovery");
	row("recovered", "%" PRIu32 " times",
	    device_u32(device, RDMABLK_ATTR_RECONNECTS));
	row("connect timeout", "%g s a step",
	    device_u32(device, RDMABLK_ATTR_CONNECT_TMO) / 1000.0);
	row_seconds("keep-alive", device, RDMABLK_ATTR_KEEP_ALIVE_TMO, "off");
	row_seconds("reconnect delay", device, RDMABLK_ATTR_RECONNECT_DELAY,
		    "none");
	row_seconds("fails I/O after", device, RDMABLK_ATTR_FAST_IO_FAIL_TMO,
		    "never: I/O waits");
	row_seconds("gives up after", device, RDMABLK_ATTR_DEV_LOSS_TMO,
		    "never");
	row_seconds("request timeout", device, RDMABLK_ATTR_REQUEST_TMO,
		    "none");
}

static void show(const struct device *device)
{
	show_state(device);
	show_device(device);
	show_contents(device);
	show_cache(device);
	show_path(device);
	show_security(device);
	show_recovery(device);
}

static enum rbdctl_exit show_all(void)
{
	CLEANUP_JSON struct json_object *json = NULL;
	struct devices devices = { 0 };
	enum rbdctl_exit code = devices_find(&devices);
	size_t i;

	if (code)
		return code;
	if (report_json) {
		json = devices_json(&devices);
		print_json(json);
	}
	for (i = 0; i < devices.count && !report_json; i++) {
		if (i)
			putchar('\n');
		show(&devices.list[i]);
	}
	if (!devices.count && !report_json)
		puts("no devices");
	devices_free(&devices);
	return EXIT_OK;
}

static enum rbdctl_exit show_one(const char *word)
{
	CLEANUP_GENL struct genl *genl = NULL;
	CLEANUP_JSON struct json_object *json = NULL;
	enum rbdctl_exit code;
	struct device device;
	uint32_t index;

	code = device_named(word, &genl, &index);
	if (!code)
		code = device_look_up(genl, index, &device);
	if (code)
		return code;
	if (report_json) {
		json = device_json(&device);
		print_json(json);
	} else {
		show(&device);
	}
	device_free(&device);
	return EXIT_OK;
}

static enum rbdctl_exit show_run(int argc, char **argv)
{
	return argc ? show_one(argv[0]) : show_all();
}

const struct command command_show = {
	.name		= "show",
	.arguments	= "[DEVICE] [OPTION]...",
	.summary	= "Show all that is known of a device, or of all",
	.details	= DEVICE_WORD_HELP,
	.max_args	= 1,
	.run		= show_run,
};
