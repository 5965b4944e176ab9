// SPDX-License-Identifier: GPL-2.0
/*
 * Ends of connections that the other end is told of later.
 *
 * To destroy the cm_id of a connection is to send a message. Where a link is down that
 * is of no use, and with Soft-RoCE does harm: a message that cannot be sent breaks the
 * queue pair that all messages of the connection manager go through (rxe_req.c, err:),
 * since 6.4 for whatever reason, before that if interface or route are gone.
 * Until the RDMA device is made anew nobody on this host can connect, nor be connected
 * to: mad.c brings only a queue pair back whose receive queue still works. So a cm_id
 * is kept when its link is down, without its queue pair, until a connection over the
 * same RDMA device shows that messages arrive.
 */
#include <linux/etherdevice.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#include "dev.h"
#include "goodbye.h"

/* An outage leaves no more than there were connections, but a link may flap for days. */
#define RDMABLK_GOODBYES_MAX	4096

/**
 * struct rdmablk_goodbye - what has not been said
 * @list: among others
 * @cm_id: without a queue pair; its context is this
 * @removed: its RDMA device is being removed, and waits for its end
 */
struct rdmablk_goodbye {
	struct list_head list;
	struct rdma_cm_id *cm_id;
	bool removed;
};

static LIST_HEAD(goodbyes);
static unsigned int nr_goodbyes;
static DEFINE_SPINLOCK(goodbyes_lock);	/* protects both */

/* What goes to an address of the same interface does not leave by it. */
static bool rdmablk_link_loops(const struct rdma_dev_addr *addr)
{
	return ether_addr_equal_unaligned(addr->src_dev_addr, addr->dst_dev_addr);
}

static bool rdmablk_netdev_carries(const struct net_device *netdev,
				   const struct rdma_dev_addr *addr)
{
	return netif_running(netdev) &&
	       (netif_carrier_ok(netdev) || rdmablk_link_loops(addr));
}

/* @lost: the answer if the address is gone. */
static bool rdmablk_link_ask(const struct rdma_cm_id *cm_id, bool lost)
{
	const struct rdma_dev_addr *addr = &cm_id->route.addr.dev_addr;
	const struct net_device *netdev;
	bool answer;

	if (!addr->sgid_attr ||
	    !rdma_protocol_roce(cm_id->device, cm_id->port_num))
		return true;
	rcu_read_lock();
	netdev = rdma_read_gid_attr_ndev_rcu(addr->sgid_attr);
	answer = IS_ERR(netdev) ? lost : rdmablk_netdev_carries(netdev, addr);
	rcu_read_unlock();
	return answer;
}

/**
 * rdmablk_link_carries() - can messages be sent where a connection is to be?
 * @cm_id: its address is resolved
 *
 * Looks at what is cleared before the first packet fails. Of InfiniBand the network
 * interface says nothing.
 *
 * Context: any.
 * Return: false if the interface is down or has lost the address, or has no carrier and
 * needs one.
 */
bool rdmablk_link_carries(const struct rdma_cm_id *cm_id)
{
	return rdmablk_link_ask(cm_id, false);
}

/**
 * rdmablk_goodbye_harmless() - may a connection's end be said now?
 * @cm_id: its address is resolved
 *
 * Where the address is gone nothing is sent: rdma_create_ah() fails for RoCE v2 with a
 * flow label, which all have that the connection manager makes. Nor will anything ever
 * be, as an address that comes back has another place in the table of GIDs, and the old
 * one is free only when the cm_id is destroyed.
 *
 * Context: any.
 * Return: false if the interface would be given a packet that it cannot send.
 */
bool rdmablk_goodbye_harmless(const struct rdma_cm_id *cm_id)
{
	return rdmablk_link_ask(cm_id, true);
}

static bool rdmablk_goodbye_is_due(const struct rdmablk_goodbye *goodbye,
				   const struct ib_device *ibdev)
{
	return READ_ONCE(goodbye->removed) ||
	       (goodbye->cm_id->device == ibdev &&
		rdmablk_goodbye_harmless(goodbye->cm_id));
}

/* Off the list, so that it is the caller's; NULL: there is none. */
static struct rdmablk_goodbye *rdmablk_goodbye_take(const struct ib_device *ibdev,
						    bool any)
{
	struct rdmablk_goodbye *goodbye, *taken = NULL;

	spin_lock(&goodbyes_lock);
	list_for_each_entry(goodbye, &goodbyes, list) {
		if (!any && !rdmablk_goodbye_is_due(goodbye, ibdev))
			continue;
		list_del(&goodbye->list);
		nr_goodbyes--;
		taken = goodbye;
		break;
	}
	spin_unlock(&goodbyes_lock);
	return taken;
}

/* Waits for the event handler, which may just have been told of a removal. */
static void rdmablk_goodbye_say(struct rdmablk_goodbye *goodbye)
{
	rdma_destroy_id(goodbye->cm_id);
	kfree(goodbye);
}

static void rdmablk_goodbye_work(struct work_struct *work)
{
	rdmablk_goodbyes_say(NULL);
}

static DECLARE_DELAYED_WORK(goodbye_work, rdmablk_goodbye_work);

/*
 * Returns zero, and has somebody else destroy the cm_id: if the core did, nothing
 * would keep the module until this has returned.
 */
static int rdmablk_goodbye_event(struct rdma_cm_id *cm_id,
				 struct rdma_cm_event *event)
{
	struct rdmablk_goodbye *goodbye = cm_id->context;

	if (event->event == RDMA_CM_EVENT_DEVICE_REMOVAL) {
		WRITE_ONCE(goodbye->removed, true);
		rdmablk_work_queue_idle_delayed(&goodbye_work, 0);
	}
	return 0;
}

/**
 * rdmablk_goodbye_keep() - leave the end of a connection for later
 * @cm_id: without a queue pair; rdma_lock_handler() is held, and its RDMA device is
 *	   not being removed
 *
 * Context: process.
 * Return: true if it must not be used, nor destroyed, any more; false if there is no
 * room.
 */
bool rdmablk_goodbye_keep(struct rdma_cm_id *cm_id)
{
	struct rdmablk_goodbye *goodbye = kzalloc(sizeof(*goodbye), GFP_NOIO);
	bool kept;

	if (!goodbye)
		return false;
	goodbye->cm_id = cm_id;
	spin_lock(&goodbyes_lock);
	kept = nr_goodbyes < RDMABLK_GOODBYES_MAX;
	if (kept) {
		cm_id->context = goodbye;
		cm_id->event_handler = rdmablk_goodbye_event;
		list_add_tail(&goodbye->list, &goodbyes);
		nr_goodbyes++;
	}
	spin_unlock(&goodbyes_lock);
	if (!kept)
		kfree(goodbye);
	return kept;
}

/**
 * rdmablk_goodbyes_say() - end what was kept
 * @ibdev: messages over this device arrive; NULL: only what a removal waits for
 *
 * A device may have several links: each is looked at.
 *
 * Context: process; waits for a running event handler.
 */
void rdmablk_goodbyes_say(const struct ib_device *ibdev)
{
	struct rdmablk_goodbye *goodbye;

	while ((goodbye = rdmablk_goodbye_take(ibdev, false)))
		rdmablk_goodbye_say(goodbye);
}

/**
 * rdmablk_goodbyes_exit() - end all that was kept, whatever becomes of it
 *
 * Context: process; no device is left, and nothing is kept any more.
 */
void rdmablk_goodbyes_exit(void)
{
	struct rdmablk_goodbye *goodbye;

	while ((goodbye = rdmablk_goodbye_take(NULL, true)))
		rdmablk_goodbye_say(goodbye);
	cancel_delayed_work_sync(&goodbye_work);
}
