// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl key list: the keys of this host's kernel, or those in a file. What they
 * hold is not shown, only a number that tells one from another.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "command.h"
#include "kernel_key.h"
#include "keyfile.h"
#include "report.h"

static const char *file;

static const struct option_def options[] = {
	{ "file", "FILE", "list the keys in FILE", OPTION_TEXT, &file, 0, 0 },
	OPTIONS_END,
};

static void add_key(struct json_object *list, const char *name, const char *id)
{
	struct json_object *key = json_object_new_object();

	json_object_object_add(key, "name", json_object_new_string(name));
	json_object_object_add(key, "id",
			       id ? json_object_new_string(id) : NULL);
	json_object_array_add(list, key);
	if (!report_json)
		printf("%s%s%s\n", name, id ? " " : "", id ? id : "");
}

static void on_kernel_key(const char *name, void *data)
{
	add_key(data, name, NULL);
}

static int on_file_key(void *data, const char *name,
		       const struct secret *secret, struct reason *why)
{
	char id[24];

	(void)why;
	snprintf(id, sizeof(id), "0x%016" PRIx64, secret_id(secret));
	add_key(data, name, id);
	return 0;
}

static enum rbdctl_exit list_file(struct json_object *list)
{
	struct reason why;
	CLEANUP_CLOSE int fd = keyfile_open(file, true, &why);

	if (fd < 0)
		return fail_reason(exit_for_errno(fd), &why);
	if (keyfile_read(fd, file, on_file_key, list, &why))
		return fail_reason(EXIT_FAILED, &why);
	return EXIT_OK;
}

static enum rbdctl_exit list_run(int argc, char **argv)
{
	CLEANUP_JSON struct json_object *list = json_object_new_array();
	enum rbdctl_exit code = EXIT_OK;
	int err;

	(void)argc;
	(void)argv;
	secret_no_core();
	if (file) {
		code = list_file(list);
	} else {
		err = kernel_key_list(on_kernel_key, list);
		if (err)
			code = fail(EXIT_FAILED, "cannot list the keys: %s",
				    strerror(-err));
	}
	if (!code && report_json)
		print_json(list);
	return code;
}

const struct command command_key_list = {
	.name		= "list",
	.arguments	= "[OPTION]...",
	.summary	= "List the keys of this host's kernel, or of a file",
	.details	= "With --file it also prints the number that the daemon calls each key by",
	.options	= options,
	.run		= list_run,
};
