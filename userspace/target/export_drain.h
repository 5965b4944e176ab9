/* SPDX-License-Identifier: GPL-2.0 */
/* Writing an export back as a whole: before it goes, and after an error. */
#ifndef RDMABLKD_EXPORT_DRAIN_H
#define RDMABLKD_EXPORT_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "reason.h"

struct daemon;
struct export;
struct store;
struct writeback;

int export_drain_open(struct export *export, const struct store *store,
		      const void *map, struct writeback **out,
		      struct reason *why);
void export_drain_close(struct export *export);
void export_drain(struct export *export);
void export_retry(struct export *export);
bool export_writing_back(const struct export *export);
bool export_drain_any(const struct daemon *daemon, uint64_t *done);

#endif /* RDMABLKD_EXPORT_DRAIN_H */
