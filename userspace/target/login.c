// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a client is who it says it is: the target's half of
 * Documentation/protocol.rst, "Authentication". Pure but for OpenSSL; what is
 * sent, and what is logged, is up to handshake.c.
 */
#include <errno.h>
#include <string.h>

#include <openssl/crypto.h>

#include "login.h"

static int login_mac(struct login *login, const struct secret *secret,
		     enum rdmablk_proof proof,
		     uint8_t mac[static RDMABLK_MAC_SIZE])
{
	rdmablk_auth_label(&login->input, proof);
	return secret_mac(secret->bytes, secret->len, &login->input,
			  sizeof(login->input), mac);
}

/**
 * login_check() - does a client have one of its keys?
 * @login: with a complete input
 * @keys: of the client
 * @mac: what it sent to prove it
 *
 * Takes the same time for a client that has no keys, and whichever it proves.
 *
 * Return: the key, or NULL.
 */
const struct secret *login_check(struct login *login,
				 const struct keyring_keys *keys,
				 const uint8_t mac[static RDMABLK_MAC_SIZE])
{
	static const struct secret nobodys = { .len = RDMABLK_SECRET_MIN };
	const struct secret *found = NULL;
	uint8_t expected[RDMABLK_MAC_SIZE];
	unsigned int i;

	for (i = 0; i < KEYRING_PER_CLIENT; i++) {
		const struct secret *secret = i < keys->nr ? keys->secret[i] :
							     &nobodys;

		if (!login_mac(login, secret, RDMABLK_PROOF_CLIENT, expected) &&
		    secret_same(expected, mac) && secret != &nobodys)
			found = secret;
	}
	OPENSSL_cleanse(expected, sizeof(expected));
	return found;
}

/**
 * login_answer() - prove that this end has the key, too
 * @login: of a client that has proved it
 * @secret: the key
 * @mac: set to the proof
 *
 * Return: 0 or -ENOMEM.
 */
int login_answer(struct login *login, const struct secret *secret,
		 uint8_t mac[static RDMABLK_MAC_SIZE])
{
	int err;

	login->session_key = secret_alloc(RDMABLK_MAC_SIZE);
	if (!login->session_key)
		return -ENOMEM;
	err = login_mac(login, secret, RDMABLK_PROOF_SESSION,
			login->session_key);
	if (!err)
		err = login_mac(login, secret, RDMABLK_PROOF_TARGET, mac);
	if (err) {
		login_forget(login);
		return err;
	}
	login->key_id = secret_id(secret);
	login->state = LOGIN_DONE;
	return 0;
}

/**
 * login_covers() - is this what the client said that it would ask for?
 * @login: of the client
 * @open: what it asks for
 *
 * Return: true if it is, or if it did not have to say.
 */
bool login_covers(const struct login *login,
		  const struct rdmablk_msg_open *open)
{
	return login->state == LOGIN_OPEN ||
	       (login->input.access == open->access &&
		!memcmp(login->input.export, open->export,
			sizeof(open->export)));
}

/**
 * login_admits() - does a data connection belong to the session?
 * @login: of the session
 * @req: the request for the connection
 *
 * Return: true if it does.
 */
bool login_admits(const struct login *login, const struct rdmablk_cm_req *req)
{
	uint8_t expected[RDMABLK_MAC_SIZE] = { 0 };

	if (login->state == LOGIN_DONE &&
	    secret_mac(login->session_key, RDMABLK_MAC_SIZE, req,
		       RDMABLK_PROVEN_SIZE, expected))
		return false;
	return secret_same(expected, req->proof);
}

/**
 * login_forget() - wipe what was derived from the key
 * @login: in any state
 */
void login_forget(struct login *login)
{
	secret_free(login->session_key, RDMABLK_MAC_SIZE);
	login->session_key = NULL;
}
