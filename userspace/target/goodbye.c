// SPDX-License-Identifier: GPL-2.0
/*
 * The end of a connection id. The connection manager tells the other end of it, which a
 * link that is down does not carry. Nor must it be tried: for Soft-RoCE since Linux 6.4
 * a packet that cannot be sent is an error of its queue pair, which here is that of the
 * connection manager itself. Nobody could connect through the device any more, until
 * somebody makes it anew.
 *
 * So an id whose link is down is kept, and ends when another connection has come about:
 * then messages arrive. Its queue pair is gone by then, and who had it has forgotten
 * it. What is still kept when the daemon ends is said in any case, by the kernel if not
 * here.
 */
#include <stdlib.h>

#include "device.h"
#include "goodbye.h"
#include "link.h"

/*
 * Of a device. One outage keeps no more than there were connections; further ones may
 * add to them if nobody connects meanwhile, or if an address does not come back.
 */
#define KEPT_MAX	16384U
#define AT_ONCE		64	/* for one connection; the others come back, too */

/**
 * struct goodbye - an id that is kept
 * @entry: in the list of its device
 * @id: the id; its context is NULL
 */
struct goodbye {
	TAILQ_ENTRY(goodbye)	entry;
	struct rdma_cm_id	*id;
};

/**
 * goodbye_now() - end a connection id
 * @id: of a request or a connection, in any state
 */
void goodbye_now(struct rdma_cm_id *id)
{
	/* Fails when there is no connection (any more): so be it. */
	rdma_disconnect(id);
	rdma_destroy_id(id);
}

static bool keep(struct device *device, struct rdma_cm_id *id)
{
	struct goodbye *goodbye;

	if (device->nr_goodbyes >= KEPT_MAX)
		return false;
	goodbye = malloc(sizeof(*goodbye));
	if (!goodbye)
		return false;
	id->context = NULL;
	goodbye->id = id;
	TAILQ_INSERT_TAIL(&device->goodbyes, goodbye, entry);
	device->nr_goodbyes++;
	return true;
}

static void say(struct device *device, struct goodbye *goodbye)
{
	TAILQ_REMOVE(&device->goodbyes, goodbye, entry);
	device->nr_goodbyes--;
	goodbye_now(goodbye->id);
	free(goodbye);
}

/**
 * goodbye_in_time() - end a connection id when its link can carry the news
 * @device: its device
 * @id: of a connection; not the caller's any more. Its events go to goodbye_event() if
 *	it is kept, and its context is NULL then.
 */
void goodbye_in_time(struct device *device, struct rdma_cm_id *id)
{
	if (device->gone || link_carries(rdma_get_local_addr(id)) ||
	    !keep(device, id))
		goodbye_now(id);
}

static struct goodbye *find(const struct device *device,
			    const struct rdma_cm_id *id)
{
	struct goodbye *goodbye;

	TAILQ_FOREACH(goodbye, &device->goodbyes, entry)
		if (goodbye->id == id)
			break;
	return goodbye;
}

/**
 * goodbye_event() - the connection manager tells something of an id that is kept
 * @daemon: the daemon
 * @id: the id
 * @event: what
 *
 * Mostly that a message of the other end has come, so that one can go there.
 */
void goodbye_event(struct daemon *daemon, struct rdma_cm_id *id,
		   enum rdma_cm_event_type event)
{
	struct device *device = device_find(daemon, id->verbs);
	struct goodbye *goodbye = device ? find(device, id) : NULL;

	if (goodbye && (event == RDMA_CM_EVENT_DEVICE_REMOVAL ||
			link_carries(rdma_get_local_addr(id))))
		say(device, goodbye);
}

/**
 * goodbye_due() - messages arrive: end some of what is kept and has a link again
 * @device: where a connection has come about
 */
void goodbye_due(struct device *device)
{
	struct goodbye *goodbye, *next;
	unsigned int budget = AT_ONCE;
	struct ifaddrs *list;

	if (!device->nr_goodbyes || getifaddrs(&list))
		return;
	TAILQ_FOREACH_SAFE(goodbye, &device->goodbyes, entry, next) {
		if (!link_in_list_carries(list, rdma_get_local_addr(goodbye->id)))
			continue;
		say(device, goodbye);
		if (!--budget)
			break;
	}
	freeifaddrs(list);
}

/**
 * goodbye_all() - end all that is kept, whatever comes of it
 * @device: which goes away, or is about to be closed
 */
void goodbye_all(struct device *device)
{
	struct goodbye *goodbye, *next;

	TAILQ_FOREACH_SAFE(goodbye, &device->goodbyes, entry, next)
		say(device, goodbye);
}
