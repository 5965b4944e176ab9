/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */
/*
 * Generic netlink: how rbdctl drives rdmablk.ko. There is no other way.
 *
 * Family "rdmablk", version 1, multicast group "events". Every command needs
 * CAP_NET_ADMIN in the initial user namespace, except GET and STATS. Errors come with an
 * extended ack whose text says what is wrong.
 *
 * ATTACH creates a device and starts to connect; its answer carries INDEX and
 * NAME at once. The outcome is an event: STATE becomes LIVE, or the device is
 * GONE with ERRNO and REASON. After LIVE the kernel reads the partition table, for
 * which the target has to answer; before DISK_ADDED whoever opens the node waits
 * for that, and cannot be killed. An INDEX is used again when its device is gone,
 * an ID never: tell devices apart by it.
 *
 *   ATTACH  ->  ADDR EXPORT [SOURCE] [FLAGS] [QUEUES] [DEPTH] [HOST_ID]
 *               [HOST_NAME] [TARGET_NAME] [KEY] [timers]
 *           <-  INDEX NAME ID
 * DETACH waits for nothing either: its outcome is the event GONE.
 *
 *   DETACH  ->  INDEX [FLAGS: FORCE]
 *   SET     ->  INDEX [KEY] [timers]
 *               changes those that are given, at once, and refuses all others
 *   GET     ->  INDEX, or as a dump all devices
 *           <-  everything that describes a device
 *   EVENT   <-  as GET; sent to the group "events" whenever STATE changes, when
 *               DISK_ADDED becomes 1, or, while RECOVERING, when I/O begins to fail
 *   STATS   ->  INDEX [QUEUE], or as a dump all devices
 *           <-  INDEX ID NAME STATE RECONNECTS WAITS REPLAYS [QUEUES DEPTH]
 *               [IN_FLIGHT OPS] [what GET says of flushes]
 *   WATCH   ->  INDEX SECONDS
 *               counts latencies for so long; who looks for longer, or at more
 *               devices, asks again and again
 *
 * STATS: all figures only grow, but for IN_FLIGHT, as long as the device, by its ID,
 * is there. OPS has a nest for each operation whose type is RDMABLK_OP_*, plus one.
 * In it COUNT, BYTES and NS are what /sys/block/NAME/stat says, with writes and
 * WRITE ZEROES told apart. LATENCY has the requests that ended while somebody
 * watched the device. Of one QUEUE nothing but that is known, and COUNT, BYTES and
 * NS are of that. Without iostats (/sys/block/NAME/queue) none of these grow.
 *
 * KEY is the NAME of a key of type "logon" that is described as rdmablk:NAME and
 * that the caller may search for: what the device authenticates itself with, from
 * the next connect on. PROVEN is with what the present session did.
 *
 * Timers are KEEP_ALIVE_TMO RECONNECT_DELAY FAST_IO_FAIL_TMO DEV_LOSS_TMO
 * REQUEST_TMO SYNC_INTERVAL, and, for ATTACH only, CONNECT_TMO.
 */
#ifndef _UAPI_RDMABLK_GENL_H
#define _UAPI_RDMABLK_GENL_H

#define RDMABLK_GENL_NAME	"rdmablk"
#define RDMABLK_GENL_VERSION	1
#define RDMABLK_GENL_GROUP	"events"

#define RDMABLK_DEVICES_MAX	256
#define RDMABLK_WATCH_MAX	3600	/* seconds */

enum rdmablk_genl_cmd {
	RDMABLK_CMD_UNSPEC,
	RDMABLK_CMD_ATTACH,
	RDMABLK_CMD_DETACH,
	RDMABLK_CMD_GET,
	RDMABLK_CMD_EVENT,
	RDMABLK_CMD_SET,
	RDMABLK_CMD_STATS,
	RDMABLK_CMD_WATCH,
	__RDMABLK_CMD_END
};

/* ATTACH and DETACH; GET returns those that are in force. */
#define RDMABLK_FLAG_READ_ONLY		0x1
#define RDMABLK_FLAG_FORCE		0x2	/* fence a holder; detach in use */
#define RDMABLK_FLAG_NO_PARTSCAN	0x4

enum rdmablk_dev_state {
	RDMABLK_STATE_CONNECTING = 1,	/* first connect, no node yet */
	RDMABLK_STATE_LIVE,		/* I/O flows */
	RDMABLK_STATE_RECOVERING,	/* path lost, I/O waits, or fails in time */
	RDMABLK_STATE_FAILED,		/* given up, I/O fails; see REASON */
	RDMABLK_STATE_DELETING,		/* detach under way */
	RDMABLK_STATE_GONE,		/* only in the last event of a device */
};

enum rdmablk_genl_attr {
	RDMABLK_ATTR_UNSPEC,
	RDMABLK_ATTR_PAD,
	RDMABLK_ATTR_INDEX,		/* u32: N of rdmablkN */
	RDMABLK_ATTR_NAME,		/* string: "rdmablkN" */
	RDMABLK_ATTR_ADDR,		/* sockaddr_in or sockaddr_in6 */
	RDMABLK_ATTR_SOURCE,		/* likewise: address to connect from */
	RDMABLK_ATTR_TARGET_NAME,	/* string: the target as the user wrote it */
	RDMABLK_ATTR_EXPORT,		/* string */
	RDMABLK_ATTR_FLAGS,		/* u32: RDMABLK_FLAG_* */
	RDMABLK_ATTR_HOST_ID,		/* 16 bytes */
	RDMABLK_ATTR_HOST_NAME,		/* string */
	RDMABLK_ATTR_STATE,		/* u32: enum rdmablk_dev_state */
	RDMABLK_ATTR_ERRNO,		/* u32: why it failed, positive; absent: fine */
	RDMABLK_ATTR_REASON,		/* string: the same for people */
	RDMABLK_ATTR_QUEUES,		/* u32: data queues wanted / in use */
	RDMABLK_ATTR_DEPTH,		/* u32: requests in flight on each */
	RDMABLK_ATTR_SIZE,		/* u64: bytes */
	RDMABLK_ATTR_LOGICAL_BLOCK,	/* u32: bytes */
	RDMABLK_ATTR_PHYSICAL_BLOCK,	/* u32: bytes */
	RDMABLK_ATTR_MAX_IO,		/* u32: bytes */
	RDMABLK_ATTR_EXTENTS,		/* u32: extents of the region */
	RDMABLK_ATTR_DURABILITY,	/* u32: enum rdmablk_durability */
	RDMABLK_ATTR_WRITE_CACHE,	/* u32: 1 when FLUSH means something */
	RDMABLK_ATTR_GENERATION,	/* 16 bytes */
	RDMABLK_ATTR_INSTANCE,		/* u64 */
	RDMABLK_ATTR_SESSION,		/* u64: tells sessions apart; not the id */
	RDMABLK_ATTR_IBDEV,		/* string: RDMA device in use, "rxe0" */
	RDMABLK_ATTR_IBPORT,		/* u32 */
	RDMABLK_ATTR_TRANSPORT,		/* string: "InfiniBand", "RoCE", "iWARP" */
	RDMABLK_ATTR_OPENERS,		/* u32: open file descriptions and mounts */
	RDMABLK_ATTR_CONNECT_TMO,	/* u32: ms, per step of a connect */
	RDMABLK_ATTR_KEEP_ALIVE_TMO,	/* u32: seconds, 0: off */
	RDMABLK_ATTR_RECONNECT_DELAY,	/* u32: seconds, after the first attempt */
	RDMABLK_ATTR_DEV_LOSS_TMO,	/* u32: seconds, 0: never give up */
	RDMABLK_ATTR_ATTEMPTS,		/* u32: of the present recovery */
	RDMABLK_ATTR_RECONNECTS,	/* u32: recoveries that succeeded */
	RDMABLK_ATTR_MODULE_VERSION,	/* string */
	RDMABLK_ATTR_ID,		/* u64: of the device, never used again */
	RDMABLK_ATTR_SYNC_INTERVAL,	/* u32: seconds, 0: never */
	RDMABLK_ATTR_DIRTY,		/* u64: bytes written, not flushed yet */
	RDMABLK_ATTR_FLUSHES,		/* u64: that completed */
	RDMABLK_ATTR_FLUSH_AGE,		/* u64: ms since the latest; absent: none */
	RDMABLK_ATTR_FLUSH_TIME,	/* u64: us that it took */
	RDMABLK_ATTR_FLUSH_ERROR,	/* string: why it failed; absent: fine */
	RDMABLK_ATTR_FAST_IO_FAIL_TMO,	/* u32: seconds, 0: I/O waits */
	RDMABLK_ATTR_REQUEST_TMO,	/* u32: seconds */
	/* Of a recovery: u64 in ms, absent when it will not come to that. */
	RDMABLK_ATTR_NEXT_ATTEMPT_IN,	/* absent also while one is under way */
	RDMABLK_ATTR_IO_FAILS_IN,	/* 0: it fails */
	RDMABLK_ATTR_GIVE_UP_IN,
	RDMABLK_ATTR_KEY,		/* string: see above; absent: none */
	RDMABLK_ATTR_PROVEN,		/* string: key of the session; absent: none */
	RDMABLK_ATTR_KEY_SCOPE,		/* u32: enum rdmablk_key_scope */
	RDMABLK_ATTR_DISK_ADDED,	/* u32: 1 when the node can be opened */
	RDMABLK_ATTR_QUEUE,		/* u32: data queue, from 0 */
	RDMABLK_ATTR_SECONDS,		/* u32 */
	RDMABLK_ATTR_WAITS,		/* u64: requests that found no room */
	RDMABLK_ATTR_REPLAYS,		/* u64: handed back as the path broke */
	RDMABLK_ATTR_IN_FLIGHT,		/* u32: requests */
	RDMABLK_ATTR_OPS,		/* nest of nests: see above */
	RDMABLK_ATTR_POLL_QUEUES,	/* u32: queues wanted besides / polled of them */
	__RDMABLK_ATTR_END
};

#define RDMABLK_ATTR_MAX (__RDMABLK_ATTR_END - 1)

/* Operations that are counted. */
enum rdmablk_op {
	RDMABLK_OP_READ,
	RDMABLK_OP_WRITE,
	RDMABLK_OP_FLUSH,
	RDMABLK_OP_DISCARD,
	RDMABLK_OP_ZERO,		/* WRITE ZEROES */
	RDMABLK_OPS
};

/* Of one operation, in OPS. */
enum rdmablk_op_attr {
	RDMABLK_OP_ATTR_UNSPEC,
	RDMABLK_OP_ATTR_PAD,
	RDMABLK_OP_ATTR_COUNT,		/* u64: requests that ended */
	RDMABLK_OP_ATTR_BYTES,		/* u64: of them */
	RDMABLK_OP_ATTR_NS,		/* u64: sum of the time that they took */
	RDMABLK_OP_ATTR_ERRORS,		/* u64: how many ended with an error */
	RDMABLK_OP_ATTR_LATENCY,	/* u64[]: buckets; absent: all are 0 */
	__RDMABLK_OP_ATTR_END
};

#define RDMABLK_OP_ATTR_MAX (__RDMABLK_OP_ATTR_END - 1)

/*
 * Buckets of LATENCY, which has those up to the last that is not 0. The first is for
 * what took less than 2^SHIFT ns; then there are two for each octave, of which the
 * second begins at one and a half times the beginning of the first; the last has no
 * end.
 */
#define RDMABLK_BUCKET_SHIFT	10
#define RDMABLK_BUCKETS		56

#endif /* _UAPI_RDMABLK_GENL_H */
