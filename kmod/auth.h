/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Proves to the target who we are, and has it prove the same: key, MACs, and the
 * proof of data connections. Documentation/protocol.rst, "Authentication".
 */
#ifndef RDMABLK_AUTH_H
#define RDMABLK_AUTH_H

#include <linux/spinlock.h>

#include "authmsg.h"
#include "reason.h"

struct crypto_shash;
struct key;

/**
 * struct rdmablk_auth - how a session authenticates itself
 * @lock: protects @key and @name
 * @key: what connects authenticate themselves with; NULL: with nothing
 * @name: of @key, without the prefix; empty if there is none
 * @tfm: HMAC-SHA256; keyed for the step that is under way, and after the
 *	 handshake with the session's key. Used by the device's work only
 * @input: what the MACs cover; likewise
 * @proven: both ends have proved that they have the key; set by the device's work
 */
struct rdmablk_auth {
	spinlock_t lock;
	struct key *key;
	char name[RDMABLK_HOST_MAX];
	struct crypto_shash *tfm;
	struct rdmablk_auth_input input;
	bool proven;
};

struct key *rdmablk_auth_find_key(const char *name,
				  struct rdmablk_reason *reason);
int rdmablk_auth_alloc(struct rdmablk_auth *auth, struct key *key,
		       const char *name);
void rdmablk_auth_free(struct rdmablk_auth *auth);
void rdmablk_auth_set_key(struct rdmablk_auth *auth, struct key *key,
			  const char *name);

int rdmablk_auth_begin(struct rdmablk_auth *auth,
		       struct rdmablk_msg_hello *hello,
		       struct rdmablk_reason *reason);
int rdmablk_auth_prove(struct rdmablk_auth *auth, struct rdmablk_msg_auth *msg);
int rdmablk_auth_check(struct rdmablk_auth *auth,
		       const struct rdmablk_msg_auth_reply *reply,
		       struct rdmablk_reason *reason);
bool rdmablk_auth_believes(const struct rdmablk_auth *auth);
void rdmablk_auth_end(struct rdmablk_auth *auth);
int rdmablk_auth_sign(struct rdmablk_auth *auth, struct rdmablk_cm_req *req);

#endif /* RDMABLK_AUTH_H */
