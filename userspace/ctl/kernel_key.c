// SPDX-License-Identifier: GPL-2.0
/*
 * Keys of this host. See kernel_key.h.
 *
 * They are of type "logon": user space may replace them, never read them. They are
 * kept in the keyring of the user, root's as a rule, which lasts until the next boot.
 * Not every session has that one in reach, those of services for instance, so
 * kernel_key_offer() puts what a command needs into the keyring of the process.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <keyutils.h>

#include "cleanup.h"
#include "kernel_key.h"
#include "report.h"

#define TYPE	"logon"
#define PREFIX	"rdmablk:"

#define DESCRIPTION_MAX (sizeof(PREFIX) + RDMABLK_HOST_MAX)

static void describe(const char *name, char buf[static DESCRIPTION_MAX])
{
	snprintf(buf, DESCRIPTION_MAX, PREFIX "%s", name);
}

/**
 * key_name_check() - may this be the name of a key?
 * @name: as the user typed it
 *
 * Return: EXIT_OK, or EXIT_USAGE after the fault was printed.
 */
enum rbdctl_exit key_name_check(const char *name)
{
	if (secret_name_valid(name))
		return EXIT_OK;
	fail(EXIT_USAGE, "%s cannot be the name of a key", quote(name));
	remedy("up to %d letters, digits and . _ + -, a letter or digit first; not 'any' or 'none'",
	       RDMABLK_HOST_MAX - 1);
	return EXIT_USAGE;
}

/**
 * kernel_key_add() - add a key, or replace what it holds
 * @name: its name
 * @secret: what it holds; devices that use the key have it from their next connect on
 *
 * Return: 0 or a negative errno.
 */
int kernel_key_add(const char *name, const struct secret *secret)
{
	char description[DESCRIPTION_MAX];

	describe(name, description);
	return add_key(TYPE, description, secret->bytes, secret->len,
		       KEY_SPEC_USER_KEYRING) < 0 ? -errno : 0;
}

/**
 * kernel_key_remove() - take a key out of the keyring
 * @name: its name
 *
 * Return: 0, -ENOKEY or another negative errno.
 */
int kernel_key_remove(const char *name)
{
	char description[DESCRIPTION_MAX];
	long key;

	describe(name, description);
	key = keyctl_search(KEY_SPEC_USER_KEYRING, TYPE, description, 0);
	if (key < 0)
		return -errno;
	return keyctl_unlink((key_serial_t)key, KEY_SPEC_USER_KEYRING) < 0 ?
	       -errno : 0;
}

/* "TYPE;UID;GID;PERMISSIONS;DESCRIPTION", as the kernel describes a key. */
static const char *name_of(const char *text)
{
	const char *description = strrchr(text, ';');

	if (strncmp(text, TYPE ";", sizeof(TYPE)) || !description ||
	    strncmp(description + 1, PREFIX, sizeof(PREFIX) - 1))
		return NULL;
	return description + sizeof(PREFIX);
}

/**
 * kernel_key_list() - walk the keys of this host
 * @each: is given each
 * @data: handed to @each
 *
 * Return: 0 or a negative errno.
 */
int kernel_key_list(kernel_key_each *each, void *data)
{
	CLEANUP_FREE void *keys = NULL;
	const key_serial_t *serial;
	int len, i;

	len = keyctl_read_alloc(KEY_SPEC_USER_KEYRING, &keys);
	if (len < 0)
		return -errno;
	serial = keys;
	for (i = 0; i < len / (int)sizeof(*serial); i++) {
		CLEANUP_FREE char *text = NULL;
		const char *name;

		/* It may have been removed meanwhile. */
		if (keyctl_describe_alloc(serial[i], &text) < 0)
			continue;
		name = name_of(text);
		if (name)
			each(name, data);
	}
	return 0;
}

/**
 * kernel_key_offer() - let the module find a key on behalf of this process
 * @name: its name
 *
 * A key that is not there may still be in another keyring of the caller: the module
 * has the last word.
 */
void kernel_key_offer(const char *name)
{
	char description[DESCRIPTION_MAX];

	describe(name, description);
	keyctl_search(KEY_SPEC_USER_KEYRING, TYPE, description,
		      KEY_SPEC_PROCESS_KEYRING);
}
