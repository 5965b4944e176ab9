/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a client is who it says it is. */
#ifndef RDMABLKD_LOGIN_H
#define RDMABLKD_LOGIN_H

#include <stdbool.h>

#include "authmsg.h"
#include "keyring.h"

/**
 * enum login_state - what is known of a client
 * @LOGIN_OPEN: it need not prove anything
 * @LOGIN_AWAITED: it has to send AUTH
 * @LOGIN_DONE: it has the key
 */
enum login_state {
	LOGIN_OPEN,
	LOGIN_AWAITED,
	LOGIN_DONE,
};

/**
 * struct login - how a client proves who it is
 * @state: see there
 * @input: what the MACs cover, filled in as it is said
 * @key_id: of the key that it has proved to have
 * @session_key: for the proof of its data connections; RDMABLK_MAC_SIZE bytes with
 *		 LOGIN_DONE, else NULL
 */
struct login {
	enum login_state		state;
	struct rdmablk_auth_input	input;
	uint64_t			key_id;
	uint8_t				*session_key;
};

const struct secret *login_check(struct login *login,
				 const struct keyring_keys *keys,
				 const uint8_t mac[static RDMABLK_MAC_SIZE]);
int login_answer(struct login *login, const struct secret *secret,
		 uint8_t mac[static RDMABLK_MAC_SIZE]);
bool login_covers(const struct login *login,
		  const struct rdmablk_msg_open *open);
bool login_admits(const struct login *login, const struct rdmablk_cm_req *req);
void login_forget(struct login *login);

#endif /* RDMABLKD_LOGIN_H */
