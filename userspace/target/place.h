/* SPDX-License-Identifier: GPL-2.0 */
/* Places that an export keeps for sessions which the target has ended itself. */
#ifndef RDMABLKD_PLACE_H
#define RDMABLKD_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "access.h"
#include "claim.h"
#include "clock.h"
#include "keyring.h"

#define PLACE_RETURN_US	(75 * USEC_PER_SEC)	/* between a client's attempts */

void place_keep(struct claim_list *places, const struct claim *claim,
		uint64_t keep_us);
void place_restore(struct claim_list *places, const struct identity *identity,
		   uint64_t now_us);
bool place_is_restored(const struct claim *claim);
bool place_is_void(const struct claim *claim, const struct access *access,
		   const struct keyring *keyring, bool unauthenticated);
void place_begin(struct claim_list *places, uint64_t now_us);
struct claim *place_admit(struct claim_list *places, const struct claim *new,
			  const struct claim_rules *rules, bool force,
			  uint64_t now_us);
void place_drop(struct claim_list *places, struct claim *claim);
void place_drop_all(struct claim_list *places);

#endif /* RDMABLKD_PLACE_H */
