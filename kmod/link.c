// SPDX-License-Identifier: GPL-2.0
/*
 * A network interface of this host comes up, or gets an address: the path of a
 * device that waits for its next attempt may be back.
 *
 * Which interface a path takes is for the routes to say, and these may change with
 * it: so every device that waits is told of each. It costs an attempt now and then.
 */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <net/addrconf.h>
#include <net/net_namespace.h>

#include "dev.h"

static void rdmablk_link_work(struct work_struct *work)
{
	struct rdmablk_dev *dev;
	u32 index;

	for (index = 0; (dev = rdmablk_dev_get_next(&index)); index++) {
		rdmablk_recover_hope(dev);
		rdmablk_dev_put(dev);
	}
}

static DECLARE_DELAYED_WORK(link_work, rdmablk_link_work);

static int rdmablk_link_event(struct notifier_block *block, unsigned long event,
			      void *info)
{
	const struct net_device *netdev = netdev_notifier_info_to_dev(info);

	if (!net_eq(dev_net(netdev), &init_net))
		return NOTIFY_DONE;
	if (event == NETDEV_UP ||
	    (event == NETDEV_CHANGE && netif_carrier_ok(netdev)))
		rdmablk_work_queue_link(&link_work);
	return NOTIFY_DONE;
}

/* Of both families; those of IPv6 are told in atomic context. */
static int rdmablk_link_address(struct notifier_block *block,
				unsigned long event, void *address)
{
	if (event == NETDEV_UP)
		rdmablk_work_queue_link(&link_work);
	return NOTIFY_DONE;
}

static struct notifier_block link_block = {
	.notifier_call = rdmablk_link_event,
};

static struct notifier_block link_inet_block = {
	.notifier_call = rdmablk_link_address,
};

static struct notifier_block link_inet6_block = {
	.notifier_call = rdmablk_link_address,
};

/**
 * rdmablk_link_init() - listen to the network
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int rdmablk_link_init(void)
{
	int err;

	err = register_netdevice_notifier(&link_block);
	if (err)
		return err;
	err = register_inetaddr_notifier(&link_inet_block);
	if (err)
		goto unregister_netdevice;
	err = register_inet6addr_notifier(&link_inet6_block);
	if (err)
		goto unregister_inetaddr;
	return 0;

unregister_inetaddr:
	unregister_inetaddr_notifier(&link_inet_block);
unregister_netdevice:
	unregister_netdevice_notifier(&link_block);
	cancel_delayed_work_sync(&link_work);
	return err;
}

/**
 * rdmablk_link_exit() - do not listen any more
 *
 * Context: process; waits for what was heard.
 */
void rdmablk_link_exit(void)
{
	unregister_inet6addr_notifier(&link_inet6_block);
	unregister_inetaddr_notifier(&link_inet_block);
	unregister_netdevice_notifier(&link_block);
	cancel_delayed_work_sync(&link_work);
}
