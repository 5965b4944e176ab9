/* SPDX-License-Identifier: GPL-2.0 */
/* Asks the rdmablkd of this host to do something, over its UNIX socket. */
#ifndef RBDCTL_DAEMON_H
#define RBDCTL_DAEMON_H

#include <json-c/json.h>

#include "exits.h"
#include "option.h"

extern const char *daemon_socket;	/* set by --socket */

#define DAEMON_SOCKET_OPTION						\
	{ "socket", "PATH", "control socket of rdmablkd",		\
	  OPTION_TEXT, &daemon_socket, 0, 0 }

struct json_object *daemon_request(const char *command);
struct json_object *daemon_request_for(const char *command, const char *name);
enum rbdctl_exit daemon_call(struct json_object *request,
			     struct json_object **result);
enum rbdctl_exit daemon_run(struct json_object *request);
int daemon_ask(struct json_object *request, struct json_object **result);

#endif /* RBDCTL_DAEMON_H */
