// SPDX-License-Identifier: GPL-2.0
/*
 * The keys of the clients that this target knows, as its file of keys had them.
 */
#include <errno.h>
#include <string.h>

#include "cleanup.h"
#include "keyfile.h"
#include "keyring.h"

/**
 * struct entry - a key
 * @client: its name, whose it is
 * @secret: the key
 */
struct entry {
	char		client[RDMABLK_HOST_MAX];
	struct secret	secret;
};

/**
 * struct keyring - see keyring.h
 * @nr: entries in use
 * @entry: the keys, in the order of the file
 */
struct keyring {
	unsigned int	nr;
	struct entry	entry[KEYRING_MAX];
};

static int take(void *data, const char *name, const struct secret *secret,
		struct reason *why)
{
	struct keyring *keyring = data;
	struct keyring_keys keys;
	struct entry *entry;

	keyring_find(keyring, name, &keys);
	if (keys.nr == KEYRING_PER_CLIENT) {
		reason_set(why, -E2BIG, "more than %d keys of client '%s'",
			   KEYRING_PER_CLIENT, name);
		reason_hint(why, "remove those that are out of use");
		return -E2BIG;
	}
	if (keyring->nr == KEYRING_MAX)
		return reason_set(why, -E2BIG, "more than %d keys",
				  KEYRING_MAX);
	entry = &keyring->entry[keyring->nr++];
	memcpy(entry->client, name, strlen(name) + 1);
	entry->secret = *secret;
	return 0;
}

/**
 * keyring_load() - read a file of keys
 * @keyring: set to what it has
 * @path: the file
 * @why: set on failure
 *
 * Return: 0, or what keyfile_open() and keyfile_read() return; -E2BIG.
 */
int keyring_load(struct keyring **keyring, const char *path,
		 struct reason *why)
{
	CLEANUP_CLOSE int fd = keyfile_open(path, false, why);
	struct keyring *new;
	int err;

	if (fd < 0)
		return fd;
	new = secret_alloc(sizeof(*new));
	if (!new)
		return reason_set(why, -ENOMEM, "out of memory");
	err = keyfile_read(fd, path, take, new, why);
	if (err)
		keyring_free(new);
	else
		*keyring = new;
	return err;
}

/**
 * keyring_free() - forget all keys
 * @keyring: the keyring, or NULL
 */
void keyring_free(struct keyring *keyring)
{
	secret_free(keyring, sizeof(*keyring));
}

/**
 * keyring_find() - look for the keys of a client
 * @keyring: the keyring; NULL: there are none
 * @client: its name
 * @keys: filled in; good as long as @keyring
 *
 * Looks at all entries whatever it finds.
 */
void keyring_find(const struct keyring *keyring, const char *client,
		  struct keyring_keys *keys)
{
	unsigned int i;

	*keys = (struct keyring_keys){ .nr = 0 };
	for (i = 0; keyring && i < keyring->nr; i++)
		if (!strcmp(keyring->entry[i].client, client) &&
		    keys->nr < KEYRING_PER_CLIENT)
			keys->secret[keys->nr++] = &keyring->entry[i].secret;
}

/**
 * keyring_size() - count the keys
 * @keyring: the keyring
 *
 * Return: how many there are.
 */
unsigned int keyring_size(const struct keyring *keyring)
{
	return keyring->nr;
}
