/* SPDX-License-Identifier: GPL-2.0 */
/* What the target's card lets a remote key be used for, in words. */
#ifndef RBDCTL_SCOPE_H
#define RBDCTL_SCOPE_H

#include <stdint.h>

const char *scope_word(uint32_t scope);
const char *scope_text(const char *word);

#endif /* RBDCTL_SCOPE_H */
