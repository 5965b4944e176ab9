// SPDX-License-Identifier: GPL-2.0
/*
 * What an operator asks an export to be, from the configuration file, an
 * option or the control socket: one table of keys for all three, and the rules
 * that can be checked without touching the machine. What memory, file system
 * and RDMA device allow is checked elsewhere.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cleanup.h"
#include "proto.h"
#include "size.h"
#include "spec.h"
#include "store.h"
#include "suggest.h"
#include "value.h"

static int set_store(struct spec *spec, const char *value, struct reason *why)
{
	spec->store = store_find(value);
	if (spec->store)
		return 0;
	reason_set(why, -EINVAL, "unknown store '%s'", value);
	reason_hint(why, "there are mem (memory of the daemon), shm (a file on tmpfs or hugetlbfs), file (a file on a disk) and blk (a block device)");
	return -EINVAL;
}

static int set_size(struct spec *spec, const char *value, struct reason *why)
{
	int err = value_size("size", value, &spec->size, why);

	/* Zero means "not given" in the structure: refuse it here. */
	if (!err && !spec->size)
		return reason_set(why, -EINVAL, "size must not be 0");
	return err;
}

static int set_path(struct spec *spec, const char *value, struct reason *why)
{
	return value_path("path", value, spec->path, sizeof(spec->path), why);
}

static int set_staging(struct spec *spec, const char *value,
		       struct reason *why)
{
	return value_path("staging", value, spec->staging,
			  sizeof(spec->staging), why);
}

static int set_prealloc(struct spec *spec, const char *value,
			struct reason *why)
{
	return value_bool("prealloc", value, &spec->prealloc, why);
}

static int set_block_size(struct spec *spec, const char *value,
			  struct reason *why)
{
	uint64_t size;
	int err = value_size("block-size", value, &size, why);

	if (err)
		return err;
	if (size < RDMABLK_BLOCK_MIN || size > RDMABLK_BLOCK_MAX ||
	    (size & (size - 1)))
		return reason_set(why, -EINVAL,
				  "block-size must be 512, 1024, 2048 or 4096, not %s",
				  value);
	spec->block_size = (uint32_t)size;
	return 0;
}

static int set_hugepages(struct spec *spec, const char *value,
			 struct reason *why)
{
	uint64_t size = 0;

	if (strcmp(value, "off") &&
	    (size_parse(value, &size) ||
	     (size != (uint64_t)2 << 20 && size != (uint64_t)1 << 30)))
		return reason_set(why, -EINVAL,
				  "hugepages must be off, 2M or 1G, not '%s'",
				  value);
	spec->hugepage = size;
	return 0;
}

static int set_extent_size(struct spec *spec, const char *value,
			   struct reason *why)
{
	int err = value_size("extent-size", value, &spec->extent_size, why);

	if (err)
		return err;
	if (!spec->extent_size || spec->extent_size % SPEC_EXTENT_MIN)
		return reason_set(why, -EINVAL,
				  "extent-size must be a multiple of 1 MiB, not %s",
				  value);
	return 0;
}

static int set_read_only(struct spec *spec, const char *value,
			 struct reason *why)
{
	return value_bool("read-only", value, &spec->read_only, why);
}

static int set_shared_read(struct spec *spec, const char *value,
			   struct reason *why)
{
	return value_bool("shared-read", value, &spec->shared_read, why);
}

static int set_allow(struct spec *spec, const char *value, struct reason *why)
{
	return access_add(&spec->access, value, why);
}

/* What is yes or no may be said without a value. */
static const struct {
	const char *name;
	int (*set)(struct spec *spec, const char *value, struct reason *why);
	bool yes_or_no;
} keys[] = {
	{ "store",		set_store,		false },
	{ "size",		set_size,		false },
	{ "path",		set_path,		false },
	{ "staging",		set_staging,		false },
	{ "prealloc",		set_prealloc,		true },
	{ "block-size",		set_block_size,		false },
	{ "hugepages",		set_hugepages,		false },
	{ "extent-size",	set_extent_size,	false },
	{ "read-only",		set_read_only,		true },
	{ "shared-read",	set_shared_read,	true },
	{ "allow",		set_allow,		false },
};

/**
 * spec_init() - start describing an export
 * @spec: filled with the defaults
 * @name: of the export
 * @why: set on failure
 *
 * Return: 0, -EINVAL or -ENAMETOOLONG.
 */
int spec_init(struct spec *spec, const char *name, struct reason *why)
{
	size_t len = strlen(name);

	if (!len)
		return reason_set(why, -EINVAL, "the export's name is empty");
	if (len >= RDMABLK_NAME_MAX)
		return reason_set(why, -ENAMETOOLONG,
				  "the export's name has %zu characters, %d are allowed",
				  len, RDMABLK_NAME_MAX - 1);
	if (!rdmablk_name_valid(name, len)) {
		reason_set(why, -EINVAL, "'%s' is not a name for an export", name);
		reason_hint(why, "letters, digits and . _ : @ + - are allowed, a letter or digit comes first");
		return -EINVAL;
	}

	*spec = (struct spec){
		.store		= store_find("mem"),
		.block_size	= SPEC_BLOCK_DEFAULT,
		.extent_size	= SPEC_EXTENT_DEFAULT,
	};
	memcpy(spec->name, name, len + 1);
	return 0;
}

/**
 * spec_set() - set one property
 * @spec: begun with spec_init()
 * @key: as it is called in the configuration file
 * @value: its value; NULL: the key alone, which means yes where that is an answer
 * @why: set on failure
 *
 * Return: 0, or -ENOENT for an unknown key, -EINVAL, -ERANGE, -ENAMETOOLONG.
 */
int spec_set(struct spec *spec, const char *key, const char *value,
	     struct reason *why)
{
	const char *known[ARRAY_SIZE(keys)], *meant;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		known[i] = keys[i].name;
		if (strcmp(key, keys[i].name))
			continue;
		if (!value && !keys[i].yes_or_no)
			return reason_set(why, -EINVAL, "%s needs a value: %s=...",
					  key, key);
		return keys[i].set(spec, value ? value : "yes", why);
	}
	meant = suggest(key, known, ARRAY_SIZE(keys));
	reason_set(why, -ENOENT, "unknown key '%s' of an export", key);
	if (meant)
		reason_hint(why, "did you mean '%s'?", meant);
	return -ENOENT;
}

/**
 * spec_check_size() - is a size a multiple of what it is counted in?
 * @size: bytes
 * @unit: bytes, a power of two
 * @unit_name: what @unit is: "block size"
 * @why: set on failure, with the nearest sizes that are
 *
 * Return: 0 or -EINVAL.
 */
int spec_check_size(uint64_t size, uint64_t unit, const char *unit_name,
		    struct reason *why)
{
	uint64_t lower = size & ~(unit - 1);

	if (size > RDMABLK_SIZE_MAX)
		return reason_set(why, -EINVAL,
				  "size %" PRIu64 " is larger than 4 EiB", size);
	if (size && size == lower)
		return 0;
	if (lower)
		return reason_set(why, -EINVAL,
				  "size %" PRIu64 " is not a multiple of the %s %" PRIu64
				  ": the nearest are %" PRIu64 " and %" PRIu64,
				  size, unit_name, unit, lower, lower + unit);
	return reason_set(why, -EINVAL,
			  "size %" PRIu64 " is less than the %s %" PRIu64
			  ", which is the smallest size", size, unit_name, unit);
}

/**
 * spec_check() - do the properties go together?
 * @spec: complete
 * @why: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int spec_check(const struct spec *spec, struct reason *why)
{
	int err;

	if (spec->size) {
		err = spec_check_size(spec->size, spec->block_size,
				      "block size", why);
		if (err)
			return err;
	}
	if ((spec->staging[0] || spec->prealloc) &&
	    spec->store->durability != RDMABLK_DURABLE)
		return reason_set(why, -EINVAL, "%s is for stores with a backing, file and blk, not for store %s",
				  spec->staging[0] ? "staging" : "prealloc",
				  spec->store->name);
	return spec->store->check(spec, why);
}

/**
 * spec_parse() - read an export from one option
 * @spec: filled in
 * @text: NAME[:KEY[=VALUE][,KEY[=VALUE]]...]
 * @why: set on failure
 *
 * The name may hold colons itself: it ends at the last one before the first
 * equals sign.
 *
 * Return: 0 or what spec_init(), spec_set() and spec_check() return.
 */
int spec_parse(struct spec *spec, const char *text, struct reason *why)
{
	CLEANUP_FREE char *copy = strdup(text);
	char *rest, *item, *value;
	int err;

	if (!copy)
		return reason_set(why, -ENOMEM, "out of memory");
	rest = memrchr(copy, ':', strcspn(copy, "="));
	if (rest)
		*rest++ = '\0';

	err = spec_init(spec, copy, why);
	while (!err && (item = strsep(&rest, ","))) {
		value = strchr(item, '=');
		if (value)
			*value++ = '\0';
		err = spec_set(spec, item, value, why);
	}
	return err ? err : spec_check(spec, why);
}
