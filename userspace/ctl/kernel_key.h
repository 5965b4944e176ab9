/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys of this host: in the kernel's keyring of the user, where the module finds
 * them and nobody can read them.
 */
#ifndef RBDCTL_KERNEL_KEY_H
#define RBDCTL_KERNEL_KEY_H

#include "exits.h"
#include "secret.h"

/* Is given a key's name. */
typedef void kernel_key_each(const char *name, void *data);

enum rbdctl_exit key_name_check(const char *name);
int kernel_key_add(const char *name, const struct secret *secret);
int kernel_key_remove(const char *name);
int kernel_key_list(kernel_key_each *each, void *data);
void kernel_key_offer(const char *name);

#endif /* RBDCTL_KERNEL_KEY_H */
