// SPDX-License-Identifier: GPL-2.0
/*
 * What is known of contents that survive the daemon. It is kept in a small
 * file in the state directory and tied to the very file or disk that holds the
 * contents: a record that does not fit counts for nothing, because handing
 * clients other contents under an old generation would destroy their data.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cleanup.h"
#include "record.h"

#define RECORD_VERSION	2

/* 64-bit numbers are kept as text: JSON readers round large numbers. */
static int get_u64(struct json_object *record, const char *key, uint64_t *out)
{
	struct json_object *value;
	const char *text;
	char *end;

	if (!json_object_object_get_ex(record, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return -EINVAL;
	text = json_object_get_string(value);
	/* Nothing, spaces and signs are fine for the C library. */
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return errno || *end ? -EINVAL : 0;
}

static int get_id(struct json_object *record, const char *key, sd_id128_t *out)
{
	struct json_object *value;

	if (!json_object_object_get_ex(record, key, &value) ||
	    !json_object_is_type(value, json_type_string) ||
	    sd_id128_from_string(json_object_get_string(value), out) < 0)
		return -EINVAL;
	return 0;
}

static int get_bool(struct json_object *record, const char *key, bool *out)
{
	struct json_object *value;

	if (!json_object_object_get_ex(record, key, &value) ||
	    !json_object_is_type(value, json_type_boolean))
		return -EINVAL;
	*out = json_object_get_boolean(value);
	return 0;
}

static int get_text(struct json_object *record, const char *key, char *out,
		    size_t size)
{
	struct json_object *value;
	size_t len;

	if (!json_object_object_get_ex(record, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return -EINVAL;
	len = strlen(json_object_get_string(value));
	if (len >= size)
		return -EINVAL;
	memcpy(out, json_object_get_string(value), len + 1);
	return 0;
}

static int parse_tie(struct json_object *record, struct tie *tie)
{
	uint64_t kind;

	*tie = (struct tie){ .kind = 0 };
	if (get_u64(record, "kind", &kind) || kind > TIE_DISK ||
	    get_id(record, "boot", &tie->boot) ||
	    get_u64(record, "device", &tie->dev) ||
	    get_u64(record, "inode", &tie->ino) ||
	    get_u64(record, "size", &tie->size) ||
	    get_u64(record, "birth", &tie->birth) ||
	    get_u64(record, "file_system", &tie->fs) ||
	    get_u64(record, "sequence", &tie->seq) ||
	    get_text(record, "disk", tie->id, sizeof(tie->id)))
		return -EINVAL;
	tie->kind = (uint32_t)kind;
	return 0;
}

/* Missing in records of daemons that kept no places. */
static int parse_holder(struct json_object *record, struct holder *holder)
{
	uint64_t keep_alive_ms;

	*holder = (struct holder){ .keep_alive_ms = 0 };
	if (!json_object_object_get_ex(record, "holder_keep_alive", NULL))
		return 0;
	if (get_u64(record, "holder_keep_alive", &keep_alive_ms) ||
	    keep_alive_ms > UINT32_MAX ||
	    get_id(record, "holder_host", &holder->host_id) ||
	    get_text(record, "holder_name", holder->host_name,
		     sizeof(holder->host_name)) ||
	    get_text(record, "holder_client", holder->client,
		     sizeof(holder->client)))
		return -EINVAL;
	holder->keep_alive_ms = (uint32_t)keep_alive_ms;
	return 0;
}

static int parse_identity(struct json_object *record,
			  struct identity *identity)
{
	uint64_t era;

	if (get_id(record, "generation", &identity->generation) ||
	    get_u64(record, "instance", &identity->instance) ||
	    get_u64(record, "era", &era) || era > UINT32_MAX ||
	    get_u64(record, "writer", &identity->writer) ||
	    get_u64(record, "writer_origin", &identity->writer_origin) ||
	    parse_holder(record, &identity->holder) ||
	    !identity->instance ||
	    sd_id128_is_null(identity->generation))
		return -EINVAL;
	identity->era = (uint32_t)era;
	return 0;
}

/* Missing in records of daemons that could not resize. */
static int parse_resize(struct json_object *object, uint64_t *resize)
{
	*resize = 0;
	if (!json_object_object_get_ex(object, "resize", NULL))
		return 0;
	return get_u64(object, "resize", resize);
}

static int parse_record(struct json_object *object, struct record *record)
{
	uint64_t version;

	if (!json_object_is_type(object, json_type_object) ||
	    get_u64(object, "version", &version) || version != RECORD_VERSION ||
	    parse_identity(object, &record->identity) ||
	    parse_tie(object, &record->tie) ||
	    get_id(object, "staging", &record->staging) ||
	    get_bool(object, "clean", &record->clean) ||
	    get_u64(object, "mtime", &record->mtime) ||
	    parse_resize(object, &record->resize))
		return -EINVAL;
	return 0;
}

static bool is_between(uint64_t size, uint64_t a, uint64_t b)
{
	return a < b ? size >= a && size <= b : size >= b && size <= a;
}

/*
 * May the size differ? While a resize is under way it does. And a disk may grow
 * while it is served, or between two uses: it is the same one all the same, if
 * its name says so, or in one boot its number.
 */
static bool may_differ(const struct record *record, const struct tie *now)
{
	const struct tie *kept = &record->tie;

	if (record->resize && is_between(now->size, kept->size, record->resize))
		return true;
	return kept->kind == TIE_DISK && now->size > kept->size &&
	       (kept->id[0] || sd_id128_equal(kept->boot, now->boot));
}

/**
 * record_load() - read what is known of contents that were there before
 * @record: filled in
 * @path: of the record
 * @tie: of the file or disk that is there now
 * @why: set on failure: why the record counts for nothing
 *
 * The size in @record may be another than that of @tie, while the export was
 * being resized, or a disk grew.
 *
 * Return: 0; -ENOENT when there is no record; -ESTALE when it belongs to
 * another file or disk; -EINVAL when it makes no sense.
 */
int record_load(struct record *record, const char *path,
		const struct tie *tie, struct reason *why)
{
	CLEANUP_JSON struct json_object *object = NULL;
	const char *difference;
	struct tie kept;

	if (access(path, F_OK))
		return reason_set(why, -ENOENT, "there is no record %s", path);
	object = json_object_from_file(path);
	if (parse_record(object, record))
		return reason_set(why, -EINVAL, "the record %s is damaged",
				  path);
	kept = record->tie;
	if (may_differ(record, tie))
		kept.size = tie->size;
	difference = tie_difference(&kept, tie);
	if (difference)
		return reason_set(why, -ESTALE, "the record %s is %s", path,
				  difference);
	return 0;
}

static int add_u64(struct json_object *record, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return json_object_object_add(record, key,
				      json_object_new_string(text));
}

static int add_id(struct json_object *record, const char *key, sd_id128_t id)
{
	char text[SD_ID128_UUID_STRING_MAX];

	return json_object_object_add(record, key,
		json_object_new_string(sd_id128_to_uuid_string(id, text)));
}

static int add_text(struct json_object *record, const char *key,
		    const char *text)
{
	return json_object_object_add(record, key,
				      json_object_new_string(text));
}

static int add_tie(struct json_object *object, const struct tie *tie)
{
	return add_u64(object, "kind", tie->kind) ||
	       add_id(object, "boot", tie->boot) ||
	       add_u64(object, "device", tie->dev) ||
	       add_u64(object, "inode", tie->ino) ||
	       add_u64(object, "size", tie->size) ||
	       add_u64(object, "birth", tie->birth) ||
	       add_u64(object, "file_system", tie->fs) ||
	       add_u64(object, "sequence", tie->seq) ||
	       add_text(object, "disk", tie->id);
}

static int add_holder(struct json_object *object, const struct holder *holder)
{
	return add_u64(object, "holder_keep_alive", holder->keep_alive_ms) ||
	       add_id(object, "holder_host", holder->host_id) ||
	       add_text(object, "holder_name", holder->host_name) ||
	       add_text(object, "holder_client", holder->client);
}

static struct json_object *build_record(const struct record *record)
{
	const struct identity *identity = &record->identity;
	struct json_object *object = json_object_new_object();

	if (object && !add_u64(object, "version", RECORD_VERSION) &&
	    !add_id(object, "generation", identity->generation) &&
	    !add_u64(object, "instance", identity->instance) &&
	    !add_u64(object, "era", identity->era) &&
	    !add_u64(object, "writer", identity->writer) &&
	    !add_u64(object, "writer_origin", identity->writer_origin) &&
	    !add_holder(object, &identity->holder) &&
	    !add_tie(object, &record->tie) &&
	    !add_id(object, "staging", record->staging) &&
	    !json_object_object_add(object, "clean",
				    json_object_new_boolean(record->clean)) &&
	    !add_u64(object, "mtime", record->mtime) &&
	    !add_u64(object, "resize", record->resize))
		return object;
	json_object_put(object);
	return NULL;
}

static int write_record(const char *path, struct json_object *record)
{
	CLEANUP_CLOSE int fd = -1;

	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	if (json_object_to_fd(fd, record, JSON_C_TO_STRING_PRETTY))
		return errno ? -errno : -EIO;
	return fsync(fd) ? -errno : 0;
}

/* Without it a power loss may bring the old record back. */
static int sync_directory(const char *path)
{
	CLEANUP_FREE char *copy = strdup(path);
	CLEANUP_CLOSE int fd = -1;

	if (!copy)
		return -ENOMEM;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fsync(fd))
		return -errno;
	return 0;
}

/**
 * record_save() - keep what is known beyond the daemon's life, and the host's
 * @record: what is known
 * @path: of the record, which is replaced as a whole or not at all
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int record_save(const struct record *record, const char *path,
		struct reason *why)
{
	CLEANUP_JSON struct json_object *object = NULL;
	CLEANUP_FREE char *temporary = NULL;
	int err;

	object = build_record(record);
	if (asprintf(&temporary, "%s.new", path) < 0)
		temporary = NULL;
	if (!object || !temporary)
		return reason_set(why, -ENOMEM, "out of memory");
	err = write_record(temporary, object);
	if (!err && rename(temporary, path))
		err = -errno;
	if (!err)
		err = sync_directory(path);
	if (err)
		reason_set(why, err, "cannot write the record %s: %s", path,
			   strerror(-err));
	return err;
}
