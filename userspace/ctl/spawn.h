/* SPDX-License-Identifier: GPL-2.0 */
/* Runs another program, and takes what it says. */
#ifndef RBDCTL_SPAWN_H
#define RBDCTL_SPAWN_H

int spawn_read(const char *const *argv, char **text);

#endif /* RBDCTL_SPAWN_H */
