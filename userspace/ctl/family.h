/* SPDX-License-Identifier: GPL-2.0 */
/* The module's generic netlink family, and loading the module for it. */
#ifndef RBDCTL_FAMILY_H
#define RBDCTL_FAMILY_H

#include "exits.h"
#include "genl.h"

int family_open(struct genl **genl);
enum rbdctl_exit family_load(struct genl **genl);
enum rbdctl_exit family_fail(const struct genl *genl, int err,
			     const char *what);

#endif /* RBDCTL_FAMILY_H */
