// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export resize: has the daemon of this host make an export larger or
 * smaller, and says what has to be changed in its configuration then.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>

#include "cleanup.h"
#include "command.h"
#include "daemon.h"
#include "export_name.h"
#include "json.h"
#include "report.h"
#include "size.h"
#include "uapi/rdmablk_proto.h"

static struct {
	bool force;
} opts;

static const struct option_def options[] = {
	{ "force", NULL, "make it smaller even while it is open",
	  OPTION_FLAG, &opts.force, 0, 0 },
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static enum rbdctl_exit parse_size(const char *text, uint64_t *size)
{
	int err = size_parse(text, size);

	if (!err && *size && *size <= RDMABLK_SIZE_MAX)
		return EXIT_OK;
	if (err && err != -ERANGE)
		return fail(EXIT_USAGE, "SIZE is a size such as 4096, 16M or 2T, not %s",
			    quote(text));
	return fail(EXIT_USAGE, "SIZE is %s: it must be more than 0 and at most 4E",
		    quote(text));
}

/* The next start would make or expect the old size. */
static void say_configured(const char *name, struct json_object *result)
{
	if (!json_object_object_get_ex(result, "configured_size", NULL))
		return;
	note("the daemon's configuration has size = %" PRIu64 " for export %s",
	     json_number(result, "configured_size"), name);
	remedy("change it to size = %" PRIu64 " before the daemon is started again",
	       json_number(result, "size"));
}

static enum rbdctl_exit resize_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *result = NULL;
	enum rbdctl_exit code = export_name_check(argv[0]);
	struct json_object *request;
	uint64_t size = 0;

	if (!code && argc > 1)
		code = parse_size(argv[1], &size);
	if (code)
		return code;
	request = daemon_request_for("export-resize", argv[0]);
	if (size)
		json_object_object_add(request, "size",
				       json_object_new_uint64(size));
	json_object_object_add(request, "force",
			       json_object_new_boolean(opts.force));
	code = daemon_call(request, &result);
	if (code)
		return code;
	say_configured(argv[0], result);
	if (report_json)
		print_json(result);
	return EXIT_OK;
}

const struct command command_export_resize = {
	.name		= "resize",
	.arguments	= "NAME [SIZE] [OPTION]...",
	.summary	= "Make an export larger or smaller",
	.details	= "Clients go on while it becomes larger, and see the new size by themselves.\n"
		  "Without SIZE, a blk export becomes as large as its block device is now",
	.options	= options,
	.min_args	= 1,
	.max_args	= 2,
	.run		= resize_run,
};
