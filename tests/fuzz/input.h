/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every fuzzer includes: the entry point, and the bytes of an input dealt
 * out in pieces. An input that is used up goes on with zeroes.
 */
#ifndef RDMABLK_FUZZ_INPUT_H
#define RDMABLK_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macros.h"

/* Not assert(): what must hold is checked however this was compiled. */
#define MUST(condition)							\
	do {								\
		if (!(condition)) {					\
			fprintf(stderr, "%s:%d: must hold: %s\n",	\
				__FILE__, __LINE__, #condition);	\
			abort();					\
		}							\
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t	*data;
	size_t		left;
};

static inline void input_take(struct input *in, void *out, size_t size)
{
	size_t got = MIN(size, in->left);

	memset(out, 0, size);
	memcpy(out, in->data, got);
	in->data += got;
	in->left -= got;
}

static inline uint8_t input_byte(struct input *in)
{
	uint8_t byte;

	input_take(in, &byte, 1);
	return byte;
}

static inline uint32_t input_u32(struct input *in)
{
	uint32_t word;

	input_take(in, &word, sizeof(word));
	return word;
}

/* In memory of its own, so that a byte too far is noticed; to be freed. */
static inline void *input_message(struct input *in, size_t size)
{
	void *message = malloc(size);

	MUST(message);
	input_take(in, message, size);
	return message;
}

/* As a string, in memory of its own; to be freed. */
static inline char *input_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	MUST(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif /* RDMABLK_FUZZ_INPUT_H */
