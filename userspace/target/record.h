/* SPDX-License-Identifier: GPL-2.0 */
/* What is known of contents that survive the daemon, kept in a file. */
#ifndef RDMABLKD_RECORD_H
#define RDMABLKD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "identity.h"
#include "tie.h"

/**
 * struct record - what is known of contents that survive the daemon
 * @identity: which contents
 * @tie: which file or disk holds them
 * @staging: the staging that they were served from last; null: none
 * @clean: nobody was allowed to write since all of them were in the backing
 * @mtime: when the backing was changed last then, ns; zero: not known
 * @resize: size that a resize is going for, bytes; zero: none is under way.
 *	    Until it is over the file or disk may have any size between that of
 *	    @tie and this one
 *
 * @staging, @clean and @mtime are for stores with a backing.
 */
struct record {
	struct identity	identity;
	struct tie	tie;
	sd_id128_t	staging;
	bool		clean;
	uint64_t	mtime;
	uint64_t	resize;
};

int record_load(struct record *record, const char *path,
		const struct tie *tie, struct reason *why);
int record_save(const struct record *record, const char *path,
		struct reason *why);

#endif /* RDMABLKD_RECORD_H */
