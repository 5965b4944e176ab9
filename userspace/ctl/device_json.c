// SPDX-License-Identifier: GPL-2.0
/*
 * A device for programs. The keys are an interface, documented in
 * rbdctl-list(8): none is renamed or dropped, and each is always there, null
 * while the kernel says nothing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-id128.h>

#include "cleanup.h"
#include "device.h"
#include "durability.h"
#include "recovery.h"
#include "scope.h"

enum kind {
	KIND_U32,
	KIND_U64,
	KIND_TEXT,
	KIND_BOOL,
	KIND_UUID,
	KIND_HEX,	/* a u64 that names something: JSON numbers are too small */
	KIND_ADDR,
	KIND_STATE,
	KIND_DURABILITY,
	KIND_SCOPE,
};

static const struct {
	const char *key;
	int attr;
	enum kind kind;
} keys[] = {
	{ "name",		RDMABLK_ATTR_NAME,		KIND_TEXT },
	{ "index",		RDMABLK_ATTR_INDEX,		KIND_U32 },
	{ "id",			RDMABLK_ATTR_ID,		KIND_U64 },
	{ "state",		RDMABLK_ATTR_STATE,		KIND_STATE },
	{ "errno",		RDMABLK_ATTR_ERRNO,		KIND_U32 },
	{ "reason",		RDMABLK_ATTR_REASON,		KIND_TEXT },
	{ "target",		RDMABLK_ATTR_TARGET_NAME,	KIND_TEXT },
	{ "address",		RDMABLK_ATTR_ADDR,		KIND_ADDR },
	{ "source",		RDMABLK_ATTR_SOURCE,		KIND_ADDR },
	{ "export",		RDMABLK_ATTR_EXPORT,		KIND_TEXT },
	{ "size",		RDMABLK_ATTR_SIZE,		KIND_U64 },
	{ "logical_block_size",	RDMABLK_ATTR_LOGICAL_BLOCK,	KIND_U32 },
	{ "physical_block_size", RDMABLK_ATTR_PHYSICAL_BLOCK,	KIND_U32 },
	{ "max_io_size",	RDMABLK_ATTR_MAX_IO,		KIND_U32 },
	{ "disk_added",		RDMABLK_ATTR_DISK_ADDED,	KIND_BOOL },
	{ "openers",		RDMABLK_ATTR_OPENERS,		KIND_U32 },
	{ "durability",		RDMABLK_ATTR_DURABILITY,	KIND_DURABILITY },
	{ "write_cache",	RDMABLK_ATTR_WRITE_CACHE,	KIND_BOOL },
	{ "dirty_bytes",	RDMABLK_ATTR_DIRTY,		KIND_U64 },
	{ "flushes",		RDMABLK_ATTR_FLUSHES,		KIND_U64 },
	{ "flush_age_ms",	RDMABLK_ATTR_FLUSH_AGE,		KIND_U64 },
	{ "flush_time_us",	RDMABLK_ATTR_FLUSH_TIME,	KIND_U64 },
	{ "flush_error",	RDMABLK_ATTR_FLUSH_ERROR,	KIND_TEXT },
	{ "generation",		RDMABLK_ATTR_GENERATION,	KIND_UUID },
	{ "instance",		RDMABLK_ATTR_INSTANCE,		KIND_HEX },
	{ "session",		RDMABLK_ATTR_SESSION,		KIND_HEX },
	{ "extents",		RDMABLK_ATTR_EXTENTS,		KIND_U32 },
	{ "queues",		RDMABLK_ATTR_QUEUES,		KIND_U32 },
	{ "poll_queues",	RDMABLK_ATTR_POLL_QUEUES,	KIND_U32 },
	{ "queue_depth",	RDMABLK_ATTR_DEPTH,		KIND_U32 },
	{ "rdma_device",	RDMABLK_ATTR_IBDEV,		KIND_TEXT },
	{ "rdma_port",		RDMABLK_ATTR_IBPORT,		KIND_U32 },
	{ "transport",		RDMABLK_ATTR_TRANSPORT,		KIND_TEXT },
	{ "key",		RDMABLK_ATTR_KEY,		KIND_TEXT },
	{ "authenticated_with",	RDMABLK_ATTR_PROVEN,		KIND_TEXT },
	{ "remote_keys",	RDMABLK_ATTR_KEY_SCOPE,		KIND_SCOPE },
	{ "connect_timeout_ms",	RDMABLK_ATTR_CONNECT_TMO,	KIND_U32 },
	{ "keep_alive_s",	RDMABLK_ATTR_KEEP_ALIVE_TMO,	KIND_U32 },
	{ "reconnect_delay_s",	RDMABLK_ATTR_RECONNECT_DELAY,	KIND_U32 },
	{ "dev_loss_timeout_s",	RDMABLK_ATTR_DEV_LOSS_TMO,	KIND_U32 },
	{ "fast_io_fail_timeout_s", RDMABLK_ATTR_FAST_IO_FAIL_TMO, KIND_U32 },
	{ "request_timeout_s",	RDMABLK_ATTR_REQUEST_TMO,	KIND_U32 },
	{ "sync_interval_s",	RDMABLK_ATTR_SYNC_INTERVAL,	KIND_U32 },
	{ "attempts",		RDMABLK_ATTR_ATTEMPTS,		KIND_U32 },
	{ "next_attempt_in_ms",	RDMABLK_ATTR_NEXT_ATTEMPT_IN,	KIND_U64 },
	{ "io_fails_in_ms",	RDMABLK_ATTR_IO_FAILS_IN,	KIND_U64 },
	{ "gives_up_in_ms",	RDMABLK_ATTR_GIVE_UP_IN,	KIND_U64 },
	{ "reconnects",		RDMABLK_ATTR_RECONNECTS,	KIND_U32 },
	{ "module_version",	RDMABLK_ATTR_MODULE_VERSION,	KIND_TEXT },
};

static struct json_object *uuid_json(const struct device *device, int attr)
{
	char text[SD_ID128_UUID_STRING_MAX];
	sd_id128_t id;

	memcpy(id.bytes, device_uuid(device, attr), sizeof(id.bytes));
	return json_object_new_string(sd_id128_to_uuid_string(id, text));
}

static struct json_object *hex_json(const struct device *device, int attr)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%016" PRIx64, device_u64(device, attr));
	return json_object_new_string(text);
}

static struct json_object *addr_json(const struct device *device, int attr)
{
	char text[ADDR_TEXT_MAX];
	union addr addr;

	if (!device_addr(device, attr, &addr))
		return NULL;
	/* The port that a connect comes from says nothing. */
	return json_object_new_string(attr == RDMABLK_ATTR_SOURCE ?
		addr_host_text(&addr, text) : addr_text(&addr, text));
}

static struct json_object *value_json(const struct device *device, int attr,
				      enum kind kind)
{
	if (!device_has(device, attr))
		return NULL;
	switch (kind) {
	case KIND_U32:
		return json_object_new_int64(device_u32(device, attr));
	case KIND_U64:
		return json_object_new_uint64(device_u64(device, attr));
	case KIND_TEXT:
		return json_object_new_string(device_text(device, attr));
	case KIND_BOOL:
		return json_object_new_boolean(device_u32(device, attr) != 0);
	case KIND_UUID:
		return uuid_json(device, attr);
	case KIND_HEX:
		return hex_json(device, attr);
	case KIND_ADDR:
		return addr_json(device, attr);
	case KIND_STATE:
		return json_object_new_string(
			device_state_text(device_u32(device, attr)));
	case KIND_DURABILITY:
		return json_object_new_string(
			durability_word(device_u32(device, attr)));
	case KIND_SCOPE:
		return scope_word(device_u32(device, attr)) ?
			json_object_new_string(
				scope_word(device_u32(device, attr))) : NULL;
	}
	return NULL;
}

/**
 * device_json() - describe a device for programs
 * @device: the device
 *
 * Return: an object that the caller puts.
 */
struct json_object *device_json(const struct device *device)
{
	struct json_object *json = json_object_new_object();
	char node[DEVICE_NAME_MAX + 8];
	size_t i;

	snprintf(node, sizeof(node), "/dev/rdmablk%u",
		 device_u32(device, RDMABLK_ATTR_INDEX));
	json_object_object_add(json, "device", json_object_new_string(node));
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		json_object_object_add(json, keys[i].key,
			value_json(device, keys[i].attr, keys[i].kind));
	json_object_object_add(json, "gives_up_at",
			       recovery_gives_up_json(device));
	json_object_object_add(json, "read_only",
		json_object_new_boolean(device_read_only(device)));
	return json;
}

/**
 * devices_json() - describe all devices for programs
 * @devices: the devices
 *
 * Return: an array that the caller puts.
 */
struct json_object *devices_json(const struct devices *devices)
{
	struct json_object *json = json_object_new_array();
	size_t i;

	for (i = 0; i < devices->count; i++)
		json_object_array_add(json, device_json(&devices->list[i]));
	return json;
}
