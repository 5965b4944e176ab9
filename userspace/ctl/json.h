/* SPDX-License-Identifier: GPL-2.0 */
/* Members of JSON objects that may be missing. */
#ifndef RBDCTL_JSON_H
#define RBDCTL_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/* Of any type, as text; empty when it is missing. */
static inline const char *json_text(struct json_object *object,
				    const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return value ? json_object_get_string(value) : "";
}

/* Zero when it is missing. */
static inline uint64_t json_number(struct json_object *object,
				   const char *key)
{
	return json_object_get_uint64(json_object_object_get(object, key));
}

/* False when it is missing. */
static inline bool json_flag(struct json_object *object, const char *key)
{
	return json_object_get_boolean(json_object_object_get(object, key));
}

#endif /* RBDCTL_JSON_H */
