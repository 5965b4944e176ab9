// SPDX-License-Identifier: GPL-2.0
/*
 * The keys of a queue pair (target/window.c), and what registrations allow beside
 * them (target/region.c), on a card that may fail at any step.
 */
#include "test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "staging.h"
#include "window.h"

#define EXTENTS		40U
#define KEYS		(EXTENTS + RDMABLK_EPOCHS)
#define EXTENT_SIZE	((uint64_t)4 << 20)
#define NEVER		UINT32_MAX

/**
 * struct card - what takes the place of an RDMA device
 * @fail_alloc: this allocation of a window fails; counted from 0
 * @fail_post: this bind is not taken
 * @fail_bind: this bind completes with an error
 * @lose_bind: this bind never completes
 * @allocs: windows allocated so far
 * @binds: binds posted so far
 * @windows: there are now
 * @bound: of those
 * @wr: under way, in order
 * @nr_wr: how many
 * @late: a completion of an earlier batch that comes first
 * @access: that the latest registration allows
 * @removed: nothing of it may be looked at any more
 */
static struct card {
	uint32_t		fail_alloc, fail_post, fail_bind, lose_bind;
	uint32_t		allocs, binds, windows, bound;
	struct ibv_send_wr	wr[WINDOWS_BATCH];
	uint32_t		nr_wr;
	bool			late;
	int			access;
	bool			removed;
} card;

/* A window, and what it was bound to. */
struct card_mw {
	struct ibv_mw		mw;
	struct ibv_mw_bind_info	bound;
};

static struct ibv_device ibdev = { .name = "card" };
static struct ibv_context verbs = { .device = &ibdev };
static struct device device = { .verbs = &verbs, .attr.max_mw = 100000 };
static struct ibv_pd pd = { .context = &verbs };
static struct ibv_qp qp = { .context = &verbs, .pd = &pd, .qp_num = 17 };
static struct ibv_cq cq = { .context = &verbs };
static struct layout layout = {
	.size = EXTENTS * EXTENT_SIZE, .extent = EXTENT_SIZE, .nr = EXTENTS,
};

static struct ibv_mw *card_alloc_mw(struct ibv_pd *where, enum ibv_mw_type type)
{
	struct card_mw *mw;

	assert_int_equal(type, IBV_MW_TYPE_2);
	if (card.allocs == card.fail_alloc) {
		errno = ENOMEM;
		return NULL;
	}
	mw = calloc(1, sizeof(*mw));
	assert_non_null(mw);
	mw->mw = (struct ibv_mw){
		.context = &verbs, .pd = where, .type = type,
		.rkey = (0x80000 + card.allocs++) << 8 | 0xff,
	};
	card.windows++;
	return &mw->mw;
}

static int card_dealloc_mw(struct ibv_mw *mw)
{
	card.windows--;
	card.bound -= !!((struct card_mw *)mw)->bound.mr;
	free(mw);
	return 0;
}

static int card_post_send(struct ibv_qp *where, struct ibv_send_wr *wr,
			  struct ibv_send_wr **bad)
{
	assert_ptr_equal(where, &qp);
	assert_null(wr->next);
	assert_int_equal(wr->opcode, IBV_WR_BIND_MW);
	/* The index stays, the rest must change. */
	assert_int_equal(wr->bind_mw.rkey >> 8, wr->bind_mw.mw->rkey >> 8);
	assert_int_not_equal(wr->bind_mw.rkey, wr->bind_mw.mw->rkey);
	*bad = wr;
	if (card.binds++ == card.fail_post)
		return ENOMEM;
	assert_true(card.nr_wr < WINDOWS_BATCH);
	card.wr[card.nr_wr++] = *wr;
	return 0;
}

static int card_poll_cq(struct ibv_cq *where, int nr, struct ibv_wc *wc)
{
	struct card_mw *mw;

	assert_ptr_equal(where, &cq);
	assert_int_equal(nr, 1);
	*wc = (struct ibv_wc){ .qp_num = qp.qp_num };
	if (card.late) {
		card.late = false;
		wc->status = IBV_WC_WR_FLUSH_ERR;
		wc->wr_id = card.wr[0].wr_id - 1;
		return 1;
	}
	if (!card.nr_wr || card.binds - card.nr_wr == card.lose_bind)
		return 0;
	wc->wr_id = card.wr[0].wr_id;
	mw = (struct card_mw *)card.wr[0].bind_mw.mw;
	if (card.binds - card.nr_wr == card.fail_bind) {
		wc->status = IBV_WC_MW_BIND_ERR;
	} else {
		mw->bound = card.wr[0].bind_mw.bind_info;
		card.bound++;
	}
	memmove(&card.wr[0], &card.wr[1], --card.nr_wr * sizeof(card.wr[0]));
	return 1;
}

/* ---- In place of libibverbs ------------------------------------------------- */

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *new = calloc(1, sizeof(*new));

	assert_non_null(new);
	assert_false(card.removed);
	new->context = context;
	return new;
}

int ibv_dealloc_pd(struct ibv_pd *old)
{
	assert_false(card.removed);
	free(old);
	return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *where, void *addr, size_t length,
				uint64_t iova, unsigned int access)
{
	struct ibv_mr *mr = calloc(1, sizeof(*mr));

	(void)iova;
	assert_non_null(mr);
	assert_false(card.removed);
	*mr = (struct ibv_mr){
		.pd = where, .addr = addr, .length = length, .rkey = 0x777,
	};
	card.access = (int)access;
	return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	assert_false(card.removed);
	free(mr);
	return 0;
}

/* ---- Windows ---------------------------------------------------------------- */

static struct region *make_region(bool windows, bool staging)
{
	struct staging tail = { .nr_chunks = EXTENTS * 4 };
	struct region *region;
	struct reason why;
	uint32_t i;

	device.windows = windows;
	device.gone = device.let_go = false;
	assert_int_equal(region_alloc(&device, &layout, false, &region, &why),
			 0);
	for (i = 0; i < EXTENTS; i++)
		assert_int_equal(region_register(region, NULL, i, &why), 0);
	if (staging)
		assert_int_equal(region_register_coarse(region, &tail, &why), 0);
	return region;
}

static int reset(void **state)
{
	(void)state;
	card = (struct card){
		.fail_alloc = NEVER, .fail_post = NEVER,
		.fail_bind = NEVER, .lose_bind = NEVER,
	};
	verbs.ops = (struct ibv_context_ops){
		.alloc_mw = card_alloc_mw, .dealloc_mw = card_dealloc_mw,
		.post_send = card_post_send, .poll_cq = card_poll_cq,
	};
	return 0;
}

static const struct ibv_mw_bind_info *bound(const struct windows *windows,
					    uint32_t index)
{
	return &((struct card_mw *)windows->window[index].mw)->bound;
}

static void a_key_for_each(void **state)
{
	struct region *region = make_region(true, true);
	struct windows *windows;
	struct reason why;
	uint32_t i;

	(void)state;
	assert_int_equal(windows_bind(&windows, region, FACE_RW, &qp, &cq, &why),
			 0);
	assert_int_equal(windows->nr, KEYS);
	assert_int_equal(card.bound, KEYS);
	for (i = 0; i < EXTENTS; i++) {
		const struct ibv_mw_bind_info *info = bound(windows, i);
		struct rdmablk_extent extent;

		region_extent(region, FACE_RW, i, &extent);
		assert_int_equal(extent.rkey, 0);
		assert_ptr_equal(info->mr, region->mr[FACE_RW][i]);
		assert_int_equal(info->addr, le64toh(extent.addr));
		assert_int_equal(info->length, EXTENT_SIZE);
		assert_int_equal(info->mw_access_flags, IBV_ACCESS_REMOTE_READ |
				 IBV_ACCESS_REMOTE_WRITE);
		assert_int_equal(windows->window[i].key, (0x80000 + i) << 8);
	}
	for (i = 0; i < RDMABLK_EPOCHS; i++) {
		const struct ibv_mw_bind_info *info = bound(windows, EXTENTS + i);

		assert_ptr_equal(info->mr, region->coarse[i]);
		assert_int_equal(info->mw_access_flags, IBV_ACCESS_REMOTE_WRITE);
	}
	windows_free(windows);
	assert_int_equal(card.windows, 0);
	region_free(region);
}

static void readers_only_read(void **state)
{
	struct region *region = make_region(true, true);
	struct windows *windows;
	struct reason why;
	uint32_t i;

	(void)state;
	assert_int_equal(windows_bind(&windows, region, FACE_RO, &qp, &cq, &why),
			 0);
	assert_int_equal(windows->nr, EXTENTS);
	for (i = 0; i < EXTENTS; i++) {
		assert_ptr_equal(bound(windows, i)->mr, region->mr[FACE_RO][i]);
		assert_int_equal(bound(windows, i)->mw_access_flags,
				 IBV_ACCESS_REMOTE_READ);
	}
	windows_free(windows);
	assert_int_equal(card.windows, 0);
	region_free(region);
}

static void must_fail(const struct region *region, const char *text)
{
	struct windows *windows;
	struct reason why;

	assert_true(windows_bind(&windows, region, FACE_RW, &qp, &cq, &why) < 0);
	assert_contains(why.message, text);
	assert_int_equal(card.windows, 0);
	assert_int_equal(card.bound, 0);
	reset(NULL);
}

/* Whichever it is: none is left. */
static void each_step_fails(void **state)
{
	struct region *region = make_region(true, true);
	uint32_t i;

	(void)state;
	for (i = 0; i < KEYS; i++) {
		card.fail_alloc = i;
		must_fail(region, "no memory window");
		card.fail_post = i;
		must_fail(region, "does not bind");
		card.fail_bind = i;
		must_fail(region, "memory-windows = no");
	}
	region_free(region);
}

/* The card never answers: the daemon does not wait for ever. */
static void no_completion(void **state)
{
	struct region *region = make_region(true, false);

	(void)state;
	card.lose_bind = WINDOWS_BATCH + 1;
	must_fail(region, "timed out");
	region_free(region);
}

/* What comes of a batch that was given up is nobody's. */
static void a_late_completion(void **state)
{
	struct region *region = make_region(true, false);
	struct windows *windows;
	struct reason why;

	(void)state;
	card.late = true;
	assert_int_equal(windows_bind(&windows, region, FACE_RW, &qp, &cq, &why),
			 0);
	assert_int_equal(card.bound, EXTENTS);
	windows_free(windows);
	windows_free(NULL);
	region_free(region);
}

/* ---- Registrations ---------------------------------------------------------- */

static void registrations_allow_nothing(void **state)
{
	struct region *region = make_region(true, false);
	struct reason why;

	(void)state;
	assert_true(region->windows);
	assert_int_equal(card.access, IBV_ACCESS_MW_BIND |
			 IBV_ACCESS_LOCAL_WRITE);
	region_free(region);

	/* A reader's cannot even be written by the card itself. */
	assert_int_equal(region_alloc(&device, &layout, true, &region, &why), 0);
	assert_int_equal(region_register(region, NULL, 0, &why), 0);
	assert_int_equal(card.access, IBV_ACCESS_MW_BIND);
	region_free(region);
}

static void without_windows(void **state)
{
	struct region *region = make_region(false, true);
	struct rdmablk_extent extent;

	(void)state;
	assert_false(region->windows);
	assert_int_equal(card.access, IBV_ACCESS_REMOTE_WRITE |
			 IBV_ACCESS_LOCAL_WRITE);
	region_extent(region, FACE_RO, 0, &extent);
	assert_int_equal(le32toh(extent.rkey), 0x777);
	region_coarse(region, 0, &extent);
	assert_int_equal(le32toh(extent.rkey), 0x777);
	region_free(region);
}

static void too_many_extents(void **state)
{
	struct layout fine = layout;
	struct region *region;
	struct reason why;

	(void)state;
	device.windows = true;
	for (fine.nr = WINDOWS_PER_QUEUE - RDMABLK_EPOCHS;
	     fine.nr <= WINDOWS_PER_QUEUE; fine.nr++) {
		assert_int_equal(region_alloc(&device, &fine, false, &region,
					      &why), 0);
		assert_int_equal(region->windows, fine.nr + RDMABLK_EPOCHS <=
				 WINDOWS_PER_QUEUE);
		region_free(region);
	}
	device.attr.max_mw = EXTENTS;
	region = make_region(true, false);
	assert_false(region->windows);
	region_free(region);
	device.attr.max_mw = 100000;
}

/* What is left of a card that was removed, as librdmacm and the kernel do it. */
static void free_remains(const struct region *region)
{
	unsigned int epoch;
	uint32_t i;
	int face;

	for (epoch = 0; epoch < RDMABLK_EPOCHS; epoch++)
		free(region->coarse[epoch]);
	for (face = 0; face < NR_FACES; face++) {
		for (i = 0; i < EXTENTS; i++)
			free(region->mr[face][i]);
		free(region->pd[face]);
	}
}

/* A job still has registrations on it, and may be about to make some more. */
static void a_card_that_was_removed(void **state)
{
	struct staging tail = { .nr_chunks = EXTENTS * 4 };
	struct region *region = make_region(false, true);
	struct reason why;

	(void)state;
	device.gone = device.let_go = true;
	card.removed = true;
	free_remains(region);
	assert_int_equal(region_register(region, NULL, 0, &why), 0);
	assert_int_equal(region_register_coarse(region, &tail, &why), 0);
	region_free(region);
}

/* Fewer queues, not weaker keys. */
static void windows_run_out(void **state)
{
	struct region *region = make_region(true, true);
	const unsigned int most = WINDOWS_PER_SESSION / KEYS;

	(void)state;
	assert_int_equal(windows_queues(region, FACE_RW), most);
	device.nr_windows = 100000 - 2 * KEYS;
	assert_int_equal(windows_queues(region, FACE_RW), 2);
	device.nr_windows++;
	assert_int_equal(windows_queues(region, FACE_RW), 1);
	device.nr_windows = 100001;
	assert_int_equal(windows_queues(region, FACE_RW), 0);
	device.nr_windows = 0;
	region_free(region);

	region = make_region(false, true);
	assert_true(windows_queues(region, FACE_RW) >= RDMABLK_QUEUES_MAX);
	region_free(region);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_key_for_each, reset),
		cmocka_unit_test_setup(readers_only_read, reset),
		cmocka_unit_test_setup(each_step_fails, reset),
		cmocka_unit_test_setup(no_completion, reset),
		cmocka_unit_test_setup(a_late_completion, reset),
		cmocka_unit_test_setup(registrations_allow_nothing, reset),
		cmocka_unit_test_setup(without_windows, reset),
		cmocka_unit_test_setup(too_many_extents, reset),
		cmocka_unit_test_setup(a_card_that_was_removed, reset),
		cmocka_unit_test_setup(windows_run_out, reset),
	};

	return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
