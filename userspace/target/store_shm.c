// SPDX-License-Identifier: GPL-2.0
/*
 * Store shm: a named file on tmpfs or hugetlbfs. It outlives the daemon, and
 * so do generation and instance, which are kept beside it in the state
 * directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cleanup.h"
#include "log.h"
#include "memfile.h"
#include "record.h"
#include "staging.h"
#include "store.h"

static int shm_check(const struct spec *spec, struct reason *why)
{
	if (!spec->hugepage)
		return 0;
	reason_set(why, -EINVAL, "hugepages is for store mem: a file has the page size of its file system");
	reason_hint(why, "put path on a hugetlbfs");
	return -EINVAL;
}

static int shm_save(struct store *store, struct reason *why)
{
	struct record record = {
		.identity = store->identity,
		.resize = store->resize,
	};
	int err = tie_file(&record.tie, TIE_MEMORY, store->fd, why);

	/* The file may be longer by now. */
	record.tie.size = store->size;
	return err ? err : record_save(&record, store->record, why);
}

static int choose_paths(struct store *store, const struct spec *spec,
			const char *state_dir, struct reason *why)
{
	int err = store_choose_record(store, spec, state_dir, why);

	return err ? err : store_choose_memory(store, spec->path, spec, why);
}

static int open_file(struct store *store, const struct spec *spec,
		     struct reason *why)
{
	int err;

	store->fd = open(store->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (store->fd >= 0)
		return 0;
	if (errno != ENOENT)
		return reason_set(why, -errno, "cannot open %s: %m",
				  store->path);
	if (!spec->size) {
		err = reason_set(why, -ENOENT, "%s does not exist",
				 store->path);
		reason_hint(why, "give a size to have it made");
		return err;
	}
	store->fd = open(store->path,
			 O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (store->fd < 0)
		return reason_set(why, -errno, "cannot make %s: %m",
				  store->path);
	store->created = true;
	return 0;
}

static int check_file(struct store *store, struct reason *why)
{
	struct stat st;
	int err;

	if (fstat(store->fd, &st))
		return reason_set(why, -errno, "cannot examine %s: %m",
				  store->path);
	if (!S_ISREG(st.st_mode))
		return reason_set(why, -EINVAL, "%s is not a file", store->path);
	err = memfile_check(store->fd, store->path, &store->page_size, why);
	if (err == -EINVAL)
		reason_hint(why, "choose a path below /dev/shm, or store file");
	if (err)
		return err;
	store->size = (uint64_t)st.st_size;
	store->allocated = (uint64_t)st.st_blocks * 512;
	return 0;
}

static int check_old_file(struct store *store, const struct spec *spec,
			  struct reason *why)
{
	int err;

	if (staging_is_one(store->fd)) {
		err = reason_set(why, -EINVAL,
				 "%s is the staging of an export of store file or blk, and may have writes that its backing lacks",
				 store->path);
		reason_hint(why, "choose another path");
		return err;
	}
	if (spec->size && spec->size != store->size) {
		err = reason_set(why, -EINVAL,
				 "%s exists and has %" PRIu64 " bytes, not %" PRIu64,
				 store->path, store->size, spec->size);
		reason_hint(why, "leave size out to use it as it is, or remove the file");
		return err;
	}
	return spec_check_size(store->size, spec->block_size, "block size",
			       why);
}

static int set_length(const struct store *store, uint64_t size,
		      struct reason *why)
{
	if (!ftruncate(store->fd, (off_t)size))
		return 0;
	return reason_set(why, -errno, "cannot give %s %" PRIu64 " bytes: %m",
			  store->path, size);
}

/*
 * The daemon was killed while it resized the file. What was to be added was
 * never seen by anybody; what was to be cut off was given up.
 */
static int settle_resize(struct store *store, const struct spec *spec,
			 struct reason *why)
{
	struct reason unknown;
	struct record record;
	struct tie tie;
	uint64_t size;
	int err;

	err = tie_file(&tie, TIE_MEMORY, store->fd, why);
	if (err || record_load(&record, store->record, &tie, &unknown) ||
	    !record.resize)
		return err;
	size = record.tie.size;
	if (record.resize < size || spec->size == record.resize)
		size = record.resize;
	log_notice("%s: a resize was interrupted: it has %" PRIu64 " bytes now",
		   store->path, size);
	err = set_length(store, size, why);
	if (err)
		return err;
	store->size = size;
	store->identity = record.identity;
	return shm_save(store, why);
}

static int check_page_size(const struct store *store, uint64_t size,
			   struct reason *why)
{
	if (store->page_size <= (uint64_t)sysconf(_SC_PAGESIZE))
		return 0;
	return spec_check_size(size, store->page_size,
			       "file system's page size", why);
}

static int set_size(struct store *store, const struct spec *spec,
		    struct reason *why)
{
	int err;

	if (!store->created) {
		err = settle_resize(store, spec, why);
		return err ? err : check_old_file(store, spec, why);
	}
	err = check_page_size(store, spec->size, why);
	if (!err)
		err = set_length(store, spec->size, why);
	if (!err)
		store->size = spec->size;
	return err;
}

/* The contents' old identity if the record is sound, or else a new one. */
static int find_identity(struct store *store, struct reason *why)
{
	struct record record;
	struct tie tie;
	int err;

	err = tie_file(&tie, TIE_MEMORY, store->fd, why);
	if (err)
		return err;
	if (!store->created) {
		err = record_load(&record, store->record, &tie, why);
		if (!err) {
			store->identity = record.identity;
			return 0;
		}
		log_warning("%s: %s: its contents count as new",
			    store->path, why->message);
	}
	err = identity_new(&store->identity, why);
	return err ? err : shm_save(store, why);
}

static int shm_open_store(struct store *store, const struct spec *spec,
			  const char *state_dir, struct reason *why)
{
	int err;

	err = choose_paths(store, spec, state_dir, why);
	if (!err)
		err = open_file(store, spec, why);
	if (!err)
		err = memfile_lock(store->fd, store->path, why);
	if (!err)
		err = check_file(store, why);
	if (!err)
		err = set_size(store, spec, why);
	if (!err)
		err = find_identity(store, why);
	if (err)
		store_discard(store);
	return err;
}

/* ---- Resizing ------------------------------------------------------------ */

/* Noted before anything grows, and until it is over. */
static int note_resize(struct store *store, uint64_t size, struct reason *why)
{
	int err;

	store->resize = size;
	err = shm_save(store, why);
	if (err)
		store->resize = 0;
	return err;
}

static void shm_retract(const struct store *store)
{
	struct reason why;

	if (set_length(store, store->size, &why))
		log_warning("%s", why.message);
}

static int shm_extend(struct store *store, struct store *grown,
		      struct reason *why)
{
	int err;

	err = check_page_size(store, grown->size, why);
	if (!err)
		err = note_resize(store, grown->size, why);
	if (err)
		return err;
	err = set_length(store, grown->size, why);
	if (err)
		store_retracted(store);
	return err;
}

static int shm_grow(struct store *store, struct store *grown,
		    void *map __attribute__((unused)), struct reason *why)
{
	grown->identity = store->identity;
	grown->resize = 0;
	return shm_save(grown, why);
}

static int shm_refit(struct store *store, uint64_t size, struct reason *why)
{
	const struct identity identity = store->identity;
	int err;

	err = check_page_size(store, size, why);
	if (!err)
		err = identity_new(&store->identity, why);
	if (!err)
		err = note_resize(store, size, why);
	if (!err)
		err = set_length(store, size, why);
	if (err) {
		store->identity = identity;
		store_retracted(store);
		return err;
	}
	store->size = size;
	store_retracted(store);
	return 0;
}

const struct store_ops store_shm = {
	.name		= "shm",
	.durability	= RDMABLK_RESTART,
	.check		= shm_check,
	.open		= shm_open_store,
	.save		= shm_save,
	.note		= shm_save,
	.extend		= shm_extend,
	.grow		= shm_grow,
	.retract	= shm_retract,
	.refit		= shm_refit,
};
