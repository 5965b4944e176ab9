/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of the control socket. */
#ifndef RDMABLKD_CONTROL_COMMAND_H
#define RDMABLKD_CONTROL_COMMAND_H

struct client;
struct json_object;

void control_command(struct client *client, struct json_object *request);

#endif /* RDMABLKD_CONTROL_COMMAND_H */
