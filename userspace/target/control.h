/* SPDX-License-Identifier: GPL-2.0 */
/* The control socket: where rbdctl asks the daemon to do something. */
#ifndef RDMABLKD_CONTROL_H
#define RDMABLKD_CONTROL_H

#include <json-c/json.h>

#include "daemon.h"
#include "export.h"
#include "jsonl.h"
#include "reason.h"

struct client;

/**
 * typedef control_decide_fn - what becomes of a command that waits
 * @client: whose command it is
 * @export: the one that it waits for
 * @event: what has happened to it; never mere progress
 * @why: see there
 *
 * Answers, after control_wait_done(), when @event decides.
 */
typedef void control_decide_fn(struct client *client, struct export *export,
			       enum export_event event,
			       const struct reason *why);

/**
 * struct client - somebody on the control socket
 * @entry: in the list of clients
 * @daemon: the daemon
 * @jsonl: the connection
 * @source: the connection in the event loop
 * @eof: it will send no more, but may wait for answers
 * @export: the export whose fate decides the answer; NULL: no command waits
 * @decide: answers when it is known
 * @watch: on @export
 */
struct client {
	TAILQ_ENTRY(client)	entry;
	struct daemon		*daemon;
	struct jsonl		jsonl;
	sd_event_source		*source;
	bool			eof;
	struct export		*export;
	control_decide_fn	*decide;
	struct export_watch	watch;
};

int control_open(struct daemon *daemon, struct reason *why);
void control_close(struct daemon *daemon);

void control_answer(struct client *client, const char *kind,
		    struct json_object *value);
void control_error(struct client *client, const char *code,
		   const struct reason *why);
void control_wait(struct client *client, struct export *export,
		  control_decide_fn *decide);
void control_wait_done(struct client *client);

#endif /* RDMABLKD_CONTROL_H */
