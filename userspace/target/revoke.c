// SPDX-License-Identifier: GPL-2.0
/*
 * Ends the sessions of those who may no longer have one: their key is gone, or the
 * export's rules have changed. Their data connections are destroyed before anything
 * is answered.
 */
#include <stdbool.h>
#include <stdio.h>

#include "config.h"
#include "keyring.h"
#include "log.h"
#include "macros.h"
#include "revoke.h"
#include "session.h"

static void withdraw(struct session *session, const char *why)
{
	char who[SESSION_TEXT_MAX];

	log_warning("%s: client '%s': %s: access withdrawn",
		    session_text(session, who), session->claim.client, why);
	session_farewell(session, RDMABLK_E_DENIED,
			 "an operator withdrew the access");
}

static bool has_key(const struct keyring_keys *keys, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < keys->nr; i++)
		if (secret_id(keys->secret[i]) == id)
			return true;
	return false;
}

/* Whoever has a key left comes back with it, and proves it. */
static bool check_key(struct session *session, const struct keyring *keyring)
{
	struct keyring_keys keys;

	keyring_find(keyring, session->claim.client, &keys);
	if (has_key(&keys, session->login.key_id))
		return true;
	if (keys.nr)
		session_drop(session, "its key was replaced: it has to come back with the new one");
	else
		withdraw(session, "its key was removed");
	return false;
}

/**
 * revoke_reload() - read the file of keys again
 * @daemon: the daemon
 * @ended: set to how many sessions were ended because their key is gone
 * @why: set on failure; then everything is as it was
 *
 * Return: 0, or what keyring_load() returns.
 */
int revoke_reload(struct daemon *daemon, unsigned int *ended,
		  struct reason *why)
{
	struct keyring *old = daemon->keyring;
	struct session *session;
	int err = keyring_load(&daemon->keyring, daemon->config->key_file, why);

	*ended = 0;
	if (err)
		return err;
	keyring_free(old);
	/* They are freed later, from the event loop. */
	TAILQ_FOREACH(session, &daemon->sessions, entry)
		if (session->login.state == LOGIN_DONE &&
		    session->state < SESSION_ENDING &&
		    !check_key(session, daemon->keyring))
			++*ended;
	log_info("keys of clients in %s: %u; sessions ended: %u",
		 daemon->config->key_file, keyring_size(daemon->keyring),
		 *ended);
	return 0;
}

/**
 * revoke_access() - give an export other access rules
 * @export: the export
 * @access: the rules; copied
 *
 * Return: how many sessions were ended because they do not pass them.
 */
unsigned int revoke_access(struct export *export, const struct access *access)
{
	struct claim *claim, *next;
	unsigned int ended = 0;

	export->spec.access = *access;
	TAILQ_FOREACH_SAFE(claim, &export->claims, entry, next) {
		if (access_admits(access, claim->client, &claim->peer,
				  claim->write))
			continue;
		withdraw(session_of(claim), "the export's rules have changed");
		ended++;
	}
	return ended;
}
