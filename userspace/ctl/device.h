/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device as the kernel describes it: the attributes of one GET answer or
 * event, kept as they came.
 */
#ifndef RBDCTL_DEVICE_H
#define RBDCTL_DEVICE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addr.h"
#include "exits.h"
#include "genl.h"
#include "uapi/rdmablk_genl.h"

#define DEVICE_NAME_MAX	32	/* "rdmablk" and any number, NUL included */

/**
 * struct device - see above
 * @attrs: copies; NULL where the kernel sent none
 */
struct device {
	struct nlattr *attrs[RDMABLK_ATTR_MAX + 1];
};

/**
 * struct devices - all devices, ordered by index
 * @list: the devices
 * @count: how many
 */
struct devices {
	struct device *list;
	size_t count;
};

int device_get(struct genl *genl, uint32_t index, struct device *device);
void device_free(struct device *device);
int devices_get(struct genl *genl, struct devices *devices);
enum rbdctl_exit devices_open(struct genl **genl, struct devices *devices);
enum rbdctl_exit devices_find(struct devices *devices);
const struct device *devices_of_export(const struct devices *devices,
				       const char *target, const char *export);
void devices_free(struct devices *devices);

bool device_has(const struct device *device, int attr);
uint32_t device_u32(const struct device *device, int attr);
uint64_t device_u64(const struct device *device, int attr);
const char *device_text(const struct device *device, int attr);
const unsigned char *device_uuid(const struct device *device, int attr);
bool device_addr(const struct device *device, int attr, union addr *addr);

const char *device_state_text(uint32_t state);
bool device_read_only(const struct device *device);
bool device_lacks_disk(const struct device *device);
struct json_object *device_json(const struct device *device);
struct json_object *devices_json(const struct devices *devices);

#endif /* RBDCTL_DEVICE_H */
