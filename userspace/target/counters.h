/* SPDX-License-Identifier: GPL-2.0 */
/* What the daemon counts of all its clients, from its start on. */
#ifndef RDMABLKD_COUNTERS_H
#define RDMABLKD_COUNTERS_H

#include <stdint.h>

#include "uapi/rdmablk_proto.h"

/**
 * struct counters - see above
 * @sessions: that opened an export
 * @refused: connections and requests, by enum rdmablk_status
 */
struct counters {
	uint64_t	sessions;
	uint64_t	refused[__RDMABLK_STATUS_END];
};

#endif /* RDMABLKD_COUNTERS_H */
