/* SPDX-License-Identifier: GPL-2.0 */
/* What becomes of acknowledged writes, in words. */
#ifndef RBDCTL_DURABILITY_H
#define RBDCTL_DURABILITY_H

#include <stdbool.h>
#include <stdint.h>

const char *durability_word(uint32_t durability);
uint32_t durability_number(const char *word);
const char *durability_survives(uint32_t durability);
const char *durability_flush(bool write_cache);

#endif /* RBDCTL_DURABILITY_H */
