/* SPDX-License-Identifier: GPL-2.0 */
/* The command of the control socket that offers an export no longer. */
#ifndef RDMABLKD_CONTROL_REMOVE_H
#define RDMABLKD_CONTROL_REMOVE_H

struct client;
struct json_object;

void control_remove(struct client *client, struct json_object *request);

#endif /* RDMABLKD_CONTROL_REMOVE_H */
