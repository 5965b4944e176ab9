// SPDX-License-Identifier: GPL-2.0
/*
 * Validation of what arrives from the peer. See proto.h for the rules and
 * Documentation/protocol.rst for the layouts.
 */
#include "proto.h"

#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#else
#include <errno.h>
#include <string.h>
#include "kernel.h"
#endif

static const char * const status_texts[] = {
	[RDMABLK_OK]		= "success",
	[RDMABLK_E_VERSION]	= "no protocol version in common",
	[RDMABLK_E_MESSAGE]	= "malformed or unexpected message",
	[RDMABLK_E_DENIED]	= "access denied",
	[RDMABLK_E_NO_EXPORT]	= "no such export",
	[RDMABLK_E_BUSY]	= "export is in use by another host",
	[RDMABLK_E_READ_ONLY]	= "export is read-only",
	[RDMABLK_E_LIMIT]	= "a limit of the target is reached",
	[RDMABLK_E_NO_SESSION]	= "no such session",
	[RDMABLK_E_QUEUE]	= "no such data queue, or already connected",
	[RDMABLK_E_NOT_READY]	= "export is not ready yet",
	[RDMABLK_E_FENCED]	= "fenced: another host took the export over",
	[RDMABLK_E_STORE]	= "error of the backing store",
	[RDMABLK_E_SHUTDOWN]	= "target is shutting down",
	[RDMABLK_E_INTERNAL]	= "internal error of the target",
	[RDMABLK_E_DEVICE]	= "export is not registered on this RDMA device",
	[RDMABLK_E_REMOVED]	= "export was removed",
	[RDMABLK_E_UNSUPPORTED]	= "not supported by this export",
};

/**
 * rdmablk_status_text() - words for a status
 * @status: enum rdmablk_status, or anything that a peer sent
 *
 * Return: a constant string, never NULL.
 */
const char *rdmablk_status_text(unsigned int status)
{
	if (status >= __RDMABLK_STATUS_END)
		return "unknown status";
	return status_texts[status];
}

static bool all_zero(const __u8 *bytes, size_t len)
{
	while (len--)
		if (*bytes++)
			return false;
	return true;
}

static bool power_of_two(__u64 n)
{
	return n && !(n & (n - 1));
}

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (c && strchr("._:@+-", c));
}

/**
 * rdmablk_name_valid() - is this the name of an export, host or key?
 * @name: the characters, not necessarily terminated
 * @len: how many
 *
 * Letters, digits and ``._:@+-``, starting with a letter or a digit: safe as a
 * file name, in a log line and in a shell. The caller checks the length's
 * upper bound.
 *
 * Return: true if it is.
 */
bool rdmablk_name_valid(const char *name, size_t len)
{
	size_t i;

	if (!len || !name_char(name[0]) || strchr("._:@+-", name[0]))
		return false;
	for (i = 1; i < len; i++)
		if (!name_char(name[i]))
			return false;
	return true;
}

/**
 * rdmablk_text_valid() - may this text be shown to people?
 * @text: the field
 * @size: of the field, bytes
 *
 * Return: true if it is printable ASCII, terminated and zero-filled.
 */
bool rdmablk_text_valid(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size && text[i]; i++)
		if (text[i] < 0x20 || text[i] > 0x7e)
			return false;
	return i < size && all_zero((const __u8 *)text + i, size - i);
}

/* A name in a fixed field: terminated, zero-filled; empty if @optional. */
static bool field_valid(const char *field, size_t size, bool optional)
{
	size_t len = strnlen(field, size);

	if (len == size || !all_zero((const __u8 *)field + len, size - len))
		return false;
	return len ? rdmablk_name_valid(field, len) : optional;
}

/* ---- Connection manager private data ---------------------------------- */

/**
 * rdmablk_check_cm_req() - validate the private data of a connect request
 * @data: as it arrived; transports may pad it at the end
 * @len: bytes
 *
 * A request of an unknown version passes as long as magic and version range
 * are sound, so that it can be refused with RDMABLK_E_VERSION:
 * rdmablk_pick_version() comes next.
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_cm_req(const void *data, size_t len)
{
	const struct rdmablk_cm_req *req = data;

	if (!data || len < sizeof(*req) ||
	    le32_to_cpu(req->magic) != RDMABLK_MAGIC ||
	    !req->version_min || req->version_min > req->version_max)
		return -EPROTO;
	if (rdmablk_pick_version(req) < 0)
		return 0;
	if (req->reserved0 || !all_zero(req->reserved1, sizeof(req->reserved1)))
		return -EPROTO;

	switch (req->kind) {
	case RDMABLK_CONN_CONTROL:
		return req->session_id || req->hctx ? -EPROTO : 0;
	case RDMABLK_CONN_DATA:
		return req->session_id &&
		       le16_to_cpu(req->hctx) < RDMABLK_QUEUES_MAX ? 0 : -EPROTO;
	default:
		return -EPROTO;
	}
}

/**
 * rdmablk_pick_version() - choose the version of a connection
 * @req: sound by rdmablk_check_cm_req()
 *
 * Return: the highest version that both ends speak, or -EPROTONOSUPPORT.
 */
int rdmablk_pick_version(const struct rdmablk_cm_req *req)
{
	if (req->version_min > RDMABLK_VERSION_MAX ||
	    req->version_max < RDMABLK_VERSION_MIN)
		return -EPROTONOSUPPORT;
	if (req->version_max < RDMABLK_VERSION_MAX)
		return req->version_max;
	return RDMABLK_VERSION_MAX;
}

/**
 * rdmablk_check_cm_rep() - validate the private data of an accepted connection
 * @data: as it arrived
 * @len: bytes
 * @kind: enum rdmablk_conn_kind that was asked for
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_cm_rep(const void *data, size_t len, unsigned int kind)
{
	const struct rdmablk_cm_rep *rep = data;

	if (!data || len < sizeof(*rep) ||
	    le32_to_cpu(rep->magic) != RDMABLK_MAGIC ||
	    rep->version < RDMABLK_VERSION_MIN ||
	    rep->version > RDMABLK_VERSION_MAX || rep->kind != kind ||
	    !all_zero(rep->reserved, sizeof(rep->reserved)))
		return -EPROTO;
	/* Only a control connection carries requests. */
	if (kind == RDMABLK_CONN_CONTROL)
		return rep->credits ? 0 : -EPROTO;
	return rep->credits ? -EPROTO : 0;
}

/**
 * rdmablk_check_cm_rej() - validate the private data of a refused connection
 * @data: as it arrived
 * @len: bytes
 *
 * Return: 0, or -EPROTO: then the refusal is not from an rdmablk target.
 */
int rdmablk_check_cm_rej(const void *data, size_t len)
{
	const struct rdmablk_cm_rej *rej = data;

	if (!data || len < sizeof(*rej) ||
	    le32_to_cpu(rej->magic) != RDMABLK_MAGIC || !rej->status ||
	    !rej->version_min || rej->version_min > rej->version_max)
		return -EPROTO;
	return 0;
}

/* ---- Control messages -------------------------------------------------- */

/**
 * rdmablk_check_hdr() - validate what all control messages share
 * @msg: the message
 * @len: bytes that arrived
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_hdr(const void *msg, size_t len)
{
	const struct rdmablk_msg_hdr *hdr = msg;

	if (len < sizeof(*hdr) || len > RDMABLK_MSG_MAX ||
	    le32_to_cpu(hdr->length) != len)
		return -EPROTO;
	return 0;
}

static bool hello_valid(const struct rdmablk_msg_hello *hello)
{
	return !all_zero(hello->host_id, sizeof(hello->host_id)) &&
	       field_valid(hello->host_name, sizeof(hello->host_name), false) &&
	       field_valid(hello->client_id, sizeof(hello->client_id), true);
}

static bool open_valid(const struct rdmablk_msg_open *open)
{
	__u32 queues = le16_to_cpu(open->nr_queues);
	__u32 depth = le32_to_cpu(open->queue_depth);

	return field_valid(open->export, sizeof(open->export), false) &&
	       (open->access == RDMABLK_ACCESS_RO ||
		open->access == RDMABLK_ACCESS_RW) &&
	       !(open->flags & ~RDMABLK_OPEN_FORCE) &&
	       queues >= 1 && queues <= RDMABLK_QUEUES_MAX &&
	       depth >= 1 && depth <= RDMABLK_DEPTH_MAX &&
	       le32_to_cpu(open->max_io_size) >= RDMABLK_MAX_IO_MIN;
}

static bool auth_valid(const struct rdmablk_msg_auth *auth)
{
	return field_valid(auth->export, sizeof(auth->export), false) &&
	       (auth->access == RDMABLK_ACCESS_RO ||
		auth->access == RDMABLK_ACCESS_RW) &&
	       all_zero(auth->reserved, sizeof(auth->reserved));
}

static bool extents_valid(const struct rdmablk_msg_extents *extents)
{
	return !extents->reserved &&
	       le32_to_cpu(extents->first) < RDMABLK_EXTENTS_MAX;
}

static bool keys_valid(const struct rdmablk_msg_keys *keys)
{
	return le16_to_cpu(keys->hctx) < RDMABLK_QUEUES_MAX &&
	       all_zero(keys->reserved, sizeof(keys->reserved)) &&
	       le32_to_cpu(keys->first) < RDMABLK_EXTENTS_MAX + RDMABLK_EPOCHS;
}

/**
 * rdmablk_check_range() - does a range lie within an export?
 * @range: as it arrived
 * @size: of the export, bytes
 * @logical_block: of the export, bytes, a power of two
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_range(const struct rdmablk_range *range, __u64 size,
			__u32 logical_block)
{
	__u64 offset = le64_to_cpu(range->offset);
	__u64 length = le64_to_cpu(range->length);

	if (!length || offset >= size || length > size - offset ||
	    ((offset | length) & (logical_block - 1)))
		return -EPROTO;
	return 0;
}

static bool flush_valid(const struct rdmablk_msg_flush *flush, size_t len)
{
	const __u8 known = RDMABLK_FLUSH_MORE | RDMABLK_FLUSH_FUA |
			   RDMABLK_FLUSH_CLEAN;
	__u32 count;

	if (len < sizeof(*flush))
		return false;
	count = le32_to_cpu(flush->count);
	if ((flush->flags & ~known) || flush->epoch >= RDMABLK_EPOCHS ||
	    !all_zero(flush->reserved, sizeof(flush->reserved)) ||
	    count > RDMABLK_RANGES_PER_MSG ||
	    len != sizeof(*flush) + count * sizeof(flush->range[0]))
		return false;
	/* At most one of the three. */
	if (flush->flags & (flush->flags - 1))
		return false;
	return flush->flags == RDMABLK_FLUSH_CLEAN || !flush->epoch;
}

static bool zero_valid(const struct rdmablk_msg_zero *zero)
{
	return le64_to_cpu(zero->range.length) <= RDMABLK_ZERO_MAX &&
	       !(zero->flags & ~RDMABLK_ZERO_UNMAP) &&
	       zero->epoch < RDMABLK_EPOCHS &&
	       all_zero(zero->reserved, sizeof(zero->reserved));
}

/**
 * rdmablk_check_request() - validate a request, at the target
 * @msg: the message
 * @len: bytes that arrived
 *
 * Whether the ranges of FLUSH and ZERO lie within the export depends on the
 * session: rdmablk_check_range() comes next for those.
 *
 * Return: 0; -EOPNOTSUPP for a sound header of a type that this version does
 * not know; -EPROTO.
 */
int rdmablk_check_request(const void *msg, size_t len)
{
	const struct rdmablk_msg_hdr *hdr = msg;

	if (rdmablk_check_hdr(msg, len) || hdr->status)
		return -EPROTO;

	switch (le16_to_cpu(hdr->type)) {
	case RDMABLK_MSG_HELLO:
		return len == sizeof(struct rdmablk_msg_hello) &&
		       hello_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_AUTH:
		return len == sizeof(struct rdmablk_msg_auth) &&
		       auth_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_OPEN:
		return len == sizeof(struct rdmablk_msg_open) &&
		       open_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_EXTENTS:
		return len == sizeof(struct rdmablk_msg_extents) &&
		       extents_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_KEYS:
		return len == sizeof(struct rdmablk_msg_keys) &&
		       keys_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_FLUSH:
		return flush_valid(msg, len) ? 0 : -EPROTO;
	case RDMABLK_MSG_ZERO:
		return len == sizeof(struct rdmablk_msg_zero) &&
		       zero_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_KEEP_ALIVE:
	case RDMABLK_MSG_CLOSE:
		return len == sizeof(*hdr) ? 0 : -EPROTO;
	default:
		return -EOPNOTSUPP;
	}
}

static bool error_valid(const struct rdmablk_msg_error *error, size_t len)
{
	return len == sizeof(*error) &&
	       rdmablk_text_valid(error->text, sizeof(error->text));
}

static bool hello_reply_valid(const struct rdmablk_msg_hello_reply *reply)
{
	return field_valid(reply->target_name, sizeof(reply->target_name),
			   false) &&
	       reply->auth_required <= 1 &&
	       all_zero(reply->reserved0, sizeof(reply->reserved0)) &&
	       all_zero(reply->reserved, sizeof(reply->reserved));
}

/**
 * rdmablk_check_reply() - validate an answer, at the client
 * @msg: the message
 * @len: bytes that arrived
 * @type: enum rdmablk_msg_type of the request
 *
 * The contents of a grant, of extents and of keys depend on what was asked:
 * rdmablk_check_grant(), rdmablk_check_extents() and rdmablk_check_keys() come
 * next for those.
 *
 * Return: 0; the peer's status (positive) when @msg is a sound
 * struct rdmablk_msg_error; -EPROTO.
 */
int rdmablk_check_reply(const void *msg, size_t len, unsigned int type)
{
	const struct rdmablk_msg_hdr *hdr = msg;

	if (rdmablk_check_hdr(msg, len) ||
	    le16_to_cpu(hdr->type) != (type | RDMABLK_MSG_REPLY))
		return -EPROTO;
	if (hdr->status)
		return error_valid(msg, len) ? le16_to_cpu(hdr->status) : -EPROTO;

	switch (type) {
	case RDMABLK_MSG_HELLO:
		return len == sizeof(struct rdmablk_msg_hello_reply) &&
		       hello_reply_valid(msg) ? 0 : -EPROTO;
	case RDMABLK_MSG_AUTH:
		return len == sizeof(struct rdmablk_msg_auth_reply) ?
		       0 : -EPROTO;
	case RDMABLK_MSG_OPEN:
		return len == sizeof(struct rdmablk_msg_grant) ? 0 : -EPROTO;
	case RDMABLK_MSG_EXTENTS:
		return len > sizeof(struct rdmablk_msg_extents_reply) ?
		       0 : -EPROTO;
	case RDMABLK_MSG_KEYS:
		return len > sizeof(struct rdmablk_msg_keys_reply) ?
		       0 : -EPROTO;
	default:
		return len == sizeof(*hdr) ? 0 : -EPROTO;
	}
}

/**
 * rdmablk_check_event() - validate an event, at the client
 * @msg: the message
 * @len: bytes that arrived
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_event(const void *msg, size_t len)
{
	const struct rdmablk_msg_event *event = msg;

	if (rdmablk_check_hdr(msg, len) || len != sizeof(*event) ||
	    le16_to_cpu(event->hdr.type) != RDMABLK_MSG_EVENT ||
	    event->hdr.status || event->hdr.tag || event->reserved ||
	    !rdmablk_text_valid(event->text, sizeof(event->text)))
		return -EPROTO;
	return 0;
}

static bool grant_geometry_valid(const struct rdmablk_msg_grant *grant)
{
	__u64 size = le64_to_cpu(grant->size);
	__u32 logical = le32_to_cpu(grant->logical_block);
	__u32 physical = le32_to_cpu(grant->physical_block);

	return power_of_two(logical) && logical >= RDMABLK_BLOCK_MIN &&
	       logical <= RDMABLK_BLOCK_MAX &&
	       power_of_two(physical) && physical >= logical &&
	       physical <= RDMABLK_MAX_IO_MIN &&
	       size && size <= (__u64)1 << 62 && !(size & (logical - 1));
}

static bool grant_limits_valid(const struct rdmablk_msg_grant *grant,
			       const struct rdmablk_msg_open *open)
{
	__u32 queues = le16_to_cpu(grant->nr_queues);
	__u32 depth = le32_to_cpu(grant->queue_depth);
	__u32 max_io = le32_to_cpu(grant->max_io_size);
	__u32 extents = le32_to_cpu(grant->nr_extents);
	__u32 keep_alive = le32_to_cpu(grant->keep_alive_ms);

	if (keep_alive && (keep_alive < RDMABLK_KEEP_ALIVE_MIN ||
			   keep_alive > RDMABLK_KEEP_ALIVE_MAX))
		return false;
	return queues >= 1 && queues <= le16_to_cpu(open->nr_queues) &&
	       depth >= 1 && depth <= le32_to_cpu(open->queue_depth) &&
	       power_of_two(max_io) && max_io >= RDMABLK_MAX_IO_MIN &&
	       max_io <= RDMABLK_MAX_IO_MAX &&
	       max_io <= le32_to_cpu(open->max_io_size) &&
	       extents >= 1 && extents <= RDMABLK_EXTENTS_MAX;
}

/* With keys for each queue there are none here. */
static bool rkey_valid(const struct rdmablk_extent *extent,
		       const struct rdmablk_msg_grant *grant)
{
	return grant->key_scope != RDMABLK_SCOPE_QUEUE || !extent->rkey;
}

/* A coarse map: one byte for each chunk, the last of which may be short. */
static bool coarse_valid(const struct rdmablk_extent *coarse,
			 const struct rdmablk_msg_grant *grant)
{
	__u64 last = (le64_to_cpu(grant->size) - 1) >> grant->chunk_shift;

	return !coarse->offset && !coarse->reserved &&
	       rkey_valid(coarse, grant) &&
	       le64_to_cpu(coarse->length) == last + 1 &&
	       le64_to_cpu(coarse->addr) <= ~(__u64)0 - (last + 1);
}

/* Maps for writers to a store with a write cache, and for nobody else. */
static bool grant_tracking_valid(const struct rdmablk_msg_grant *grant)
{
	const __u8 both = RDMABLK_GRANT_READ_ONLY | RDMABLK_GRANT_WRITE_CACHE;
	int epoch;

	if ((grant->flags & both) != RDMABLK_GRANT_WRITE_CACHE)
		return !grant->chunk_shift &&
		       all_zero((const __u8 *)grant->coarse,
				sizeof(grant->coarse));
	if (grant->chunk_shift < RDMABLK_CHUNK_SHIFT_MIN ||
	    grant->chunk_shift > RDMABLK_CHUNK_SHIFT_MAX)
		return false;
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		if (!coarse_valid(&grant->coarse[epoch], grant))
			return false;
	return true;
}

/**
 * rdmablk_check_grant() - validate a grant against what was asked for
 * @grant: passed rdmablk_check_reply()
 * @open: the request that it answers
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_grant(const struct rdmablk_msg_grant *grant,
			const struct rdmablk_msg_open *open)
{
	const __u8 known = RDMABLK_GRANT_READ_ONLY | RDMABLK_GRANT_WRITE_CACHE |
			   RDMABLK_GRANT_ZERO;

	if (!grant->session_id || (grant->flags & ~known) ||
	    grant->durability < RDMABLK_VOLATILE ||
	    grant->durability > RDMABLK_DURABLE ||
	    grant->key_scope > RDMABLK_SCOPE_QUEUE ||
	    !all_zero(grant->reserved, sizeof(grant->reserved)))
		return -EPROTO;
	if (open->access == RDMABLK_ACCESS_RW &&
	    (grant->flags & RDMABLK_GRANT_READ_ONLY))
		return -EPROTO;
	if (!grant_geometry_valid(grant) || !grant_limits_valid(grant, open) ||
	    !grant_tracking_valid(grant))
		return -EPROTO;
	return 0;
}

/* One extent: where it must start, and how short it may be. */
static bool extent_valid(const struct rdmablk_extent *extent, __u64 offset,
			 const struct rdmablk_msg_grant *grant)
{
	__u64 length = le64_to_cpu(extent->length);
	__u64 left = le64_to_cpu(grant->size) - offset;

	if (extent->reserved || !rkey_valid(extent, grant) ||
	    le64_to_cpu(extent->offset) != offset ||
	    !length || length > left ||
	    (length & (le32_to_cpu(grant->logical_block) - 1)))
		return false;
	if (length < left && length < le32_to_cpu(grant->max_io_size))
		return false;
	return le64_to_cpu(extent->addr) <= ~(__u64)0 - length;
}

/**
 * rdmablk_check_extents() - validate a part of the extent table
 * @reply: passed rdmablk_check_reply()
 * @grant: passed rdmablk_check_grant()
 * @first: index of the first extent asked for
 * @offset: where that extent must start: the end of the one before
 *
 * The table is sound when every part of it passed and the last extent ends at
 * the size of the export.
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_extents(const struct rdmablk_msg_extents_reply *reply,
			  const struct rdmablk_msg_grant *grant, __u32 first,
			  __u64 offset)
{
	__u32 total = le32_to_cpu(grant->nr_extents);
	__u32 count = le32_to_cpu(reply->count);
	__u32 i;

	if (le32_to_cpu(reply->first) != first || first >= total || !count ||
	    count > RDMABLK_EXTENTS_PER_MSG || count > total - first ||
	    le32_to_cpu(reply->hdr.length) !=
	    sizeof(*reply) + count * sizeof(reply->extent[0]))
		return -EPROTO;

	for (i = 0; i < count; i++) {
		if (!extent_valid(&reply->extent[i], offset, grant))
			return -EPROTO;
		offset += le64_to_cpu(reply->extent[i].length);
	}
	if (first + count == total && offset != le64_to_cpu(grant->size))
		return -EPROTO;
	return 0;
}

/**
 * rdmablk_nr_keys() - how many keys does a data queue have of its own?
 * @nr_extents: of the grant
 * @chunk_shift: of the grant
 *
 * Return: at most RDMABLK_EXTENTS_MAX + RDMABLK_EPOCHS.
 */
__u32 rdmablk_nr_keys(__u32 nr_extents, unsigned int chunk_shift)
{
	return nr_extents + (chunk_shift ? RDMABLK_EPOCHS : 0);
}

/**
 * rdmablk_check_keys() - validate a part of a queue's keys
 * @reply: passed rdmablk_check_reply()
 * @nr: of rdmablk_nr_keys()
 * @first: index of the first key asked for, below @nr
 *
 * Any number may be a key.
 *
 * Return: 0, or -EPROTO.
 */
int rdmablk_check_keys(const struct rdmablk_msg_keys_reply *reply, __u32 nr,
		       __u32 first)
{
	__u32 count = le32_to_cpu(reply->count);

	if (le32_to_cpu(reply->first) != first || first >= nr || !count ||
	    count > RDMABLK_KEYS_PER_MSG || count > nr - first ||
	    le32_to_cpu(reply->hdr.length) !=
	    sizeof(*reply) + count * sizeof(reply->key[0]))
		return -EPROTO;
	return 0;
}
