/* SPDX-License-Identifier: GPL-2.0 */
/* What stores have in common that serve a backing from staging memory. */
#ifndef RDMABLKD_STAGED_H
#define RDMABLKD_STAGED_H

#include "store.h"

int staged_check(const struct spec *spec, struct reason *why);
int staged_alloc(struct store *store, const struct spec *spec,
		 const char *state_dir, struct reason *why);
int staged_open(struct store *store, const struct spec *spec,
		struct reason *why);
void staged_close(struct store *store);
int staged_save(struct store *store, struct reason *why);
int staged_load(struct store *store, const struct store_load *load,
		struct reason *why);
void staged_loaded(struct store *store);
int staged_clean(struct store *store, struct reason *why);
void staged_remove(struct store *store);

int staged_note(struct store *store, struct reason *why);
int staged_settle(struct store *store, const struct spec *spec,
		  struct reason *why);
int staged_extend(struct store *store, struct store *grown,
		  struct reason *why);
int staged_reserve(const struct store *store, struct store *grown,
		   bool prealloc, struct reason *why);
int staged_grow(struct store *store, struct store *grown, void *map,
		struct reason *why);
void staged_retract(const struct store *store);
int staged_refit(struct store *store, uint64_t size, struct reason *why);

/* What the struct store_ops of such stores have in common. */
#define STAGED_OPS							\
	.save		= staged_save,					\
	.close		= staged_close,					\
	.load		= staged_load,					\
	.loaded		= staged_loaded,				\
	.clean		= staged_clean,					\
	.remove		= staged_remove,				\
	.note		= staged_note,					\
	.extend		= staged_extend,				\
	.reserve	= staged_reserve,				\
	.grow		= staged_grow,					\
	.retract	= staged_retract,				\
	.refit		= staged_refit

#endif /* RDMABLKD_STAGED_H */
