// SPDX-License-Identifier: GPL-2.0
/*
 * Pre-shared keys. See secret.h; the cryptography is OpenSSL's.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "proto.h"
#include "secret.h"

#define GENERATED	32	/* as long as the MAC: more adds nothing */

/* Room for a file of keys, two keyrings, and the keys of many thousand sessions. */
#define HEAP_SIZE	((size_t)4 << 20)
#define HEAP_UNIT	64

/**
 * secret_alloc() - get memory for what nobody else is to see
 * @size: bytes
 *
 * It is OpenSSL's secure heap: not part of a core dump, and locked, so that it does not
 * get to a disk either.
 *
 * Return: the memory, zeroed; or NULL.
 */
void *secret_alloc(size_t size)
{
	if (!CRYPTO_secure_malloc_initialized() &&
	    !CRYPTO_secure_malloc_init(HEAP_SIZE, HEAP_UNIT))
		return NULL;
	return OPENSSL_secure_zalloc(size);
}

/**
 * secret_free() - wipe such memory, and give it back
 * @memory: of secret_alloc(), or NULL
 * @size: bytes
 */
void secret_free(void *memory, size_t size)
{
	OPENSSL_secure_clear_free(memory, size);
}

/**
 * secret_no_core() - whatever happens to this process, its memory stays its own
 *
 * For programs that do little else than to pass a key on: they leave no core dump, and
 * other processes of the user cannot look into them.
 */
void secret_no_core(void)
{
	prctl(PR_SET_DUMPABLE, 0);
}

/**
 * secret_generate() - make a new key
 * @secret: filled in
 * @why: set on failure
 *
 * Return: 0 or -EIO.
 */
int secret_generate(struct secret *secret, struct reason *why)
{
	*secret = (struct secret){ .len = GENERATED };
	if (RAND_priv_bytes(secret->bytes, GENERATED) == 1)
		return 0;
	return reason_set(why, -EIO, "no random numbers");
}

static int wrong_length(size_t len, struct reason *why)
{
	reason_set(why, -EINVAL, "a key of %zu bytes: it must have %d to %d",
		   len, RDMABLK_SECRET_MIN, RDMABLK_SECRET_MAX);
	reason_hint(why, "'rbdctl key generate NAME' makes one");
	return -EINVAL;
}

/**
 * secret_parse() - read a key from its text form
 * @secret: filled in; to be wiped in any case
 * @text: base64, and nothing else
 * @why: set on failure; never has the text
 *
 * Return: 0 or -EINVAL.
 */
int secret_parse(struct secret *secret, const char *text, struct reason *why)
{
	size_t len = strlen(text), padding = 0;
	uint8_t bytes[SECRET_TEXT_MAX];
	int got;

	while (padding < 2 && padding < len && text[len - 1 - padding] == '=')
		padding++;
	/* OpenSSL forgives blanks at either end, and takes any '=' for an 'A'. */
	if (!len || len % 4 || strcspn(text, "= \t\r\n") != len - padding)
		return reason_set(why, -EINVAL, "the key is not base64");
	if (len >= SECRET_TEXT_MAX)
		return wrong_length(len / 4 * 3 - padding, why);
	got = EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)len);
	*secret = (struct secret){ .len = got < 0 ? 0 : (size_t)got - padding };
	if (secret->len >= RDMABLK_SECRET_MIN &&
	    secret->len <= RDMABLK_SECRET_MAX)
		memcpy(secret->bytes, bytes, secret->len);
	OPENSSL_cleanse(bytes, sizeof(bytes));

	if (got < 0)
		return reason_set(why, -EINVAL, "the key is not base64");
	if (secret->len < RDMABLK_SECRET_MIN ||
	    secret->len > RDMABLK_SECRET_MAX)
		return wrong_length(secret->len, why);
	return 0;
}

/**
 * secret_text() - the text form of a key
 * @secret: the key
 * @buf: where it goes; to be wiped
 */
void secret_text(const struct secret *secret, char buf[static SECRET_TEXT_MAX])
{
	EVP_EncodeBlock((unsigned char *)buf, secret->bytes, (int)secret->len);
}

/**
 * secret_id() - a number that tells keys apart and gives nothing away
 * @secret: the key
 *
 * Return: the number; zero if there is no memory to compute it.
 */
uint64_t secret_id(const struct secret *secret)
{
	static const char label[] = "rdmablk key id";
	uint8_t mac[RDMABLK_MAC_SIZE];
	uint64_t id;

	if (secret_mac(secret->bytes, secret->len, label, sizeof(label), mac))
		return 0;
	memcpy(&id, mac, sizeof(id));
	return be64toh(id);
}

/**
 * secret_wipe() - forget a key
 * @secret: the key
 */
void secret_wipe(struct secret *secret)
{
	OPENSSL_cleanse(secret, sizeof(*secret));
}

/**
 * secret_name_valid() - may a key have this name?
 * @name: the name
 *
 * It stands in access rules, where ':' and '@' begin what follows the client,
 * and two words are taken.
 *
 * Return: true if it may.
 */
bool secret_name_valid(const char *name)
{
	size_t len = strlen(name);

	return len < RDMABLK_HOST_MAX && rdmablk_name_valid(name, len) &&
	       !strpbrk(name, ":@") && strcmp(name, "any") &&
	       strcmp(name, "none");
}

/**
 * secret_mac() - HMAC-SHA256
 * @key: the key
 * @key_len: bytes
 * @data: what the MAC covers
 * @len: bytes
 * @mac: where it goes
 *
 * Return: 0 or -ENOMEM.
 */
int secret_mac(const uint8_t *key, size_t key_len, const void *data, size_t len,
	       uint8_t mac[static RDMABLK_MAC_SIZE])
{
	unsigned int size = RDMABLK_MAC_SIZE;

	return HMAC(EVP_sha256(), key, (int)key_len, data, len, mac, &size) ?
	       0 : -ENOMEM;
}

/**
 * secret_same() - compare two MACs, in the same time whatever they are
 * @a: one
 * @b: the other
 *
 * Return: true if they are equal.
 */
bool secret_same(const uint8_t a[static RDMABLK_MAC_SIZE],
		 const uint8_t b[static RDMABLK_MAC_SIZE])
{
	return !CRYPTO_memcmp(a, b, RDMABLK_MAC_SIZE);
}
