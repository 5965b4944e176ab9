/* SPDX-License-Identifier: GPL-2.0 */
/* Takes out of text what looks like a key. */
#ifndef RBDCTL_MASK_H
#define RBDCTL_MASK_H

void mask_keys(char *text);

#endif /* RBDCTL_MASK_H */
