/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of the control socket. */
#ifndef RDMABLKD_CONTROL_COMMAND_H
#define RDMABLKD_CONTROL_COMMAND_H

#include <stdbool.h>

struct client;
struct export;
struct json_object;
struct reason;

void control_command(struct client *client, struct json_object *request);
const char *control_name(struct client *client, struct json_object *request);
struct export *control_export(struct client *client,
			      struct json_object *request);
bool control_force(struct json_object *request);
void control_answer_export(struct client *client, struct export *export);
void control_gone(struct client *client, const struct export *export);
void control_errno(struct client *client, int err, const struct reason *why);

#endif /* RDMABLKD_CONTROL_COMMAND_H */
