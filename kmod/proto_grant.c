// SPDX-License-Identifier: GPL-2.0
/*
 * What a client was granted: the grant, and the tables of extents and of keys that
 * belong to it.
 */
#include "proto_field.h"

static bool power_of_two(__u64 n)
{
	return n && !(n & (n - 1));
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
	       size && size <= RDMABLK_SIZE_MAX && !(size & (logical - 1));
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
		       rdmablk_all_zero(grant->coarse, sizeof(grant->coarse));
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
	    !rdmablk_all_zero(grant->reserved, sizeof(grant->reserved)))
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

/*
 * As many as there are, and as fit: who sends fewer has us ask thousands of times,
 * and may take as long for each answer as for any.
 */
static bool part_valid(__u32 first, __u32 count, __u32 total, size_t per_msg)
{
	__u32 left;

	if (first >= total)
		return false;
	left = total - first;
	return count == (left < per_msg ? left : per_msg);
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

	if (le32_to_cpu(reply->first) != first ||
	    !part_valid(first, count, total, RDMABLK_EXTENTS_PER_MSG) ||
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

	if (le32_to_cpu(reply->first) != first ||
	    !part_valid(first, count, nr, RDMABLK_KEYS_PER_MSG) ||
	    le32_to_cpu(reply->hdr.length) !=
	    sizeof(*reply) + count * sizeof(reply->key[0]))
		return -EPROTO;
	return 0;
}
