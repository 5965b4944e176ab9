// SPDX-License-Identifier: GPL-2.0
/*
 * An export's memory, registered on one RDMA device: the protection domains
 * and memory registrations that clients' keys belong to.
 *
 * Every extent is registered twice, in two domains: readable, and readable and
 * writable. Where the device has memory windows the registrations allow clients
 * nothing but what a window does that is bound to them. The remote addresses do not
 * begin where the daemon's mapping does but at REGION_BASE, so that clients learn
 * nothing about the address space of the daemon.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "macros.h"
#include "proto.h"
#include "region.h"
#include "size.h"
#include "staging.h"
#include "window.h"

/* Not zero, so that an address that somebody forgot to add hits nothing. */
#define REGION_BASE	((uint64_t)1 << 40)

/* Where a coarse map begins, of which each has a key of its own. */
#define COARSE_BASE	((uint64_t)1 << 39)

/* What a client may do. */
static const unsigned int face_access[NR_FACES] = {
	[FACE_RO] = IBV_ACCESS_REMOTE_READ,
	[FACE_RW] = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE,
};

/* What a registration has to allow, so that clients may do that. */
static int mr_access(const struct region *region, unsigned int access)
{
	int local = access & IBV_ACCESS_REMOTE_WRITE ? IBV_ACCESS_LOCAL_WRITE : 0;

	return local | (region->windows ? IBV_ACCESS_MW_BIND : (int)access);
}

static bool choose_windows(const struct device *device,
			   const struct layout *layout)
{
	uint32_t most = MIN(WINDOWS_PER_QUEUE, (uint32_t)device->attr.max_mw);

	if (!device->windows || rdmablk_nr_keys(layout->nr, true) <= most)
		return device->windows;
	log_notice("RDMA device %s: %u extents are too many for memory windows, of which a queue gets %u at most: remote keys are those of export and access mode; choose a larger extent-size",
		   device_name(device), layout->nr, most);
	return false;
}

/**
 * region_alloc() - prepare for registrations on a device
 * @device: the device
 * @layout: the export's extents; must outlive the region
 * @read_only: nobody will be allowed to write
 * @out: set to the region, which has no registrations yet
 * @why: set on failure
 *
 * Return: 0 or a negative errno.
 */
int region_alloc(struct device *device, const struct layout *layout,
		 bool read_only, struct region **out, struct reason *why)
{
	struct region *region = calloc(1, sizeof(*region));
	int face, err;

	if (!region)
		return reason_set(why, -ENOMEM, "out of memory");
	region->device = device;
	region->layout = layout;
	region->windows = choose_windows(device, layout);

	for (face = 0; face < NR_FACES; face++) {
		if (face == FACE_RW && read_only)
			continue;
		region->mr[face] = calloc(layout->nr, sizeof(*region->mr[face]));
		if (!region->mr[face]) {
			err = reason_set(why, -ENOMEM, "out of memory");
			goto free_region;
		}
		region->pd[face] = ibv_alloc_pd(device->verbs);
		if (!region->pd[face]) {
			err = reason_set(why, -errno,
				"RDMA device %s: no protection domain: %m",
				device_name(device));
			goto free_region;
		}
	}
	*out = region;
	return 0;

free_region:
	region_free(region);
	return err;
}

/**
 * region_register() - register one extent
 * @region: the region
 * @map: where the whole region is mapped
 * @index: of the extent; not registered yet
 * @why: set on failure
 *
 * Context: any thread, as long as no other uses this region. Takes about a
 * second for some gigabytes: never called from the event loop.
 * Return: 0 or a negative errno; 0 also when the device went away meanwhile: nobody
 * will use the region.
 */
int region_register(struct region *region, void *map, uint32_t index,
		    struct reason *why)
{
	uint64_t offset = region->layout->extent * index;
	uint64_t length = layout_length(region->layout, index);
	char size[SIZE_TEXT_MAX];
	int face;

	for (face = 0; face < NR_FACES; face++) {
		struct ibv_mr *mr;

		if (!region->pd[face])
			continue;
		if (region->device->gone)
			return 0;
		mr = ibv_reg_mr_iova(region->pd[face], (char *)map + offset,
				     length, REGION_BASE + offset,
				     mr_access(region, face_access[face]));
		if (!mr && region->device->gone)
			return 0;
		if (!mr)
			return reason_set(why, -errno,
				"RDMA device %s refuses to register %s (extent %u of %u): %m",
				device_name(region->device),
				size_text(length, size), index + 1,
				region->layout->nr);
		region->mr[face][index] = mr;
	}
	return 0;
}

/**
 * region_register_coarse() - let writers mark what they write
 * @region: the region
 * @staging: has the maps
 * @why: set on failure
 *
 * Each map is registered for itself, to the byte: what lies between them is
 * not for clients.
 *
 * Context: like region_register().
 * Return: 0 or a negative errno.
 */
int region_register_coarse(struct region *region,
			   const struct staging *staging, struct reason *why)
{
	unsigned int epoch;

	if (!region->pd[FACE_RW])
		return 0;
	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++) {
		if (region->device->gone)
			return 0;
		region->coarse[epoch] =
			ibv_reg_mr_iova(region->pd[FACE_RW],
					staging->coarse[epoch],
					staging->nr_chunks, COARSE_BASE,
					mr_access(region,
						  IBV_ACCESS_REMOTE_WRITE));
		if (!region->coarse[epoch] && region->device->gone)
			return 0;
		if (!region->coarse[epoch])
			return reason_set(why, -errno,
				"RDMA device %s refuses to register a map of %u chunks: %m",
				device_name(region->device),
				staging->nr_chunks);
	}
	return 0;
}

static void free_coarse(struct region *region)
{
	unsigned int epoch;
	int err;

	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++) {
		if (!region->coarse[epoch] || region->device->let_go)
			continue;
		err = ibv_dereg_mr(region->coarse[epoch]);
		if (err && !region->device->gone)
			log_warning("RDMA device %s: cannot unregister a map of chunks: %s",
				    device_name(region->device), strerror(err));
	}
}

static void free_face(struct region *region, int face)
{
	uint32_t i;
	int err;

	for (i = 0; region->mr[face] && i < region->layout->nr; i++) {
		if (!region->mr[face][i] || region->device->let_go)
			continue;
		err = ibv_dereg_mr(region->mr[face][i]);
		if (err && !region->device->gone)
			log_warning("RDMA device %s: cannot unregister extent %u: %s",
				    device_name(region->device), i + 1,
				    strerror(err));
	}
	free(region->mr[face]);
	if (!region->pd[face] || region->device->let_go)
		return;
	err = ibv_dealloc_pd(region->pd[face]);
	if (err && !region->device->gone)
		log_warning("RDMA device %s: cannot free a protection domain: %s",
			    device_name(region->device), strerror(err));
}

/**
 * region_free() - undo registrations, all or those that were made
 * @region: the region, without QPs in its domains; freed
 *
 * Those on a device that was let go of the kernel has undone. They are leaked: nobody
 * else may free them, and to do so is to look at the device.
 */
void region_free(struct region *region)
{
	int face;

	free_coarse(region);
	for (face = 0; face < NR_FACES; face++)
		free_face(region, face);
	free(region);
}

/**
 * region_find() - the region of a list that is on a device
 * @list: of regions, one for each device
 * @device: the device
 *
 * Return: the region, or NULL.
 */
struct region *region_find(const struct region_list *list,
			   const struct device *device)
{
	struct region *region;

	TAILQ_FOREACH(region, list, entry)
		if (region->device == device)
			return region;
	return NULL;
}

/**
 * region_free_all() - undo the registrations of a list
 * @list: of regions without QPs in their domains; emptied
 *
 * Context: like region_register(), and takes as long.
 */
void region_free_all(struct region_list *list)
{
	struct region *region, *next;

	TAILQ_FOREACH_SAFE(region, list, entry, next) {
		TAILQ_REMOVE(list, region, entry);
		region_free(region);
	}
}

/**
 * region_nr_keys() - how many remote keys does a data queue have?
 * @region: with all its registrations
 * @face: what it may do
 *
 * Return: one for each extent, and behind them one for each coarse map, if there
 * are any.
 */
uint32_t region_nr_keys(const struct region *region, enum face face)
{
	return rdmablk_nr_keys(region->layout->nr,
			       face == FACE_RW && region->coarse[0]);
}

/**
 * region_part() - what is a remote key to be good for?
 * @region: with all its registrations
 * @face: what the client may do
 * @index: of the key, less than region_nr_keys()
 *
 * Return: that.
 */
struct region_part region_part(const struct region *region, enum face face,
			       uint32_t index)
{
	const struct layout *layout = region->layout;

	if (index < layout->nr)
		return (struct region_part){
			.mr = region->mr[face][index],
			.addr = REGION_BASE + layout->extent * index,
			.access = face_access[face],
		};
	return (struct region_part){
		.mr = region->coarse[index - layout->nr],
		.addr = COARSE_BASE,
		.access = IBV_ACCESS_REMOTE_WRITE,
	};
}

/* The key of a registration, unless it is good for nothing. */
static uint32_t shared_key(const struct region *region, const struct ibv_mr *mr)
{
	return region->windows ? 0 : mr->rkey;
}

/**
 * region_extent() - describe an extent for a client
 * @region: with all its registrations
 * @face: what the client may do
 * @index: of the extent, less than the layout's number
 * @out: filled in, in wire format
 */
void region_extent(const struct region *region, enum face face, uint32_t index,
		   struct rdmablk_extent *out)
{
	uint64_t offset = region->layout->extent * index;

	*out = (struct rdmablk_extent){
		.offset	= htole64(offset),
		.length	= htole64(layout_length(region->layout, index)),
		.addr	= htole64(REGION_BASE + offset),
		.rkey	= htole32(shared_key(region, region->mr[face][index])),
	};
}

/**
 * region_coarse() - describe a coarse map for a writer
 * @region: with all its registrations
 * @epoch: whose map
 * @out: filled in, in wire format
 */
void region_coarse(const struct region *region, unsigned int epoch,
		   struct rdmablk_extent *out)
{
	*out = (struct rdmablk_extent){
		.length	= htole64(region->coarse[epoch]->length),
		.addr	= htole64(COARSE_BASE),
		.rkey	= htole32(shared_key(region, region->coarse[epoch])),
	};
}
