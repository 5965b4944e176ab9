// SPDX-License-Identifier: GPL-2.0
/*
 * JSON lines over a stream socket. What the objects mean is not known here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "cleanup.h"
#include "jsonl.h"

#define FIRST_SIZE	4096	/* of the input buffer */
#define DEPTH_MAX	8	/* nesting of an object */

/**
 * jsonl_init() - start using a socket
 * @jsonl: the connection
 * @fd: a connected stream socket; the caller closes it
 * @limit: longest line to be read, bytes
 */
void jsonl_init(struct jsonl *jsonl, int fd, size_t limit)
{
	*jsonl = (struct jsonl){ .fd = fd, .limit = limit };
}

/**
 * jsonl_free() - release the buffers
 * @jsonl: the connection
 */
void jsonl_free(struct jsonl *jsonl)
{
	free(jsonl->in);
	free(jsonl->out);
	*jsonl = (struct jsonl){ .fd = -1 };
}

static int grow_in(struct jsonl *jsonl)
{
	size_t size = jsonl->in_size ? jsonl->in_size * 2 : FIRST_SIZE;
	char *in;

	if (jsonl->in_size >= jsonl->limit)
		return -EMSGSIZE;
	if (size > jsonl->limit)
		size = jsonl->limit;
	in = realloc(jsonl->in, size);
	if (!in)
		return -ENOMEM;
	jsonl->in = in;
	jsonl->in_size = size;
	return 0;
}

/**
 * jsonl_fill() - read from the socket, once
 * @jsonl: the connection
 *
 * Return: 0 when something arrived; -ENODATA at the end of the stream; -EAGAIN
 * when a socket that does not block had nothing; -EMSGSIZE when a line is
 * longer than the limit; another negative errno from recv().
 */
int jsonl_fill(struct jsonl *jsonl)
{
	ssize_t got;
	int err;

	if (jsonl->in_len == jsonl->in_size) {
		err = grow_in(jsonl);
		if (err)
			return err;
	}
	do {
		got = recv(jsonl->fd, jsonl->in + jsonl->in_len,
			   jsonl->in_size - jsonl->in_len, 0);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (!got)
		return -ENODATA;
	jsonl->in_len += (size_t)got;
	return 0;
}

/* Exactly one JSON object in @len bytes. */
static int parse_line(const char *line, size_t len, struct json_object **object)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *parsed;
	int err = -EBADMSG;

	if (!tokener)
		return -ENOMEM;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT |
			       JSON_TOKENER_VALIDATE_UTF8);
	parsed = json_tokener_parse_ex(tokener, line, (int)len);
	if (json_tokener_get_error(tokener) == json_tokener_success &&
	    json_tokener_get_parse_end(tokener) == len &&
	    json_object_is_type(parsed, json_type_object)) {
		*object = parsed;
		err = 0;
	} else {
		json_object_put(parsed);
	}
	json_tokener_free(tokener);
	return err;
}

/**
 * jsonl_next() - take the next object out of what has arrived
 * @jsonl: the connection
 * @object: set to the object, which the caller puts
 *
 * Return: 0; -EAGAIN when no whole line is there; -EBADMSG when the line,
 * which is gone then, is not a JSON object; -ENOMEM.
 */
int jsonl_next(struct jsonl *jsonl, struct json_object **object)
{
	char *newline = NULL;
	size_t len;
	int err;

	if (jsonl->in_len > jsonl->scanned)
		newline = memchr(jsonl->in + jsonl->scanned, '\n',
				 jsonl->in_len - jsonl->scanned);
	if (!newline) {
		jsonl->scanned = jsonl->in_len;
		return -EAGAIN;
	}

	len = (size_t)(newline - jsonl->in);
	err = parse_line(jsonl->in, len, object);
	jsonl->in_len -= len + 1;
	jsonl->scanned = 0;
	memmove(jsonl->in, newline + 1, jsonl->in_len);
	return err;
}

/**
 * jsonl_queue() - append an object to what has to be sent
 * @jsonl: the connection
 * @object: the object; stays the caller's
 *
 * Return: 0; -ENOBUFS when the peer leaves too much unread; -ENOMEM.
 */
int jsonl_queue(struct jsonl *jsonl, struct json_object *object)
{
	const char *text;
	size_t len;
	char *out;

	text = json_object_to_json_string_length(object,
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	if (!text)
		return -ENOMEM;
	if (len + 1 > JSONL_ANSWER_MAX - jsonl->out_len)
		return -ENOBUFS;

	out = realloc(jsonl->out, jsonl->out_len + len + 1);
	if (!out)
		return -ENOMEM;
	memcpy(out + jsonl->out_len, text, len);
	out[jsonl->out_len + len] = '\n';
	jsonl->out = out;
	jsonl->out_len += len + 1;
	return 0;
}

/**
 * jsonl_flush() - send what was queued
 * @jsonl: the connection
 *
 * Return: 0 when all is sent; -EAGAIN when a socket that does not block took
 * only a part; another negative errno from send().
 */
int jsonl_flush(struct jsonl *jsonl)
{
	ssize_t sent;

	while (jsonl->out_len) {
		sent = send(jsonl->fd, jsonl->out, jsonl->out_len,
			    MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		jsonl->out_len -= (size_t)sent;
		memmove(jsonl->out, jsonl->out + sent, jsonl->out_len);
	}
	return 0;
}

/**
 * jsonl_recv() - wait for the next object, on a socket that blocks
 * @jsonl: the connection
 * @object: set to the object, which the caller puts
 *
 * Return: 0; -ENODATA when the peer closed the connection; -EBADMSG;
 * -EMSGSIZE; -EAGAIN when a receive time-out of the socket ran out; another
 * negative errno from recv().
 */
int jsonl_recv(struct jsonl *jsonl, struct json_object **object)
{
	int err;

	for (;;) {
		err = jsonl_next(jsonl, object);
		if (err != -EAGAIN)
			return err;
		err = jsonl_fill(jsonl);
		if (err)
			return err;
	}
}

/**
 * jsonl_send() - send an object, on a socket that blocks
 * @jsonl: the connection
 * @object: the object; stays the caller's
 *
 * Return: 0 or a negative errno.
 */
int jsonl_send(struct jsonl *jsonl, struct json_object *object)
{
	int err = jsonl_queue(jsonl, object);

	return err ? err : jsonl_flush(jsonl);
}
