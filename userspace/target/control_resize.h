/* SPDX-License-Identifier: GPL-2.0 */
/* The command of the control socket that resizes an export. */
#ifndef RDMABLKD_CONTROL_RESIZE_H
#define RDMABLKD_CONTROL_RESIZE_H

struct client;
struct json_object;

void control_resize(struct client *client, struct json_object *request);

#endif /* RDMABLKD_CONTROL_RESIZE_H */
