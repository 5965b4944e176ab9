/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the operator asked for when a device was attached. Constant afterwards,
 * but for the settings, which SET changes.
 */
#ifndef RDMABLK_OPTS_H
#define RDMABLK_OPTS_H

#include "conn.h"
#include "uapi/rdmablk_genl.h"

struct key;

/* Defaults, used where ATTACH does not say otherwise. */
#define RDMABLK_DEPTH_DEFAULT		128
#define RDMABLK_CONNECT_TMO_DEFAULT	5000	/* ms */
#define RDMABLK_KEEP_ALIVE_DEFAULT	15	/* seconds */
#define RDMABLK_RECONNECT_DEFAULT	2	/* seconds */
#define RDMABLK_FAST_IO_FAIL_DEFAULT	0	/* seconds */
#define RDMABLK_DEV_LOSS_DEFAULT	600	/* seconds */
#define RDMABLK_REQUEST_DEFAULT		30	/* seconds */
#define RDMABLK_SYNC_DEFAULT		5	/* seconds */

/* As netlink may set them. */
#define RDMABLK_CONNECT_TMO_MAX		60000	/* ms */
#define RDMABLK_SECONDS_MAX		86400

/**
 * struct rdmablk_settings - how failures are noticed, and how they are recovered
 * @keep_alive_tmo: seconds of silence after which a path is given up; 0: never
 * @reconnect_delay: seconds after the first attempt of a recovery; see delay.c
 *		     for those that follow
 * @fast_io_fail_tmo: seconds of a recovery after which I/O fails until the path
 *		      is back; 0: never
 * @dev_loss_tmo: seconds after which a recovery gives up; 0: never
 * @request_tmo: seconds after which a request takes the path down
 * @sync_interval: seconds after which the target's write cache is cleaned; 0:
 *		   never
 */
struct rdmablk_settings {
	u32 keep_alive_tmo;
	u32 reconnect_delay;
	u32 fast_io_fail_tmo;
	u32 dev_loss_tmo;
	u32 request_tmo;
	u32 sync_interval;
};

/**
 * struct rdmablk_opts - how to attach
 * @addr: target, source and time-out of a connect step
 * @target: the target as the user wrote it
 * @export: name of the export
 * @flags: RDMABLK_FLAG_*
 * @nr_queues: data queues wanted
 * @nr_poll_queues: the last of them, which are polled
 * @depth: requests in flight wanted on each
 * @key: what to authenticate with, or NULL; only until the device is made: its
 *	 session has a reference of its own
 * @key_name: name of @key
 * @host_id: UUID of this host
 * @life: of this host, as targets are told: see rdmablk_dev_insert()
 * @host_name: this host's name, for the target's operators
 * @settings: of an attached device they are written with its lock held, and
 *	      WRITE_ONCE(); whoever reads them without takes each for itself,
 *	      with READ_ONCE()
 */
struct rdmablk_opts {
	struct rdmablk_conn_addr addr;
	char target[RDMABLK_NAME_MAX];
	char export[RDMABLK_NAME_MAX];
	u32 flags;
	u32 nr_queues;
	u32 nr_poll_queues;
	u32 depth;
	struct key *key;
	char key_name[RDMABLK_HOST_MAX];
	u8 host_id[RDMABLK_UUID_SIZE];
	u64 life;
	char host_name[RDMABLK_HOST_MAX];
	struct rdmablk_settings settings;
};

/* How many of the first @nr data queues are polled. */
static inline u32 rdmablk_opts_polled(const struct rdmablk_opts *opts, u32 nr)
{
	u32 others = opts->nr_queues - opts->nr_poll_queues;

	return nr > others ? nr - others : 0;
}

#endif /* RDMABLK_OPTS_H */
