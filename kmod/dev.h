/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device: from ATTACH to GONE. Holds the list of devices, their reference
 * counts and the state machine; Documentation/design.rst has the picture.
 */
#ifndef RDMABLK_DEV_H
#define RDMABLK_DEV_H

#include <linux/kref.h>
#include <linux/workqueue.h>

#include "disk.h"
#include "opts.h"
#include "reason.h"
#include "session.h"
#include "uapi/rdmablk_genl.h"

/**
 * struct rdmablk_path - what a live session runs over, for people
 * @ibdev: name of the RDMA device
 * @port: of the device
 * @transport: "InfiniBand" or "RoCE"
 * @key: name of the key that both ends have proved to have; empty: nobody proved
 *	 anything
 * @nr_queues: data queues connected
 */
struct rdmablk_path {
	char ibdev[IB_DEVICE_NAME_MAX];
	u32 port;
	const char *transport;
	char key[RDMABLK_HOST_MAX];
	u32 nr_queues;
};

/**
 * struct rdmablk_recovery - how the present recovery is doing, or the last one
 * @down: the path is: no card touches the pages of a request. The deadlines count
 *	  as long as this is so
 * @waits: for the next attempt; else one is under way
 * @attempts: that have begun
 * @since: jiffies when it began
 * @hope_at: jiffies when something last spoke for the path being back; @since, until
 *	     something does
 * @live_at: jiffies when the path last came up
 * @failed_at: jiffies when the latest attempt failed
 * @next_at: jiffies when the next one begins, if it @waits
 */
struct rdmablk_recovery {
	bool down;
	bool waits;
	u32 attempts;
	unsigned long since;
	unsigned long hope_at;
	unsigned long live_at;
	unsigned long failed_at;
	unsigned long next_at;
};

/**
 * struct rdmablk_dev - a device
 * @index: N of rdmablkN, free for others once @named is zero
 * @named: who has the name: the list, and the gendisk as long as somebody holds it
 * @id: of this device and no other as long as the module is loaded
 * @name: "rdmablkN"
 * @ref: one for the list, one for the gendisk, one for each user of
 *	 rdmablk_dev_get()
 * @opts: what the operator asked for
 * @lock: protects @state, @reason, @reconnects, @recovery, @grant, @path, the
 *	  settings in @opts and whether @disk is shown, and that @disk stays while
 *	  @state says so
 * @state: changed by rdmablk_dev_set_state() only
 * @reason: why @state is what it is
 * @reconnects: recoveries that succeeded
 * @recovery: the present one
 * @lost_lock: protects @lost and @lost_reason; taken in any context
 * @lost: the path broke and recovery has not started yet
 * @lost_reason: by the first who noticed
 * @work: does what @state asks for; nothing else starts or stops the session
 * @add_work: makes the disk visible: may read from it, so must not be @work
 * @uevent_work: tells udev size and state: allocates memory, so must not be @work
 * @keep_alive_work: asks the target whether it is there, while live
 * @deadline_work: ends the waiting, while recovering
 * @session: the path
 * @grant: of the latest live session; recovery compares against it
 * @path: of the latest live session; no queues: there was none yet
 * @disk: gendisk and tag set
 * @quiesced: recovery holds the block layer's queues; changed by @work, and with
 *	      @lock held by @deadline_work while @recovery is down
 */
struct rdmablk_dev {
	u32 index;
	atomic_t named;
	u64 id;
	char name[DISK_NAME_LEN];
	struct kref ref;
	struct rdmablk_opts opts;

	struct mutex lock;
	enum rdmablk_dev_state state;
	struct rdmablk_reason reason;
	u32 reconnects;
	struct rdmablk_recovery recovery;

	spinlock_t lost_lock;
	bool lost;
	struct rdmablk_reason lost_reason;

	struct delayed_work work;
	struct work_struct add_work;
	struct work_struct uevent_work;
	struct delayed_work keep_alive_work;
	struct delayed_work deadline_work;

	struct rdmablk_session session;
	struct rdmablk_grant grant;
	struct rdmablk_path path;
	struct rdmablk_disk disk;
	bool quiesced;
};

/**
 * enum rdmablk_detach - what a detach need not wait for
 * @RDMABLK_DETACH_IDLE: only when nobody has the device open
 * @RDMABLK_DETACH_OPEN: also when it is open; its holders get I/O errors
 * @RDMABLK_DETACH_NOW: likewise, and the target is not told
 */
enum rdmablk_detach {
	RDMABLK_DETACH_IDLE,
	RDMABLK_DETACH_OPEN,
	RDMABLK_DETACH_NOW,
};

int rdmablk_dev_create(const struct rdmablk_opts *opts,
		       struct rdmablk_dev **devp,
		       struct rdmablk_reason *reason);
int rdmablk_dev_detach(struct rdmablk_dev *dev, enum rdmablk_detach how,
		       struct rdmablk_reason *reason);
struct rdmablk_dev *rdmablk_dev_get(u32 index);
struct rdmablk_dev *rdmablk_dev_get_next(u32 *index);
void rdmablk_dev_put(struct rdmablk_dev *dev);
void rdmablk_dev_name_get(struct rdmablk_dev *dev);
void rdmablk_dev_name_put(struct rdmablk_dev *dev);
void rdmablk_dev_forget(struct rdmablk_dev *dev);
bool rdmablk_dev_wait_none(u32 timeout_ms);
void rdmablk_dev_exit(void);

/* state.c */
const char *rdmablk_state_name(enum rdmablk_dev_state state);
bool rdmablk_dev_set_state_locked(struct rdmablk_dev *dev,
				  enum rdmablk_dev_state state,
				  const struct rdmablk_reason *reason);
bool rdmablk_dev_set_state(struct rdmablk_dev *dev,
			   enum rdmablk_dev_state state,
			   const struct rdmablk_reason *reason);
bool rdmablk_dev_go_live(struct rdmablk_dev *dev);
void rdmablk_dev_show(struct rdmablk_dev *dev);
bool rdmablk_dev_has_disk(const struct rdmablk_dev *dev);
unsigned int rdmablk_dev_openers(const struct rdmablk_dev *dev);
void rdmablk_dev_lost(struct rdmablk_dev *dev, int error, const char *why);
bool rdmablk_dev_take_lost(struct rdmablk_dev *dev,
			   struct rdmablk_reason *reason);

/* work.c */
int rdmablk_work_init(void);
void rdmablk_work_exit(void);
void rdmablk_dev_init_work(struct rdmablk_dev *dev);
void rdmablk_dev_kick(struct rdmablk_dev *dev);
void rdmablk_dev_queue_work(struct rdmablk_dev *dev,
			    enum rdmablk_dev_state state, unsigned long delay);
void rdmablk_dev_queue_work_locked(struct rdmablk_dev *dev, unsigned long delay);
void rdmablk_dev_queue_uevent(struct rdmablk_dev *dev);
void rdmablk_dev_queue_deadline(struct rdmablk_dev *dev, unsigned long delay);
void rdmablk_dev_queue_keep_alive(struct rdmablk_dev *dev, unsigned long delay);
void rdmablk_work_queue_link(struct delayed_work *work);
void rdmablk_work_queue_slow(struct work_struct *work);
void rdmablk_work_queue_slow_delayed(struct delayed_work *work,
				     unsigned long delay);
void rdmablk_work_queue_idle_delayed(struct delayed_work *work,
				     unsigned long delay);

/* The target's word that we must not come back: fenced, removed, not allowed. */
static inline bool rdmablk_error_is_final(int error)
{
	return error == -ESTALE || error == -ENOENT || error == -EACCES;
}

static inline struct rdmablk_dev *
rdmablk_session_dev(struct rdmablk_session *session)
{
	return container_of(session, struct rdmablk_dev, session);
}

/* recover.c: the steps of the work. */
void rdmablk_recover_begin(struct rdmablk_dev *dev);
void rdmablk_recover_attempt(struct rdmablk_dev *dev);
void rdmablk_recover_fail_locked(struct rdmablk_dev *dev,
				 const struct rdmablk_reason *reason);
void rdmablk_recover_retime_locked(struct rdmablk_dev *dev);
void rdmablk_recover_hope(struct rdmablk_dev *dev);

/* keep_alive.c */
void rdmablk_keep_alive_start(struct rdmablk_dev *dev);
void rdmablk_keep_alive_now(struct rdmablk_dev *dev);
void rdmablk_keep_alive_work(struct work_struct *work);

/* deadline.c */
unsigned long rdmablk_jiffies_left(unsigned long at);
u64 rdmablk_deadline_left_ms(const struct rdmablk_dev *dev, u32 tmo);
void rdmablk_deadline_work(struct work_struct *work);

/* link.c */
int rdmablk_link_init(void);
void rdmablk_link_exit(void);

/* reboot.c */
int rdmablk_reboot_init(void);
void rdmablk_reboot_exit(void);

/* settings.c */
int rdmablk_settings_check(const struct rdmablk_settings *settings,
			   struct rdmablk_reason *reason);
void rdmablk_dev_set_locked(struct rdmablk_dev *dev,
			    const struct rdmablk_settings *settings);

#endif /* RDMABLK_DEV_H */
