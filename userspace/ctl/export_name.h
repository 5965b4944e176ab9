/* SPDX-License-Identifier: GPL-2.0 */
/* Names of exports. */
#ifndef RBDCTL_EXPORT_NAME_H
#define RBDCTL_EXPORT_NAME_H

#include "exits.h"

enum rbdctl_exit export_name_check(const char *name);

#endif /* RBDCTL_EXPORT_NAME_H */
