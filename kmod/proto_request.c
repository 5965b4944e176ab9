// SPDX-License-Identifier: GPL-2.0
/*
 * Requests, as the target reads them.
 */
#include "proto_field.h"

static bool hello_valid(const struct rdmablk_msg_hello *hello)
{
	return !rdmablk_all_zero(hello->host_id, sizeof(hello->host_id)) &&
	       rdmablk_field_valid(hello->host_name, sizeof(hello->host_name),
				   false) &&
	       rdmablk_field_valid(hello->client_id, sizeof(hello->client_id),
				   true);
}

static bool open_valid(const struct rdmablk_msg_open *open)
{
	__u32 queues = le16_to_cpu(open->nr_queues);
	__u32 depth = le32_to_cpu(open->queue_depth);

	return rdmablk_field_valid(open->export, sizeof(open->export), false) &&
	       (open->access == RDMABLK_ACCESS_RO ||
		open->access == RDMABLK_ACCESS_RW) &&
	       !(open->flags & ~RDMABLK_OPEN_FORCE) &&
	       queues >= 1 && queues <= RDMABLK_QUEUES_MAX &&
	       depth >= 1 && depth <= RDMABLK_DEPTH_MAX &&
	       le32_to_cpu(open->max_io_size) >= RDMABLK_MAX_IO_MIN;
}

static bool auth_valid(const struct rdmablk_msg_auth *auth)
{
	return rdmablk_field_valid(auth->export, sizeof(auth->export), false) &&
	       (auth->access == RDMABLK_ACCESS_RO ||
		auth->access == RDMABLK_ACCESS_RW) &&
	       rdmablk_all_zero(auth->reserved, sizeof(auth->reserved));
}

static bool extents_valid(const struct rdmablk_msg_extents *extents)
{
	return !extents->reserved &&
	       le32_to_cpu(extents->first) < RDMABLK_EXTENTS_MAX;
}

static bool keys_valid(const struct rdmablk_msg_keys *keys)
{
	return le16_to_cpu(keys->hctx) < RDMABLK_QUEUES_MAX &&
	       rdmablk_all_zero(keys->reserved, sizeof(keys->reserved)) &&
	       le32_to_cpu(keys->first) < RDMABLK_EXTENTS_MAX + RDMABLK_EPOCHS;
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
	    !rdmablk_all_zero(flush->reserved, sizeof(flush->reserved)) ||
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
	       rdmablk_all_zero(zero->reserved, sizeof(zero->reserved));
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
