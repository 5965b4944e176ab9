/* SPDX-License-Identifier: GPL-2.0 */
/* Resizing an export. */
#ifndef RDMABLKD_EXPORT_RESIZE_H
#define RDMABLKD_EXPORT_RESIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "export.h"

/**
 * struct resize - an export that is being resized
 * @export: the export
 * @grown: its store with the size that it is to have. This and the next six are
 *	   what it is to be served from, and once it is, what it was served from
 * @layout: its extents
 * @map: where it is mapped
 * @map_size: bytes mapped there
 * @regions: its registrations
 * @writeback: writes it back; NULL: there is no backing
 * @anew: nobody can use it meanwhile: it is registered anew as a whole
 * @drain: everything is written back, before the backing changes
 * @from: the size that it had, bytes
 * @to: the size that it is to have, bytes
 * @taken_us: when it was taken from its clients, CLOCK_MONOTONIC
 * @err: why nothing came of it; 0: it is as large as it should be, or will be
 * @why: in words
 */
struct resize {
	struct export			*export;
	struct store			grown;
	struct layout			layout;
	void				*map;
	size_t				map_size;
	struct region_list		regions;
	struct writeback		*writeback;
	bool				anew;
	struct writeback_request	drain;
	uint64_t			from;
	uint64_t			to;
	uint64_t			taken_us;
	int				err;
	struct reason			why;
};

int export_resize_check(struct export *export, uint64_t *size,
			struct reason *why);
int export_resize_check_error(const struct export *export, struct reason *why);
int export_resize(struct export *export, uint64_t size, struct reason *why);
bool export_resize_leave(struct export *export);
uint64_t export_resize_added(const struct export *export);

void export_resize_end(struct resize *resize);
void export_refit(struct resize *resize);

#endif /* RDMABLKD_EXPORT_RESIZE_H */
