/* SPDX-License-Identifier: GPL-2.0 */
/*
 * JSON lines over a stream socket: one JSON object a line, bounded in size.
 * Serves the daemon, whose sockets do not block, and the tool, whose do.
 */
#ifndef RDMABLK_LIB_JSONL_H
#define RDMABLK_LIB_JSONL_H

#include <stddef.h>
#include <json-c/json.h>

#define JSONL_REQUEST_MAX	((size_t)64 << 10)	/* to the daemon, bytes */
#define JSONL_ANSWER_MAX	((size_t)16 << 20)	/* from the daemon, bytes */

/**
 * struct jsonl - one end of a connection
 * @fd: the socket; belongs to the caller
 * @limit: longest line to be read, newline included, bytes
 * @in: what has arrived and was not yet taken
 * @in_len: bytes in @in
 * @in_size: bytes allocated
 * @scanned: leading bytes of @in that hold no newline
 * @out: what still has to be sent
 * @out_len: bytes in @out
 */
struct jsonl {
	int	fd;
	size_t	limit;
	char	*in;
	size_t	in_len;
	size_t	in_size;
	size_t	scanned;
	char	*out;
	size_t	out_len;
};

void jsonl_init(struct jsonl *jsonl, int fd, size_t limit);
void jsonl_free(struct jsonl *jsonl);

int jsonl_fill(struct jsonl *jsonl);
int jsonl_next(struct jsonl *jsonl, struct json_object **object);
int jsonl_queue(struct jsonl *jsonl, struct json_object *object);
int jsonl_flush(struct jsonl *jsonl);

int jsonl_recv(struct jsonl *jsonl, struct json_object **object);
int jsonl_send(struct jsonl *jsonl, struct json_object *object);

#endif /* RDMABLK_LIB_JSONL_H */
