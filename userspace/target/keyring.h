/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of the clients that this target knows. */
#ifndef RDMABLKD_KEYRING_H
#define RDMABLKD_KEYRING_H

#include "secret.h"

#define KEYRING_MAX		1024	/* keys in all */
#define KEYRING_PER_CLIENT	4	/* keys that one client may have */

struct keyring;

/**
 * struct keyring_keys - the keys of a client
 * @nr: how many; zero: the client is not known
 * @secret: the first @nr are its keys
 */
struct keyring_keys {
	unsigned int		nr;
	const struct secret	*secret[KEYRING_PER_CLIENT];
};

int keyring_load(struct keyring **keyring, const char *path,
		 struct reason *why);
void keyring_free(struct keyring *keyring);
void keyring_find(const struct keyring *keyring, const char *client,
		  struct keyring_keys *keys);
unsigned int keyring_size(const struct keyring *keyring);

#endif /* RDMABLKD_KEYRING_H */
