// SPDX-License-Identifier: GPL-2.0
/*
 * The identity of contents that survive the daemon. It is kept in a small file
 * in the state directory and tied to the very file that holds the contents: a
 * record that does not fit exactly counts for nothing, because handing clients
 * other contents under an old generation would destroy their data.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "identity.h"

#define RECORD_VERSION	1

/**
 * identity_new() - identity of contents that are new
 * @identity: filled in
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int identity_new(struct identity *identity, struct reason *why)
{
	int err;

	*identity = (struct identity){ .era = 1 };
	err = sd_id128_randomize(&identity->generation);
	if (err < 0)
		return reason_set(why, err, "no random numbers: %s",
				  strerror(-err));
	while (!identity->instance)
		if (getrandom(&identity->instance, sizeof(identity->instance),
			      0) < 0 && errno != EINTR)
			return reason_set(why, -errno, "no random numbers: %m");
	return 0;
}

/**
 * identity_tie() - what is unmistakable about a file
 * @tie: filled in
 * @fd: the file
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int identity_tie(struct identity_tie *tie, int fd, struct reason *why)
{
	struct statx st;
	int err;

	err = sd_id128_get_boot(&tie->boot);
	if (err < 0)
		return reason_set(why, err, "cannot read the boot id: %s",
				  strerror(-err));
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &st))
		return reason_set(why, -errno, "statx: %m");
	tie->dev = (uint64_t)st.stx_dev_major << 32 | st.stx_dev_minor;
	tie->ino = st.stx_ino;
	tie->size = st.stx_size;
	tie->birth = st.stx_mask & STATX_BTIME ?
		(uint64_t)st.stx_btime.tv_sec * 1000000000 +
		st.stx_btime.tv_nsec : 0;
	return 0;
}

/* 64-bit numbers are kept as text: JSON readers round large numbers. */
static int get_u64(struct json_object *record, const char *key, uint64_t *out)
{
	struct json_object *value;
	char *end;

	if (!json_object_object_get_ex(record, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return -EINVAL;
	errno = 0;
	*out = strtoull(json_object_get_string(value), &end, 10);
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

static int parse_tie(struct json_object *record, struct identity_tie *tie)
{
	if (get_id(record, "boot", &tie->boot) ||
	    get_u64(record, "device", &tie->dev) ||
	    get_u64(record, "inode", &tie->ino) ||
	    get_u64(record, "size", &tie->size) ||
	    get_u64(record, "birth", &tie->birth))
		return -EINVAL;
	return 0;
}

static int parse_identity(struct json_object *record,
			  struct identity *identity)
{
	uint64_t version, era;

	if (get_u64(record, "version", &version) ||
	    version != RECORD_VERSION ||
	    get_id(record, "generation", &identity->generation) ||
	    get_u64(record, "instance", &identity->instance) ||
	    get_u64(record, "era", &era) || era > UINT32_MAX ||
	    get_u64(record, "writer", &identity->writer) ||
	    get_u64(record, "writer_origin", &identity->writer_origin) ||
	    !identity->instance ||
	    sd_id128_is_null(identity->generation))
		return -EINVAL;
	identity->era = (uint32_t)era;
	return 0;
}

static const char *tie_difference(const struct identity_tie *a,
				  const struct identity_tie *b)
{
	if (!sd_id128_equal(a->boot, b->boot))
		return "of another boot";
	if (a->dev != b->dev || a->ino != b->ino || a->birth != b->birth)
		return "of another file";
	return a->size != b->size ? "of a file of another size" : NULL;
}

/**
 * identity_load() - read the identity of contents that were there before
 * @identity: filled in
 * @tie: of the file that is there now
 * @path: of the record
 * @why: set on failure: why the record counts for nothing
 *
 * Return: 0; -ENOENT when there is no record; -ESTALE when it belongs to
 * another file; -EINVAL when it makes no sense.
 */
int identity_load(struct identity *identity, const struct identity_tie *tie,
		  const char *path, struct reason *why)
{
	CLEANUP_JSON struct json_object *record = NULL;
	struct identity_tie kept;
	const char *difference;

	if (access(path, F_OK))
		return reason_set(why, -ENOENT, "there is no record %s", path);
	record = json_object_from_file(path);
	if (!json_object_is_type(record, json_type_object) ||
	    parse_identity(record, identity) || parse_tie(record, &kept))
		return reason_set(why, -EINVAL, "the record %s is damaged",
				  path);
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

static struct json_object *build_record(const struct identity *identity,
					const struct identity_tie *tie)
{
	struct json_object *record = json_object_new_object();

	if (record && !add_u64(record, "version", RECORD_VERSION) &&
	    !add_id(record, "generation", identity->generation) &&
	    !add_u64(record, "instance", identity->instance) &&
	    !add_u64(record, "era", identity->era) &&
	    !add_u64(record, "writer", identity->writer) &&
	    !add_u64(record, "writer_origin", identity->writer_origin) &&
	    !add_id(record, "boot", tie->boot) &&
	    !add_u64(record, "device", tie->dev) &&
	    !add_u64(record, "inode", tie->ino) &&
	    !add_u64(record, "size", tie->size) &&
	    !add_u64(record, "birth", tie->birth))
		return record;
	json_object_put(record);
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

/**
 * identity_save() - keep an identity beyond the daemon's life
 * @identity: the identity
 * @tie: of the file that holds the contents
 * @path: of the record, which is replaced as a whole or not at all
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int identity_save(const struct identity *identity,
		  const struct identity_tie *tie, const char *path,
		  struct reason *why)
{
	CLEANUP_JSON struct json_object *record = NULL;
	CLEANUP_FREE char *temporary = NULL;
	int err;

	record = build_record(identity, tie);
	if (asprintf(&temporary, "%s.new", path) < 0)
		temporary = NULL;
	if (!record || !temporary)
		return reason_set(why, -ENOMEM, "out of memory");
	err = write_record(temporary, record);
	if (!err && rename(temporary, path))
		err = -errno;
	if (err)
		reason_set(why, err, "cannot write the record %s: %s", path,
			   strerror(-err));
	return err;
}
