// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions in words, for the log and for people.
 */
#include <stdio.h>
#include <string.h>

#include "session.h"

#define HOLDERS_NAMED	3

/**
 * session_text() - who is it?
 * @session: the session
 * @buf: where the text goes
 *
 * Return: @buf: "HOST (ADDRESS)", the host as soon as it is known.
 */
const char *session_text(const struct session *session,
			 char buf[static SESSION_TEXT_MAX])
{
	char addr[ADDR_TEXT_MAX];

	addr_host_text(&session->claim.peer, addr);
	if (session->claim.host_name[0])
		snprintf(buf, SESSION_TEXT_MAX, "%s (%s)",
			 session->claim.host_name, addr);
	else
		snprintf(buf, SESSION_TEXT_MAX, "%s", addr);
	return buf;
}

/**
 * session_holders() - who has an export open?
 * @export: the export
 * @buf: where the text goes
 *
 * Return: @buf: some of them, and whether there are others.
 */
const char *session_holders(const struct export *export,
			    char buf[static SESSION_HOLDERS_MAX])
{
	char who[SESSION_TEXT_MAX];
	const struct claim *claim;
	unsigned int named = 0;
	size_t len = 0;

	buf[0] = '\0';
	TAILQ_FOREACH(claim, &export->claims, entry) {
		if (named++ == HOLDERS_NAMED) {
			snprintf(buf + len, SESSION_HOLDERS_MAX - len,
				 " and others");
			break;
		}
		snprintf(buf + len, SESSION_HOLDERS_MAX - len, "%s%s",
			 len ? ", " : "",
			 session_text(session_of(claim), who));
		len = strlen(buf);
	}
	return buf;
}
