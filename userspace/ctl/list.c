// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl list: all devices, one a line; below, why some of them do not work.
 */
#include <errno.h>
#include <stdio.h>

#include "cleanup.h"
#include "command.h"
#include "device.h"
#include "family.h"
#include "recovery.h"
#include "report.h"
#include "size.h"
#include "table.h"

static void add_row(struct table *table, const struct device *device)
{
	char size[SIZE_TEXT_MAX] = "-";
	const char *const cells[] = {
		device_text(device, RDMABLK_ATTR_NAME),
		size,
		device_read_only(device) ? "ro" : "rw",
		device_state_text(device_u32(device, RDMABLK_ATTR_STATE)),
		device_text(device, RDMABLK_ATTR_TARGET_NAME),
		device_text(device, RDMABLK_ATTR_EXPORT),
	};

	/* Not known before the first connect. */
	if (device_has(device, RDMABLK_ATTR_SIZE))
		size_text(device_u64(device, RDMABLK_ATTR_SIZE), size);
	table_row(table, cells);
}

static void print_table(const struct devices *devices)
{
	static const char *const headings[] = {
		"NAME", "SIZE", "MODE", "STATE", "TARGET", "EXPORT",
	};
	struct table table = { .columns = ARRAY_SIZE(headings), .wide = 4 };
	size_t i;

	table_row(&table, headings);
	for (i = 0; i < devices->count; i++)
		add_row(&table, &devices->list[i]);
	table_print(&table);
	table_free(&table);
	for (i = 0; i < devices->count; i++)
		recovery_note(&devices->list[i]);
}

static enum rbdctl_exit list_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *json = NULL;
	struct devices devices = { 0 };
	enum rbdctl_exit code;

	(void)argc;
	(void)argv;
	code = devices_find(&devices);
	if (code)
		return code;
	if (report_json) {
		json = devices_json(&devices);
		print_json(json);
	} else {
		print_table(&devices);
	}
	devices_free(&devices);
	return EXIT_OK;
}

const struct command command_list = {
	.name		= "list",
	.arguments	= "[OPTION]...",
	.summary	= "List the devices",
	.run		= list_run,
};
