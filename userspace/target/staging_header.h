/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of staging know of a staging file, and nobody else. */
#ifndef RDMABLKD_STAGING_HEADER_H
#define RDMABLKD_STAGING_HEADER_H

#include <stdatomic.h>
#include <stdint.h>
#include <systemd/sd-id128.h>

#include "reason.h"
#include "staging.h"
#include "tie.h"

#define STAGING_MAGIC	0x676174736b6c6272	/* "rblkstag" */
#define STAGING_VERSION	1
#define STAGING_HEADER	4096U

enum { STAGING_STATE_LOADING = 1, STAGING_STATE_READY = 2 };

/**
 * struct staging_header - the last 4 KiB of a staging file
 * @magic: STAGING_MAGIC
 * @version: STAGING_VERSION
 * @state: LOADING or READY
 * @size: of the export, bytes
 * @chunk_shift: log2 of a chunk's bytes
 * @reserved: 0
 * @id: unlike that of any other staging file
 * @tie: of the backing
 * @grown_from: while it is LOADING: the file was made longer for a larger export.
 *		Where an export of this size has its tail there is another header,
 *		which counts as long as it is READY. Zero: there is none
 */
struct staging_header {
	uint64_t		magic;
	uint32_t		version;
	_Atomic uint32_t	state;
	uint64_t		size;
	uint32_t		chunk_shift;
	uint32_t		reserved;
	sd_id128_t		id;
	struct tie		tie;
	uint64_t		grown_from;
};

void staging_init(struct staging *staging, const char *path, uint64_t size);
int staging_own(struct staging *staging, struct reason *why);
int staging_lay_out(struct staging *staging, struct reason *why);
int staging_map_tail(struct staging *staging, struct reason *why);
uint64_t staging_end(const struct staging *staging);

#endif /* RDMABLKD_STAGING_HEADER_H */
