// SPDX-License-Identifier: GPL-2.0
/*
 * A device as the kernel describes it. See device.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "device.h"
#include "family.h"
#include "report.h"

#define DUMP_TRIES 10	/* of a list that changes while it is read */

static int device_copy(struct device *device, struct nlattr **attrs)
{
	size_t size;
	int i;

	for (i = 0; i <= RDMABLK_ATTR_MAX; i++) {
		if (!attrs[i])
			continue;
		/* One byte more, zero: the kernel's strings need not end. */
		size = NLA_HDRLEN + (size_t)nla_len(attrs[i]);
		device->attrs[i] = calloc(1, size + 1);
		if (!device->attrs[i])
			return -ENOMEM;
		memcpy(device->attrs[i], attrs[i], size);
	}
	return 0;
}

/**
 * device_free() - release what a device holds
 * @device: the device; may be used again afterwards
 */
void device_free(struct device *device)
{
	int i;

	for (i = 0; i <= RDMABLK_ATTR_MAX; i++)
		free(device->attrs[i]);
	memset(device, 0, sizeof(*device));
}

/**
 * struct answer - collects devices while a message is read
 * @devices: filled in
 * @err: negative errno
 */
struct answer {
	struct devices devices;
	int err;
};

static void add_device(struct nlattr **attrs, void *data)
{
	struct answer *answer = data;
	struct devices *devices = &answer->devices;
	struct device *list;

	if (answer->err || !attrs[RDMABLK_ATTR_INDEX])
		return;
	list = reallocarray(devices->list, devices->count + 1, sizeof(*list));
	if (!list) {
		answer->err = -ENOMEM;
		return;
	}
	devices->list = list;
	memset(&list[devices->count], 0, sizeof(*list));
	answer->err = device_copy(&list[devices->count++], attrs);
}

/**
 * device_get() - ask for one device
 * @genl: the module's family
 * @index: which
 * @device: filled in on success; released with device_free()
 *
 * Return: 0; -ENODEV when there is none; another negative errno.
 */
int device_get(struct genl *genl, uint32_t index, struct device *device)
{
	struct answer answer = { 0 };
	struct nl_msg *msg;
	int err;

	/* The kernel would call such a number invalid. */
	if (index >= RDMABLK_DEVICES_MAX)
		return -ENODEV;
	msg = genl_request(genl, RDMABLK_CMD_GET);
	if (!msg)
		return -ENOMEM;
	nla_put_u32(msg, RDMABLK_ATTR_INDEX, index);
	err = genl_call(genl, msg, add_device, &answer);
	if (!err)
		err = answer.err;
	if (!err && answer.devices.count != 1)
		err = -EPROTO;
	if (!err) {
		*device = answer.devices.list[0];
		answer.devices.count = 0;
	}
	devices_free(&answer.devices);
	return err;
}

static int by_index(const void *a, const void *b)
{
	uint32_t first = device_u32(a, RDMABLK_ATTR_INDEX);
	uint32_t second = device_u32(b, RDMABLK_ATTR_INDEX);

	return first < second ? -1 : first > second;
}

/**
 * devices_get() - ask for all devices
 * @genl: the module's family
 * @devices: filled in on success; released with devices_free()
 *
 * Return: 0, or a negative errno.
 */
int devices_get(struct genl *genl, struct devices *devices)
{
	int err, tries = DUMP_TRIES;

	do {
		struct answer answer = { 0 };

		err = genl_dump(genl, RDMABLK_CMD_GET, add_device, &answer);
		if (!err)
			err = answer.err;
		*devices = answer.devices;
		if (err)
			devices_free(devices);
	} while (err == -EAGAIN && --tries);

	if (!err && devices->count)
		qsort(devices->list, devices->count, sizeof(*devices->list),
		      by_index);
	return err;
}

/**
 * devices_open() - all devices, and the family to do something with them
 * @genl: set to the module's family; NULL without the module, which has no devices
 * @devices: filled in on success; released with devices_free()
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit devices_open(struct genl **genl, struct devices *devices)
{
	int err = family_open(genl);

	if (err == -ENOENT)
		return EXIT_OK;
	if (!err)
		err = devices_get(*genl, devices);
	return err ? family_fail(*genl, err, "cannot list the devices")
		   : EXIT_OK;
}

/**
 * devices_find() - all devices, or why they cannot be listed
 * @devices: filled in on success; released with devices_free()
 *
 * Without the module there are none, which is said.
 *
 * Return: EXIT_OK, or how to exit after the failure was printed.
 */
enum rbdctl_exit devices_find(struct devices *devices)
{
	CLEANUP_GENL struct genl *genl = NULL;
	enum rbdctl_exit code = devices_open(&genl, devices);

	if (!code && !genl)
		note("the rdmablk module is not loaded: there are no devices");
	return code;
}

/**
 * devices_of_export() - is this export attached?
 * @devices: all devices
 * @target: the target as it was written when it was attached
 * @export: name of the export
 *
 * Return: the device, or NULL.
 */
const struct device *devices_of_export(const struct devices *devices,
				       const char *target, const char *export)
{
	const struct device *device;
	size_t i;

	for (i = 0; i < devices->count; i++) {
		device = &devices->list[i];
		if (device_u32(device, RDMABLK_ATTR_STATE) !=
		    RDMABLK_STATE_DELETING &&
		    !strcmp(device_text(device, RDMABLK_ATTR_TARGET_NAME), target) &&
		    !strcmp(device_text(device, RDMABLK_ATTR_EXPORT), export))
			return device;
	}
	return NULL;
}

/**
 * devices_free() - release a list of devices
 * @devices: the list
 */
void devices_free(struct devices *devices)
{
	size_t i;

	for (i = 0; i < devices->count; i++)
		device_free(&devices->list[i]);
	free(devices->list);
	memset(devices, 0, sizeof(*devices));
}

/**
 * device_has() - did the kernel say anything about this?
 * @device: the device
 * @attr: enum rdmablk_genl_attr
 *
 * Return: true if it did.
 */
bool device_has(const struct device *device, int attr)
{
	return device->attrs[attr];
}

/**
 * device_u32() - value of an attribute
 * @device: the device
 * @attr: enum rdmablk_genl_attr, one that is a u32
 *
 * Return: the value, zero if there is none.
 */
uint32_t device_u32(const struct device *device, int attr)
{
	return device->attrs[attr] ? nla_get_u32(device->attrs[attr]) : 0;
}

/**
 * device_u64() - value of an attribute
 * @device: the device
 * @attr: enum rdmablk_genl_attr, one that is a u64
 *
 * Return: the value, zero if there is none.
 */
uint64_t device_u64(const struct device *device, int attr)
{
	return device->attrs[attr] ? nla_get_u64(device->attrs[attr]) : 0;
}

/**
 * device_text() - value of an attribute
 * @device: the device
 * @attr: enum rdmablk_genl_attr, one that is a string
 *
 * Return: the value, empty if there is none.
 */
const char *device_text(const struct device *device, int attr)
{
	return device->attrs[attr] ? nla_data(device->attrs[attr]) : "";
}

/**
 * device_uuid() - value of an attribute
 * @device: the device
 * @attr: enum rdmablk_genl_attr, one that has 16 bytes
 *
 * Return: the 16 bytes, NULL if there are none.
 */
const unsigned char *device_uuid(const struct device *device, int attr)
{
	return device->attrs[attr] ? nla_data(device->attrs[attr]) : NULL;
}

/**
 * device_addr() - value of an attribute
 * @device: the device
 * @attr: enum rdmablk_genl_attr, one that is an address
 * @addr: set to the address
 *
 * Return: false when there is none, or none of a kind that is known here.
 */
bool device_addr(const struct device *device, int attr, union addr *addr)
{
	size_t len;

	if (!device->attrs[attr])
		return false;
	len = (size_t)nla_len(device->attrs[attr]);
	if (len < sizeof(addr->in) || len > sizeof(*addr))
		return false;
	memset(addr, 0, sizeof(*addr));
	memcpy(addr, nla_data(device->attrs[attr]), len);
	return addr->sa.sa_family == AF_INET ||
	       (addr->sa.sa_family == AF_INET6 && len >= sizeof(addr->in6));
}

/**
 * device_state_text() - the word for a state
 * @state: enum rdmablk_dev_state, or what a newer module says
 *
 * Return: a constant string.
 */
const char *device_state_text(uint32_t state)
{
	static const char * const texts[] = {
		[RDMABLK_STATE_CONNECTING]	= "connecting",
		[RDMABLK_STATE_LIVE]		= "live",
		[RDMABLK_STATE_RECOVERING]	= "recovering",
		[RDMABLK_STATE_FAILED]		= "failed",
		[RDMABLK_STATE_DELETING]	= "deleting",
		[RDMABLK_STATE_GONE]		= "gone",
	};

	if (state >= ARRAY_SIZE(texts) || !texts[state])
		return "unknown";
	return texts[state];
}

/**
 * device_read_only() - is it for reading only?
 * @device: the device
 *
 * Return: true if it is.
 */
bool device_read_only(const struct device *device)
{
	return device_u32(device, RDMABLK_ATTR_FLAGS) & RDMABLK_FLAG_READ_ONLY;
}

/**
 * device_lacks_disk() - is it attached, but cannot be opened yet?
 * @device: the device
 *
 * The kernel looks for partitions then, for which the target has to answer; whoever
 * opens the device waits for that, and cannot be killed.
 *
 * Return: true if so.
 */
bool device_lacks_disk(const struct device *device)
{
	uint32_t state = device_u32(device, RDMABLK_ATTR_STATE);

	return (state == RDMABLK_STATE_LIVE ||
		state == RDMABLK_STATE_RECOVERING) &&
	       !device_u32(device, RDMABLK_ATTR_DISK_ADDED);
}
