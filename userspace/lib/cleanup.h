/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Variables that release what they hold when they go out of scope. For memory,
 * file descriptors and streams only: what must be released in a certain order,
 * such as RDMA objects, is released by name.
 */
#ifndef RDMABLK_LIB_CLEANUP_H
#define RDMABLK_LIB_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <json-c/json.h>

#include "macros.h"

#define CLEANUP_FREE	__attribute__((cleanup(cleanup_free)))
#define CLEANUP_CLOSE	__attribute__((cleanup(cleanup_close)))
#define CLEANUP_FILE	__attribute__((cleanup(cleanup_file)))
#define CLEANUP_JSON	__attribute__((cleanup(cleanup_json)))

static inline void cleanup_free(void *slot)
{
	free(*(void **)slot);
}

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

static inline void cleanup_json(struct json_object **object)
{
	json_object_put(*object);
}

/* Hands a file descriptor on and leaves -1 behind, so that it stays open. */
#define take_fd(var)	({ int taken_ = (var); (var) = -1; taken_; })

#endif /* RDMABLK_LIB_CLEANUP_H */
