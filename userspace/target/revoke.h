/* SPDX-License-Identifier: GPL-2.0 */
/* Ends the sessions of those who may no longer have one. */
#ifndef RDMABLKD_REVOKE_H
#define RDMABLKD_REVOKE_H

#include "access.h"
#include "daemon.h"
#include "reason.h"

int revoke_reload(struct daemon *daemon, unsigned int *ended,
		  struct reason *why);
unsigned int revoke_access(struct export *export, const struct access *access);

#endif /* RDMABLKD_REVOKE_H */
