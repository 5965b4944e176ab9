// SPDX-License-Identifier: GPL-2.0
/*
 * The command of the control socket that offers an export no longer. What it looks
 * like is in control_command.c.
 */
#include <errno.h>

#include "control.h"
#include "control_command.h"
#include "control_remove.h"
#include "export_json.h"
#include "session.h"

static void removed(struct client *client, struct export *export,
		    enum export_event event, const struct reason *why)
{
	if (event == EXPORT_EVENT_GONE) {
		control_wait_done(client);
		control_answer(client, "result", export_json(export));
	} else if (event == EXPORT_EVENT_KEPT) {
		control_wait_done(client);
		control_error(client, "failed", why);
	}
}

static void refuse(struct client *client, const struct export *export)
{
	char holders[SESSION_HOLDERS_MAX];
	struct reason why;

	reason_set(&why, -EBUSY, "export %s is in use by %s",
		   export->spec.name, session_holders(export, holders));
	reason_hint(&why, "have them detach it, or use --force: they lose it at once");
	control_error(client, "busy", &why);
}

static void end_sessions(struct export *export)
{
	struct claim *claim, *next;

	TAILQ_FOREACH_SAFE(claim, &export->claims, entry, next)
		session_farewell(session_of(claim), RDMABLK_E_REMOVED,
				 "the export was removed by an operator");
}

/**
 * control_remove() - the command "export-remove"
 * @client: who sent it; gets its answer now or later
 * @request: the request
 */
void control_remove(struct client *client, struct json_object *request)
{
	struct export *export = control_export(client, request);
	bool force = control_force(request);

	if (!export)
		return;
	if (!TAILQ_EMPTY(&export->claims)) {
		if (!force) {
			refuse(client, export);
			return;
		}
		end_sessions(export);
	}
	control_wait(client, export, removed);
	export_remove(export, force);
}
