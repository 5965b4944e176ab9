/* SPDX-License-Identifier: GPL-2.0 */
/* An export's memory, registered on one RDMA device. */
#ifndef RDMABLKD_REGION_H
#define RDMABLKD_REGION_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#include "device.h"
#include "reason.h"
#include "uapi/rdmablk_proto.h"

struct staging;

/**
 * struct layout - how a region is cut into extents
 * @size: of the region, bytes
 * @extent: of every extent but the last, bytes
 * @nr: extents
 */
struct layout {
	uint64_t	size;
	uint64_t	extent;
	uint32_t	nr;
};

/* A region's two faces. Index of struct region's arrays. */
enum face { FACE_RO, FACE_RW, NR_FACES };

/**
 * struct region - an export's memory on one device
 * @entry: in the export's list
 * @device: the device
 * @layout: the export's
 * @windows: nobody gets the keys of the registrations, which allow nothing: each
 *	     data connection gets windows of its own
 * @pd: one protection domain for each access mode: a key is good for every QP
 *	of its domain, so that a reader's QP must not share one with a writable
 *	registration
 * @coarse: registrations of the coarse maps, writable, in the writers' domain;
 *	    NULL: there are no maps
 * @mr: for each access mode @layout.nr registrations; NULL: not offered
 */
struct region {
	TAILQ_ENTRY(region)	entry;
	struct device		*device;
	const struct layout	*layout;
	bool			windows;
	struct ibv_pd		*pd[NR_FACES];
	struct ibv_mr		*coarse[RDMABLK_EPOCHS];
	struct ibv_mr		**mr[NR_FACES];
};

TAILQ_HEAD(region_list, region);

/**
 * struct region_part - what one remote key is good for
 * @mr: the registration
 * @addr: where it begins, for clients
 * @access: IBV_ACCESS_REMOTE_*
 */
struct region_part {
	struct ibv_mr	*mr;
	uint64_t	addr;
	unsigned int	access;
};

int layout_cut(struct layout *layout, uint64_t size, uint64_t extent_size,
	       uint64_t max_mr_size, struct reason *why);
uint64_t layout_length(const struct layout *layout, uint32_t index);

int region_alloc(struct device *device, const struct layout *layout,
		 bool read_only, struct region **out, struct reason *why);
int region_register(struct region *region, void *map, uint32_t index,
		    struct reason *why);
int region_register_coarse(struct region *region,
			   const struct staging *staging, struct reason *why);
void region_free(struct region *region);
void region_free_all(struct region_list *list);
struct region *region_find(const struct region_list *list,
			   const struct device *device);
uint32_t region_nr_keys(const struct region *region, enum face face);
struct region_part region_part(const struct region *region, enum face face,
			       uint32_t index);
void region_extent(const struct region *region, enum face face, uint32_t index,
		   struct rdmablk_extent *out);
void region_coarse(const struct region *region, unsigned int epoch,
		   struct rdmablk_extent *out);

#endif /* RDMABLKD_REGION_H */
