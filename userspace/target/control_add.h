/* SPDX-License-Identifier: GPL-2.0 */
/* The command of the control socket that offers another export. */
#ifndef RDMABLKD_CONTROL_ADD_H
#define RDMABLKD_CONTROL_ADD_H

struct client;
struct json_object;

void control_add(struct client *client, struct json_object *request);

#endif /* RDMABLKD_CONTROL_ADD_H */
