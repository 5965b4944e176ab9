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

#include "goodbye.h"

/**
 * struct rdmablk_goodbye - what has not been said
 * @list: among others, or empty: somebody is about to destroy the cm_id
 * @cm_id: without a queue pair; its context is this
 */
struct rdmablk_goodbye {
	struct list_head list;
	struct rdma_cm_id *cm_id;
};

static LIST_HEAD(goodbyes);
static DEFINE_SPINLOCK(goodbyes_lock);	/* protects goodbyes, and who takes one */

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

static bool rdmablk_goodbye_take(struct rdmablk_goodbye *goodbye)
{
	bool taken;

	spin_lock(&goodbyes_lock);
	taken = !list_empty(&goodbye->list);
	list_del_init(&goodbye->list);
	spin_unlock(&goodbyes_lock);
	return taken;
}

/* The core destroys the cm_id if this says so, unless somebody else is about to. */
static int rdmablk_goodbye_event(struct rdma_cm_id *cm_id,
				 struct rdma_cm_event *event)
{
	struct rdmablk_goodbye *goodbye = cm_id->context;

	if (event->event != RDMA_CM_EVENT_DEVICE_REMOVAL ||
	    !rdmablk_goodbye_take(goodbye))
		return 0;
	kfree(goodbye);
	return 1;
}

/**
 * rdmablk_goodbye_keep() - leave the end of a connection for later
 * @cm_id: without a queue pair; rdma_lock_handler() is held, and its RDMA device is
 *	   not being removed
 *
 * Context: process.
 * Return: true if it must not be used, nor destroyed, any more; false if there is no
 * memory.
 */
bool rdmablk_goodbye_keep(struct rdma_cm_id *cm_id)
{
	struct rdmablk_goodbye *goodbye = kmalloc(sizeof(*goodbye), GFP_NOIO);

	if (!goodbye)
		return false;
	goodbye->cm_id = cm_id;
	cm_id->context = goodbye;
	cm_id->event_handler = rdmablk_goodbye_event;
	spin_lock(&goodbyes_lock);
	list_add_tail(&goodbye->list, &goodbyes);
	spin_unlock(&goodbyes_lock);
	return true;
}

/* A device may have several links. */
static bool rdmablk_goodbye_can_be_said(const struct rdmablk_goodbye *goodbye,
					const struct ib_device *ibdev)
{
	return goodbye->cm_id->device == ibdev &&
	       rdmablk_goodbye_harmless(goodbye->cm_id);
}

static struct rdmablk_goodbye *rdmablk_goodbye_next(const struct ib_device *ibdev)
{
	struct rdmablk_goodbye *goodbye;

	spin_lock(&goodbyes_lock);
	list_for_each_entry(goodbye, &goodbyes, list) {
		if (ibdev && !rdmablk_goodbye_can_be_said(goodbye, ibdev))
			continue;
		list_del_init(&goodbye->list);
		spin_unlock(&goodbyes_lock);
		return goodbye;
	}
	spin_unlock(&goodbyes_lock);
	return NULL;
}

/**
 * rdmablk_goodbyes_say() - end what was kept
 * @ibdev: messages over this device arrive; NULL: all devices, whatever becomes of it
 *
 * Context: process; waits for a running event handler.
 */
void rdmablk_goodbyes_say(const struct ib_device *ibdev)
{
	struct rdmablk_goodbye *goodbye;

	while ((goodbye = rdmablk_goodbye_next(ibdev))) {
		rdma_destroy_id(goodbye->cm_id);
		kfree(goodbye);
	}
}
