// SPDX-License-Identifier: GPL-2.0
/*
 * Identities of contents. What keeps them beyond the daemon's life is in
 * record.c.
 */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "identity.h"

/**
 * identity_new_instance() - the memory begins a new life
 * @identity: gets another instance; not zero
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int identity_new_instance(struct identity *identity, struct reason *why)
{
	uint64_t old = identity->instance;

	do {
		if (getrandom(&identity->instance, sizeof(identity->instance),
			      0) < 0 && errno != EINTR)
			return reason_set(why, -errno, "no random numbers: %m");
	} while (!identity->instance || identity->instance == old);
	return 0;
}

/**
 * identity_new() - identity of contents that are new
 * @identity: filled in
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int identity_new(struct identity *identity, struct reason *why)
{
	int err;

	*identity = (struct identity){ .era = 1 };
	err = sd_id128_randomize(&identity->generation);
	if (err < 0)
		return reason_set(why, err, "no random numbers: %s",
				  strerror(-err));
	return identity_new_instance(identity, why);
}
