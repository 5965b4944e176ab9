/* SPDX-License-Identifier: GPL-2.0 */
/* The command of the control socket that changes access rules. */
#ifndef RDMABLKD_CONTROL_ALLOW_H
#define RDMABLKD_CONTROL_ALLOW_H

struct client;
struct json_object;

void control_allow(struct client *client, struct json_object *request);

#endif /* RDMABLKD_CONTROL_ALLOW_H */
