/* SPDX-License-Identifier: GPL-2.0 */
/* An export as a JSON object. */
#ifndef RDMABLKD_EXPORT_JSON_H
#define RDMABLKD_EXPORT_JSON_H

#include <json-c/json.h>

struct export;

struct json_object *export_json(struct export *export);
struct json_object *export_json_progress(struct export *export);
void export_json_details(struct export *export, struct json_object *object);

#endif /* RDMABLKD_EXPORT_JSON_H */
