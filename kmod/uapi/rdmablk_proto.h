/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * The wire protocol between rdmablk.ko and rdmablkd: layouts and numbers only.
 *
 * Included as it is by the kernel module and by user space. Every integer is
 * little-endian, every structure has a fixed layout that the assertions below
 * pin down, every reserved byte is sent as zero and refused when it is not.
 * Documentation/protocol.rst describes the exchange byte by byte;
 * kmod/proto.h has the functions that validate what arrives.
 */
#ifndef _UAPI_RDMABLK_PROTO_H
#define _UAPI_RDMABLK_PROTO_H

#include <linux/types.h>

#define RDMABLK_PORT		12345	/* default rdma_cm port, RDMA_PS_TCP */
#define RDMABLK_MAGIC		0x6b6c6272	/* "rblk" as bytes on the wire */

/* The versions that this header describes. */
#define RDMABLK_VERSION_MIN	1
#define RDMABLK_VERSION_MAX	1

#define RDMABLK_NAME_MAX	128	/* export name, NUL included */
#define RDMABLK_HOST_MAX	64	/* host or key name, NUL included */
#define RDMABLK_TEXT_MAX	192	/* reason for people, NUL included */
#define RDMABLK_UUID_SIZE	16
#define RDMABLK_NONCE_SIZE	32
#define RDMABLK_MAC_SIZE	32	/* HMAC-SHA256 */
#define RDMABLK_SECRET_MIN	32	/* length of a pre-shared key, bytes */
#define RDMABLK_SECRET_MAX	64

#define RDMABLK_MSG_MAX		1024	/* largest control message, bytes */
#define RDMABLK_QUEUES_MAX	256	/* data queues of a session */
#define RDMABLK_DEPTH_MAX	4096	/* requests in flight on a data queue */
#define RDMABLK_EXTENTS_MAX	65536	/* extents of a region */
#define RDMABLK_SIZE_MAX	(1ULL << 62)	/* largest export, bytes */
#define RDMABLK_MAX_IO_MIN	(64U << 10)	/* least grantable I/O size, bytes */
#define RDMABLK_MAX_IO_MAX	(16U << 20)	/* largest grantable I/O size, bytes */
#define RDMABLK_KEEP_ALIVE_MIN	1000U		/* least grantable silence, ms */
#define RDMABLK_KEEP_ALIVE_MAX	86400000U	/* longest, ms: a day */
#define RDMABLK_BLOCK_MIN	512U
#define RDMABLK_BLOCK_MAX	4096U	/* largest logical block size */
#define RDMABLK_CHUNK_SHIFT_MIN	16	/* dirty tracking: 64 KiB */
#define RDMABLK_CHUNK_SHIFT_MAX	30	/* 1 GiB */
#define RDMABLK_EPOCHS		2	/* coarse maps that take turns */
#define RDMABLK_ZERO_MAX	(16U << 20)	/* bytes that one ZERO may zero */

/* Why a request was refused. rdmablk_status_text() has the words. */
enum rdmablk_status {
	RDMABLK_OK		= 0,
	RDMABLK_E_VERSION	= 1,	/* no protocol version in common */
	RDMABLK_E_MESSAGE	= 2,	/* malformed, out of order, ill-timed */
	RDMABLK_E_DENIED	= 3,	/* authentication or access rule */
	RDMABLK_E_NO_EXPORT	= 4,
	RDMABLK_E_BUSY		= 5,	/* another host holds it */
	RDMABLK_E_READ_ONLY	= 6,	/* write access to a read-only export */
	RDMABLK_E_LIMIT		= 7,	/* sessions, queues or memory used up */
	RDMABLK_E_NO_SESSION	= 8,	/* unknown, dead or fenced session */
	RDMABLK_E_QUEUE		= 9,	/* out of range, taken; KEYS: not there */
	RDMABLK_E_NOT_READY	= 10,	/* the region is still being prepared */
	RDMABLK_E_FENCED	= 11,	/* another host took the export over */
	RDMABLK_E_STORE		= 12,	/* the backing store reported an error */
	RDMABLK_E_SHUTDOWN	= 13,	/* the target is stopping */
	RDMABLK_E_INTERNAL	= 14,
	RDMABLK_E_DEVICE	= 15,	/* region not registered on this RDMA device */
	RDMABLK_E_REMOVED	= 16,	/* the export was removed */
	RDMABLK_E_UNSUPPORTED	= 17,	/* understood, not offered by this export */
	__RDMABLK_STATUS_END
};

/* ---- Connection manager private data ---------------------------------- */

enum rdmablk_conn_kind {
	RDMABLK_CONN_CONTROL	= 1,
	RDMABLK_CONN_DATA	= 2,
};

/**
 * struct rdmablk_cm_req - private data of a connect request
 * @magic: RDMABLK_MAGIC
 * @version_min: lowest protocol version that the client speaks
 * @version_max: highest protocol version that the client speaks
 * @kind: enum rdmablk_conn_kind
 * @reserved0: zero
 * @session_id: data connections: from the grant; control: zero
 * @hctx: data connections: index of the data queue; control: zero
 * @reserved1: zero
 * @proof: data connections of an authenticated session: HMAC-SHA256 with the
 *         session's key over the fields above; zero otherwise
 *
 * 56 bytes: all that InfiniBand leaves a user of the connection manager.
 */
struct rdmablk_cm_req {
	__le32	magic;
	__u8	version_min;
	__u8	version_max;
	__u8	kind;
	__u8	reserved0;
	__le64	session_id;
	__le16	hctx;
	__u8	reserved1[6];
	__u8	proof[RDMABLK_MAC_SIZE];
};

/**
 * struct rdmablk_cm_rep - private data of an accepted connection
 * @magic: RDMABLK_MAGIC
 * @version: the version that the connection uses
 * @kind: as requested
 * @credits: control connections: requests that may be unanswered at one time;
 *           data: zero
 * @reserved: zero
 */
struct rdmablk_cm_rep {
	__le32	magic;
	__u8	version;
	__u8	kind;
	__le16	credits;
	__u8	reserved[8];
};

/**
 * struct rdmablk_cm_rej - private data of a refused connection
 * @magic: RDMABLK_MAGIC
 * @version_min: lowest version that the target speaks
 * @version_max: highest version that the target speaks
 * @status: enum rdmablk_status
 * @reserved: zero
 */
struct rdmablk_cm_rej {
	__le32	magic;
	__u8	version_min;
	__u8	version_max;
	__le16	status;
	__u8	reserved[8];
};

/* ---- Control messages -------------------------------------------------- */

#define RDMABLK_MSG_REPLY	0x8000	/* set in the type of an answer */

enum rdmablk_msg_type {
	RDMABLK_MSG_HELLO	= 1,
	RDMABLK_MSG_AUTH	= 2,	/* prove who we are, to each other */
	RDMABLK_MSG_OPEN	= 3,
	RDMABLK_MSG_EXTENTS	= 4,
	RDMABLK_MSG_KEEP_ALIVE	= 5,
	RDMABLK_MSG_CLOSE	= 6,
	RDMABLK_MSG_FLUSH	= 7,	/* make writes durable */
	RDMABLK_MSG_ZERO	= 8,	/* WRITE ZEROES and DISCARD */
	RDMABLK_MSG_EVENT	= 9,	/* target to client, not answered */
	RDMABLK_MSG_KEYS	= 10,	/* of a data queue */
};

/**
 * struct rdmablk_msg_hdr - starts every control message
 * @type: enum rdmablk_msg_type, with RDMABLK_MSG_REPLY in an answer
 * @status: answers: enum rdmablk_status; requests and events: zero
 * @length: of the whole message in bytes, this header included
 * @tag: chosen by the requester, returned in the answer; events: zero
 */
struct rdmablk_msg_hdr {
	__le16	type;
	__le16	status;
	__le32	length;
	__le64	tag;
};

/* An answer whose status is not RDMABLK_OK, whatever was asked. */
struct rdmablk_msg_error {
	struct rdmablk_msg_hdr	hdr;
	char			text[RDMABLK_TEXT_MAX];
};

/**
 * struct rdmablk_msg_hello - who the client is
 * @hdr: type RDMABLK_MSG_HELLO
 * @host_id: UUID of the client host; a host that returns replaces itself
 * @host_name: for people: "in use by HOST"
 * @client_id: name of the client's key; empty: not authenticated
 * @nonce: random
 * @features: optional parts of the protocol that the client knows
 */
struct rdmablk_msg_hello {
	struct rdmablk_msg_hdr	hdr;
	__u8			host_id[RDMABLK_UUID_SIZE];
	char			host_name[RDMABLK_HOST_MAX];
	char			client_id[RDMABLK_HOST_MAX];
	__u8			nonce[RDMABLK_NONCE_SIZE];
	__le64			features;
};

/**
 * struct rdmablk_msg_hello_reply - who the target is
 * @hdr: the answer to RDMABLK_MSG_HELLO
 * @target_name: for people
 * @nonce: random
 * @reserved0: zero
 * @auth_required: 1: RDMABLK_MSG_AUTH must come next; 0: RDMABLK_MSG_OPEN must
 * @reserved: zero
 * @features: those of the client's features that the session uses
 */
struct rdmablk_msg_hello_reply {
	struct rdmablk_msg_hdr	hdr;
	char			target_name[RDMABLK_HOST_MAX];
	__u8			nonce[RDMABLK_NONCE_SIZE];
	__u8			reserved0[32];
	__u8			auth_required;
	__u8			reserved[7];
	__le64			features;
};

enum rdmablk_access {
	RDMABLK_ACCESS_RO	= 1,
	RDMABLK_ACCESS_RW	= 2,
};

/**
 * struct rdmablk_msg_auth - the client proves that it has the key
 * @hdr: type RDMABLK_MSG_AUTH
 * @export: the only export that this session may open
 * @access: enum rdmablk_access: the only way in which it may
 * @reserved: zero
 * @mac: RDMABLK_PROOF_CLIENT over all that was said, see authmsg.h
 */
struct rdmablk_msg_auth {
	struct rdmablk_msg_hdr	hdr;
	char			export[RDMABLK_NAME_MAX];
	__u8			access;
	__u8			reserved[7];
	__u8			mac[RDMABLK_MAC_SIZE];
};

/* The target proves that it has the key, too. */
struct rdmablk_msg_auth_reply {
	struct rdmablk_msg_hdr	hdr;
	__u8			mac[RDMABLK_MAC_SIZE];	/* RDMABLK_PROOF_TARGET */
};

#define RDMABLK_OPEN_FORCE	0x01	/* fence whoever holds the export */

/**
 * struct rdmablk_msg_open - ask for a session on an export
 * @hdr: type RDMABLK_MSG_OPEN
 * @export: NUL-terminated, zero-filled name
 * @access: enum rdmablk_access
 * @flags: RDMABLK_OPEN_*
 * @nr_queues: data queues wanted, 1 to RDMABLK_QUEUES_MAX
 * @queue_depth: requests in flight wanted on each, 1 to RDMABLK_DEPTH_MAX
 * @max_io_size: largest I/O that the client would issue, bytes
 * @keep_alive_ms: silence after which the target may give the session up;
 *                 zero: as late as the target allows, or never
 * @life: of the host, a random number: sessions that it has opened in another life
 *	  are of no use to it any more; zero: it does not say
 * @session_id: recovery: the last session id that the client learned; zero
 *              otherwise
 */
struct rdmablk_msg_open {
	struct rdmablk_msg_hdr	hdr;
	char			export[RDMABLK_NAME_MAX];
	__u8			access;
	__u8			flags;
	__le16			nr_queues;
	__le32			queue_depth;
	__le32			max_io_size;
	__le32			keep_alive_ms;
	__le64			life;
	__le64			session_id;
};

/**
 * struct rdmablk_extent - a part of the region in one memory registration
 * @offset: of the first byte in the export
 * @length: in bytes
 * @addr: what the remote address of the first byte is
 * @rkey: key of the registration; RDMABLK_SCOPE_QUEUE: zero, ask with
 *	  RDMABLK_MSG_KEYS
 * @reserved: zero
 *
 * The extents of a region follow each other without a gap from offset zero to
 * the export's size. All but the last are at least the granted max_io_size
 * long, so an I/O crosses one boundary at most. Offsets and lengths are
 * multiples of the logical block size.
 */
struct rdmablk_extent {
	__le64	offset;
	__le64	length;
	__le64	addr;
	__le32	rkey;
	__le32	reserved;
};

/* What becomes of acknowledged writes. */
enum rdmablk_durability {
	RDMABLK_VOLATILE	= 1,	/* gone with the daemon */
	RDMABLK_RESTART		= 2,	/* survive the daemon, not the host */
	RDMABLK_DURABLE		= 3,	/* a completed flush survives power loss */
};

/* What a remote key of the region is good for. */
enum rdmablk_key_scope {
	RDMABLK_SCOPE_UNKNOWN	= 0,	/* the target does not say */
	RDMABLK_SCOPE_EXPORT	= 1,	/* all sessions of its export and access */
	RDMABLK_SCOPE_QUEUE	= 2,	/* one data connection */
};

#define RDMABLK_GRANT_READ_ONLY		0x01
#define RDMABLK_GRANT_WRITE_CACHE	0x02	/* FLUSH and FUA mean something */
#define RDMABLK_GRANT_ZERO		0x04	/* ZERO is offered */

/**
 * struct rdmablk_msg_grant - the answer to RDMABLK_MSG_OPEN
 * @hdr: the answer's header
 * @session_id: opaque, not zero; names the session in data connections
 * @generation: UUID of the contents
 * @instance: number of the staging memory's life
 * @size: of the export in bytes, up to RDMABLK_SIZE_MAX, a multiple of
 *	  @logical_block
 * @logical_block: bytes, 512 to 4096, a power of two
 * @physical_block: bytes, a power of two, at least @logical_block
 * @durability: enum rdmablk_durability
 * @flags: RDMABLK_GRANT_*
 * @nr_queues: data queues granted, 1 to what was wanted
 * @queue_depth: granted, 1 to what was wanted
 * @max_io_size: bytes, a power of two
 * @keep_alive_ms: as the target will enforce it; zero, or from
 *		   RDMABLK_KEEP_ALIVE_MIN to RDMABLK_KEEP_ALIVE_MAX
 * @nr_extents: how many RDMABLK_MSG_EXTENTS will return
 * @chunk_shift: dirty tracking: log2 of the bytes that a coarse byte covers;
 *               zero without RDMABLK_GRANT_WRITE_CACHE
 * @key_scope: enum rdmablk_key_scope: what the target's card enforces
 * @reserved: zero
 * @coarse: dirty tracking: the two epochs' coarse maps, a byte for each chunk;
 *          offset zero, @length as many bytes as there are chunks; all zero
 *          without RDMABLK_GRANT_WRITE_CACHE, and for a reader
 */
struct rdmablk_msg_grant {
	struct rdmablk_msg_hdr	hdr;
	__le64			session_id;
	__u8			generation[RDMABLK_UUID_SIZE];
	__le64			instance;
	__le64			size;
	__le32			logical_block;
	__le32			physical_block;
	__u8			durability;
	__u8			flags;
	__le16			nr_queues;
	__le32			queue_depth;
	__le32			max_io_size;
	__le32			keep_alive_ms;
	__le32			nr_extents;
	__u8			chunk_shift;
	__u8			key_scope;
	__u8			reserved[10];
	struct rdmablk_extent	coarse[RDMABLK_EPOCHS];
};

/* Asks for extents @first and following. */
struct rdmablk_msg_extents {
	struct rdmablk_msg_hdr	hdr;
	__le32			first;
	__le32			reserved;
};

/* Answers with @count extents; as many as fit unless the table ends. */
struct rdmablk_msg_extents_reply {
	struct rdmablk_msg_hdr	hdr;
	__le32			first;
	__le32			count;
	struct rdmablk_extent	extent[];
};

#define RDMABLK_EXTENTS_PER_MSG						\
	((RDMABLK_MSG_MAX - sizeof(struct rdmablk_msg_extents_reply)) /	\
	 sizeof(struct rdmablk_extent))

/**
 * struct rdmablk_msg_keys - ask for the keys of a data queue
 * @hdr: type RDMABLK_MSG_KEYS
 * @hctx: index of the queue, which is connected
 * @reserved: zero
 * @first: asks for this key and those that follow
 *
 * With RDMABLK_SCOPE_QUEUE only. There is a key for each extent, and behind them,
 * if the grant has any, one for each coarse map: rdmablk_nr_keys().
 */
struct rdmablk_msg_keys {
	struct rdmablk_msg_hdr	hdr;
	__le16			hctx;
	__u8			reserved[2];
	__le32			first;
};

/* Answers with @count keys; as many as fit unless the table ends. */
struct rdmablk_msg_keys_reply {
	struct rdmablk_msg_hdr	hdr;
	__le32			first;
	__le32			count;
	__le32			key[];
};

#define RDMABLK_KEYS_PER_MSG						\
	((RDMABLK_MSG_MAX - sizeof(struct rdmablk_msg_keys_reply)) /	\
	 sizeof(__le32))

/* A part of the export; neither empty nor beyond its end. */
struct rdmablk_range {
	__le64	offset;
	__le64	length;
};

#define RDMABLK_FLUSH_MORE	0x01	/* part of a flush: more ranges follow */
#define RDMABLK_FLUSH_FUA	0x02	/* only the ranges have to be durable */
#define RDMABLK_FLUSH_CLEAN	0x04	/* clears the coarse map of @epoch */

/**
 * struct rdmablk_msg_flush - make completed writes durable
 * @hdr: type RDMABLK_MSG_FLUSH
 * @flags: RDMABLK_FLUSH_*, at most one of them
 * @epoch: with RDMABLK_FLUSH_CLEAN: no write that relies on a mark in this map
 *         is under way, and @range, here and in the parts before, has all of
 *         those that completed; zero otherwise
 * @reserved: zero
 * @count: of @range
 * @range: what was written since the latest flush that succeeded, multiples of
 *         the logical block size; in order and without overlap, also over parts
 *
 * Answered by a header when everything named, here and in the parts before
 * that had RDMABLK_FLUSH_MORE, and whatever earlier sessions left, is durable.
 * The answer to a part only says that the target knows of it. A flush may take
 * as long as the backing store takes.
 */
struct rdmablk_msg_flush {
	struct rdmablk_msg_hdr	hdr;
	__u8			flags;
	__u8			epoch;
	__u8			reserved[2];
	__le32			count;
	struct rdmablk_range	range[];
};

#define RDMABLK_RANGES_PER_MSG						\
	((RDMABLK_MSG_MAX - sizeof(struct rdmablk_msg_flush)) /		\
	 sizeof(struct rdmablk_range))

#define RDMABLK_ZERO_UNMAP	0x01	/* the store may give the space up */

/**
 * struct rdmablk_msg_zero - zero a part of the export
 * @hdr: type RDMABLK_MSG_ZERO
 * @range: at most RDMABLK_ZERO_MAX bytes, multiples of the logical block size
 * @flags: RDMABLK_ZERO_*
 * @epoch: whose coarse map the target marks before it zeroes, not one that a flush
 *         under way is to clear; zero without RDMABLK_GRANT_WRITE_CACHE
 * @reserved: zero
 *
 * Answered by a header when the bytes read as zero. They are as durable as those
 * of a completed write: with RDMABLK_ZERO_UNMAP the target remembers by itself
 * what the next flush has to do, without it the client names the range then.
 */
struct rdmablk_msg_zero {
	struct rdmablk_msg_hdr	hdr;
	struct rdmablk_range	range;
	__u8			flags;
	__u8			epoch;
	__u8			reserved[6];
};

/* RDMABLK_MSG_KEEP_ALIVE, RDMABLK_MSG_CLOSE and their answers: a header. */

/**
 * struct rdmablk_msg_event - the target tells the client something
 * @hdr: type RDMABLK_MSG_EVENT, tag zero
 * @code: enum rdmablk_status: why the session is about to end
 * @reserved: zero
 * @text: for people
 */
struct rdmablk_msg_event {
	struct rdmablk_msg_hdr	hdr;
	__le32			code;
	__le32			reserved;
	char			text[RDMABLK_TEXT_MAX];
};

#ifdef __KERNEL__
#include <linux/build_bug.h>
#else
#include <assert.h>
#endif

static_assert(sizeof(struct rdmablk_cm_req) == 56, "connect private data");
static_assert(sizeof(struct rdmablk_cm_rep) == 16, "accept private data");
static_assert(sizeof(struct rdmablk_cm_rej) == 16, "reject private data");
static_assert(sizeof(struct rdmablk_msg_hdr) == 16, "header");
static_assert(sizeof(struct rdmablk_msg_error) == 208, "error");
static_assert(sizeof(struct rdmablk_msg_hello) == 200, "hello");
static_assert(sizeof(struct rdmablk_msg_hello_reply) == 160, "hello reply");
static_assert(sizeof(struct rdmablk_msg_auth) == 184, "auth");
static_assert(sizeof(struct rdmablk_msg_auth_reply) == 48, "auth reply");
static_assert(sizeof(struct rdmablk_msg_open) == 176, "open");
static_assert(sizeof(struct rdmablk_extent) == 32, "extent");
static_assert(sizeof(struct rdmablk_msg_grant) == 160, "grant");
static_assert(sizeof(struct rdmablk_msg_extents) == 24, "extents");
static_assert(sizeof(struct rdmablk_msg_extents_reply) == 24, "extents reply");
static_assert(sizeof(struct rdmablk_msg_keys) == 24, "keys");
static_assert(sizeof(struct rdmablk_msg_keys_reply) == 24, "keys reply");
static_assert(sizeof(struct rdmablk_range) == 16, "range");
static_assert(sizeof(struct rdmablk_msg_flush) == 24, "flush");
static_assert(sizeof(struct rdmablk_msg_zero) == 40, "zero");
static_assert(sizeof(struct rdmablk_msg_event) == 216, "event");

#endif /* _UAPI_RDMABLK_PROTO_H */
