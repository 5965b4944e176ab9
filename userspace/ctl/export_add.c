// SPDX-License-Identifier: GPL-2.0
/*
 * rbdctl export add: has the daemon of this host offer one more export. What
 * can be checked without the daemon is checked before it is asked.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "command.h"
#include "daemon.h"
#include "export_name.h"
#include "macros.h"
#include "report.h"
#include "suggest.h"
#include "uapi/rdmablk_proto.h"

#define BLOCK_DEFAULT	512
#define EXTENT_UNIT	((int64_t)1 << 20)

static struct {
	const char *store, *path, *staging, *hugepages, *allow;
	int64_t size, block_size, extent_size;
	bool prealloc, read_only, shared_read;
} opts = { .size = -1, .block_size = -1, .extent_size = -1 };

static const struct option_def options[] = {
	{ "store", "STORE", "mem, shm (tmpfs), file or blk (block device)",
	  OPTION_TEXT, &opts.store, 0, 0 },
	{ "size", "SIZE", "a multiple of the block size: 4096, 16M, 2T",
	  OPTION_SIZE, &opts.size, 0, RDMABLK_SIZE_MAX },
	{ "path", "PATH", "shm, file: made if not there; blk: the device",
	  OPTION_TEXT, &opts.path, 0, 0 },
	{ "staging", "PATH", "file, blk: their memory (/dev/shm/rdmablk/NAME)",
	  OPTION_TEXT, &opts.staging, 0, 0 },
	{ "prealloc", NULL, "file: give a new one all of its space",
	  OPTION_FLAG, &opts.prealloc, 0, 0 },
	{ "block-size", "N", "512 (default), 1024, 2048 or 4096 bytes",
	  OPTION_SIZE, &opts.block_size, 0, INT64_MAX },
	{ "read-only", NULL, "nobody may write",
	  OPTION_FLAG, &opts.read_only, 0, 0 },
	{ "shared-read", NULL, "admit readers beside a writer",
	  OPTION_FLAG, &opts.shared_read, 0, 0 },
	{ "allow", "RULES", "who may open it: see 'rbdctl export allow'",
	  OPTION_TEXT, &opts.allow, 0, 0 },
	{ "hugepages", "SIZE", "mem: off (default), 2M or 1G",
	  OPTION_TEXT, &opts.hugepages, 0, 0 },
	{ "extent-size", "SIZE", "most bytes in one registration (default: 4G)",
	  OPTION_SIZE, &opts.extent_size, 0, INT64_MAX },
	DAEMON_SOCKET_OPTION,
	OPTIONS_END,
};

static bool store_is(const char *name)
{
	return !strcmp(opts.store, name);
}

/* Those that keep their contents in a file or block device on a disk. */
static bool store_is_durable(void)
{
	return store_is("file") || store_is("blk");
}

static enum rbdctl_exit check_store(void)
{
	static const char *const stores[] = { "mem", "shm", "file", "blk" };
	const char *near;
	size_t i;

	if (!opts.store) {
		fail(EXIT_USAGE, "--store is missing");
		remedy("--store mem: memory of the daemon; --store shm: a file on tmpfs or hugetlbfs, which survives a restart of the daemon; --store file, --store blk: a file or block device, which survives the host");
		return EXIT_USAGE;
	}
	for (i = 0; i < ARRAY_SIZE(stores); i++)
		if (store_is(stores[i]))
			return EXIT_OK;
	near = suggest(opts.store, stores, ARRAY_SIZE(stores));
	return fail(EXIT_USAGE, "--store takes mem, shm, file or blk, not %s%s%s%s",
		    quote(opts.store), near ? "; did you mean '" : "",
		    near ? near : "", near ? "'?" : "");
}

static enum rbdctl_exit check_block_size(void)
{
	int64_t size = opts.block_size;

	if (size == -1 || (size >= RDMABLK_BLOCK_MIN &&
			   size <= RDMABLK_BLOCK_MAX && !(size & (size - 1))))
		return EXIT_OK;
	return fail(EXIT_USAGE, "--block-size takes 512, 1024, 2048 or 4096, not %" PRId64,
		    size);
}

/* With the sizes that would do: 4097 is likely to be meant as one of them. */
static enum rbdctl_exit check_size(void)
{
	int64_t block = opts.block_size == -1 ? BLOCK_DEFAULT : opts.block_size;
	int64_t size = opts.size, lower = size - size % block;

	if (size == -1) {
		if (!store_is("mem"))
			return EXIT_OK;		/* as large as the file */
		fail(EXIT_USAGE, "--size is missing: a mem export has no size of its own");
		return EXIT_USAGE;
	}
	if (store_is("blk"))
		return fail(EXIT_USAGE, "--size is not for --store blk: an export is as large as its block device");
	if (size && size == lower)
		return EXIT_OK;
	if (!lower)
		return fail(EXIT_USAGE, "--size is %" PRId64 ": the smallest export has one block of %" PRId64 " bytes",
			    size, block);
	return fail(EXIT_USAGE, "--size is %" PRId64 ", not a multiple of the block size %" PRId64 ": the nearest are %" PRId64 " and %" PRId64,
		    size, block, lower, lower + block);
}

static enum rbdctl_exit check_path(const char *name, const char *path)
{
	if (!path || *path == '/')
		return EXIT_OK;
	return fail(EXIT_USAGE, "%s takes an absolute path, not %s: the daemon has another working directory",
		    name, quote(path));
}

static enum rbdctl_exit check_paths(void)
{
	enum rbdctl_exit code;

	if (opts.path && store_is("mem"))
		return fail(EXIT_USAGE, "--path is not for --store mem, which has no file");
	if (!opts.path && store_is_durable())
		return fail(EXIT_USAGE, "--path is missing: it names the %s of --store %s",
			    store_is("blk") ? "block device" : "file",
			    opts.store);
	if (opts.staging && !store_is_durable())
		return fail(EXIT_USAGE, "--staging is for --store file and --store blk");
	if (opts.prealloc && (!store_is("file") || opts.size == -1))
		return fail(EXIT_USAGE, "--prealloc is for --store file with a --size");
	code = check_path("--path", opts.path);
	return code ? code : check_path("--staging", opts.staging);
}

static enum rbdctl_exit check_rest(void)
{
	if (opts.hugepages && strcmp(opts.hugepages, "off") &&
	    strcmp(opts.hugepages, "2M") && strcmp(opts.hugepages, "1G"))
		return fail(EXIT_USAGE, "--hugepages takes off, 2M or 1G, not %s",
			    quote(opts.hugepages));
	if (opts.extent_size != -1 && (opts.extent_size <= 0 ||
				       opts.extent_size % EXTENT_UNIT))
		return fail(EXIT_USAGE, "--extent-size takes a multiple of 1 MiB, not %" PRId64,
			    opts.extent_size);
	return EXIT_OK;
}

static void add_text(struct json_object *request, const char *key,
		     const char *text)
{
	if (text)
		json_object_object_add(request, key,
				       json_object_new_string(text));
}

static void add_bytes(struct json_object *request, const char *key,
		      int64_t bytes)
{
	if (bytes != -1)
		json_object_object_add(request, key,
				       json_object_new_int64(bytes));
}

static struct json_object *add_request(const char *name)
{
	struct json_object *request = daemon_request_for("export-add", name);

	add_text(request, "store", opts.store);
	add_text(request, "path", opts.path);
	add_text(request, "staging", opts.staging);
	add_text(request, "hugepages", opts.hugepages);
	add_text(request, "allow", opts.allow);
	add_bytes(request, "size", opts.size);
	add_bytes(request, "block_size", opts.block_size);
	add_bytes(request, "extent_size", opts.extent_size);
	if (opts.prealloc)
		json_object_object_add(request, "prealloc",
				       json_object_new_boolean(true));
	json_object_object_add(request, "read_only",
			       json_object_new_boolean(opts.read_only));
	json_object_object_add(request, "shared_read",
			       json_object_new_boolean(opts.shared_read));
	return request;
}

static enum rbdctl_exit add_run(int argc, char **argv)
{
	enum rbdctl_exit code = export_name_check(argv[0]);

	(void)argc;
	if (!code)
		code = check_store();
	if (!code)
		code = check_block_size();
	if (!code)
		code = check_size();
	if (!code)
		code = check_paths();
	if (!code)
		code = check_rest();
	return code ? code : daemon_run(add_request(argv[0]));
}

const struct command command_export_add = {
	.name		= "add",
	.arguments	= "NAME --store STORE [OPTION]...",
	.summary	= "Offer an export",
	.details	= "Returns once clients can attach it",
	.options	= options,
	.min_args	= 1,
	.max_args	= 1,
	.run		= add_run,
};
