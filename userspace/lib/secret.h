/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pre-shared keys: the bytes, their text form, and what is computed with them.
 * Whoever holds one wipes it, and keeps it in memory of its own if for longer than a
 * call.
 */
#ifndef RDMABLK_LIB_SECRET_H
#define RDMABLK_LIB_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reason.h"
#include "uapi/rdmablk_proto.h"

#define SECRET_TEXT_MAX	(RDMABLK_SECRET_MAX / 3 * 4 + 8)	/* base64, NUL */

/**
 * struct secret - a pre-shared key
 * @bytes: the key
 * @len: bytes in use, RDMABLK_SECRET_MIN to RDMABLK_SECRET_MAX
 */
struct secret {
	uint8_t	bytes[RDMABLK_SECRET_MAX];
	size_t	len;
};

void *secret_alloc(size_t size);
void secret_free(void *memory, size_t size);
void secret_no_core(void);

int secret_generate(struct secret *secret, struct reason *why);
int secret_parse(struct secret *secret, const char *text, struct reason *why);
void secret_text(const struct secret *secret, char buf[static SECRET_TEXT_MAX]);
uint64_t secret_id(const struct secret *secret);
void secret_wipe(struct secret *secret);

bool secret_name_valid(const char *name);

int secret_mac(const uint8_t *key, size_t key_len, const void *data, size_t len,
	       uint8_t mac[static RDMABLK_MAC_SIZE]);
bool secret_same(const uint8_t a[static RDMABLK_MAC_SIZE],
		 const uint8_t b[static RDMABLK_MAC_SIZE]);

#endif /* RDMABLK_LIB_SECRET_H */
