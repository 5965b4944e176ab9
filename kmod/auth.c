// SPDX-License-Identifier: GPL-2.0
/*
 * Proves to the target who we are, and has it prove the same. See auth.h.
 *
 * The key itself stays in the kernel's keyring, where user space can replace but not
 * read it. We keep a reference, and copy what it holds for as long as it takes to
 * hand it to the crypto API: every handshake takes what is there then.
 */
#include <crypto/algapi.h>
#include <crypto/hash.h>
#include <keys/user-type.h>
#include <linux/key.h>
#include <linux/module.h>

#include "auth.h"

/* Of a logon key's description: it says whose keys these are. */
#define RDMABLK_KEY_PREFIX	"rdmablk:"

/* For tools that collect modules for a small system. */
MODULE_SOFTDEP("pre: hmac sha256");

/**
 * rdmablk_auth_find_key() - look a key up in the keyrings of the caller
 * @name: its description, without the prefix
 * @reason: set on failure
 *
 * Context: process, that of the user who may use the key.
 * Return: the key with a reference, or an ERR_PTR().
 */
struct key *rdmablk_auth_find_key(const char *name,
				  struct rdmablk_reason *reason)
{
	char description[sizeof(RDMABLK_KEY_PREFIX) + RDMABLK_HOST_MAX];
	struct key *key;

	snprintf(description, sizeof(description), RDMABLK_KEY_PREFIX "%s",
		 name);
	/* Without information for a callout none is made. */
	key = request_key(&key_type_logon, description, NULL);
	if (IS_ERR(key))
		rdmablk_reason_set(reason, PTR_ERR(key),
			"there is no key '%s' in the keyrings of the caller: error %ld",
			description, PTR_ERR(key));
	return key;
}

/**
 * rdmablk_auth_alloc() - get ready to authenticate
 * @auth: zeroed
 * @key: the key, or NULL; a reference of its own is taken
 * @name: its name
 *
 * Context: process; may load a module of the crypto API, so that a connect need
 * not.
 * Return: 0 or a negative errno; then nothing is left to free.
 */
int rdmablk_auth_alloc(struct rdmablk_auth *auth, struct key *key,
		       const char *name)
{
	struct crypto_shash *tfm = crypto_alloc_shash("hmac(sha256)", 0, 0);

	if (IS_ERR(tfm))
		return PTR_ERR(tfm);
	auth->tfm = tfm;
	spin_lock_init(&auth->lock);
	if (key)
		rdmablk_auth_set_key(auth, key, name);
	return 0;
}

/**
 * rdmablk_auth_free() - free what rdmablk_auth_alloc() allocated
 * @auth: no longer in use, or zeroed
 *
 * Context: process.
 */
void rdmablk_auth_free(struct rdmablk_auth *auth)
{
	if (!auth->tfm)
		return;
	crypto_free_shash(auth->tfm);
	auth->tfm = NULL;
	key_put(auth->key);
	auth->key = NULL;
}

/**
 * rdmablk_auth_set_key() - from the next connect on, use another key
 * @auth: allocated
 * @key: the key; a reference of its own is taken
 * @name: its name
 *
 * Context: process.
 */
void rdmablk_auth_set_key(struct rdmablk_auth *auth, struct key *key,
			  const char *name)
{
	struct key *old;

	key_get(key);
	spin_lock(&auth->lock);
	old = auth->key;
	auth->key = key;
	strscpy_pad(auth->name, name, sizeof(auth->name));
	spin_unlock(&auth->lock);
	key_put(old);
}

/* Copies the key out. Returns its length; zero if there is no key. */
static int rdmablk_auth_copy(struct rdmablk_auth *auth, char *name,
			     u8 secret[RDMABLK_SECRET_MAX])
{
	const struct user_key_payload *payload;
	int ret = 0;

	spin_lock(&auth->lock);
	memcpy(name, auth->name, RDMABLK_HOST_MAX);
	if (!auth->key)
		goto unlock;
	ret = key_validate(auth->key);
	if (ret)
		goto unlock;

	rcu_read_lock();
	payload = user_key_payload_rcu(auth->key);
	if (!payload) {
		ret = -EKEYREVOKED;
	} else if (payload->datalen < RDMABLK_SECRET_MIN ||
		   payload->datalen > RDMABLK_SECRET_MAX) {
		ret = -EINVAL;
	} else {
		ret = payload->datalen;
		memcpy(secret, payload->data, ret);
	}
	rcu_read_unlock();
unlock:
	spin_unlock(&auth->lock);
	return ret;
}

static int rdmablk_auth_bad_key(const char *name, int err,
				struct rdmablk_reason *reason)
{
	const char *what = "cannot be used";

	if (err == -EKEYREVOKED || err == -ENOKEY)
		what = "was revoked or removed";
	else if (err == -EKEYEXPIRED)
		what = "has expired";
	else if (err == -EINVAL)
		what = "has a wrong length";
	return rdmablk_reason_set(reason, err, "the key '%s%s' %s",
				  RDMABLK_KEY_PREFIX, name, what);
}

/**
 * rdmablk_auth_begin() - begin a handshake
 * @auth: allocated
 * @hello: its @client_id is set: to the name of the key, empty if there is none
 * @reason: set on failure
 *
 * Context: the device's work.
 * Return: 0 or a negative errno.
 */
int rdmablk_auth_begin(struct rdmablk_auth *auth,
		       struct rdmablk_msg_hello *hello,
		       struct rdmablk_reason *reason)
{
	u8 secret[RDMABLK_SECRET_MAX];
	int ret;

	ret = rdmablk_auth_copy(auth, hello->client_id, secret);
	if (ret > 0)
		ret = crypto_shash_setkey(auth->tfm, secret, ret);
	memzero_explicit(secret, sizeof(secret));
	return ret ? rdmablk_auth_bad_key(hello->client_id, ret, reason) : 0;
}

static int rdmablk_auth_mac(struct rdmablk_auth *auth, enum rdmablk_proof proof,
			    u8 mac[RDMABLK_MAC_SIZE])
{
	rdmablk_auth_label(&auth->input, proof);
	return crypto_shash_tfm_digest(auth->tfm, (u8 *)&auth->input,
				       sizeof(auth->input), mac);
}

/**
 * rdmablk_auth_prove() - prove to the target that we have the key
 * @auth: begun, and @auth->input complete but for AUTH
 * @msg: AUTH; its @mac is set
 *
 * Context: the device's work.
 * Return: 0 or a negative errno.
 */
int rdmablk_auth_prove(struct rdmablk_auth *auth, struct rdmablk_msg_auth *msg)
{
	rdmablk_auth_wish(&auth->input, msg);
	return rdmablk_auth_mac(auth, RDMABLK_PROOF_CLIENT, msg->mac);
}

/**
 * rdmablk_auth_check() - has the target proved that it has the key?
 * @auth: after rdmablk_auth_prove()
 * @reply: its answer
 * @reason: set if not
 *
 * Context: the device's work.
 * Return: 0, -EKEYREJECTED or another negative errno.
 */
int rdmablk_auth_check(struct rdmablk_auth *auth,
		       const struct rdmablk_msg_auth_reply *reply,
		       struct rdmablk_reason *reason)
{
	u8 mac[RDMABLK_MAC_SIZE];
	int err;

	err = rdmablk_auth_mac(auth, RDMABLK_PROOF_TARGET, mac);
	if (!err && crypto_memneq(mac, reply->mac, sizeof(mac)))
		err = -EKEYREJECTED;
	/* From here on the key is the session's. */
	if (!err)
		err = rdmablk_auth_mac(auth, RDMABLK_PROOF_SESSION, mac);
	if (!err)
		err = crypto_shash_setkey(auth->tfm, mac, sizeof(mac));
	memzero_explicit(mac, sizeof(mac));
	WRITE_ONCE(auth->proven, !err);
	if (err == -EKEYREJECTED)
		return rdmablk_reason_set(reason, err,
			"the target did not prove that it has the key: not trusting it");
	return err ? rdmablk_reason_set(reason, err,
			"cannot compute a MAC: error %d", err) : 0;
}

/**
 * rdmablk_auth_believes() - is what the target says of the export to be believed?
 * @auth: of a session
 *
 * Who has a key believes only a target that has proved to have it, too. Another one
 * at its address, while the path is lost, must not make a device fail for good.
 *
 * Context: any.
 * Return: true if it is.
 */
bool rdmablk_auth_believes(const struct rdmablk_auth *auth)
{
	return READ_ONCE(auth->proven) || !READ_ONCE(auth->key);
}

/**
 * rdmablk_auth_end() - the target has to prove itself anew
 * @auth: of a session that has ended
 *
 * Context: the device's work.
 */
void rdmablk_auth_end(struct rdmablk_auth *auth)
{
	WRITE_ONCE(auth->proven, false);
}

/**
 * rdmablk_auth_sign() - prove that a data connection belongs to the session
 * @auth: after the handshake
 * @req: complete but for @proof, which is set if the session is authenticated
 *
 * Context: the device's work.
 * Return: 0 or a negative errno.
 */
int rdmablk_auth_sign(struct rdmablk_auth *auth, struct rdmablk_cm_req *req)
{
	if (!auth->proven)
		return 0;
	return crypto_shash_tfm_digest(auth->tfm, (u8 *)req,
				       RDMABLK_PROVEN_SIZE, req->proof);
}
