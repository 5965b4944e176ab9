// SPDX-License-Identifier: GPL-2.0
/*
 * FLUSH and ZERO as a session asks for them (target/flush.c), on a real file.
 * There is no queue pair: the first answer ends the session, as if its client
 * were gone just then.
 */
#include "test.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "peer.h"
#include "session.h"
#include "timer.h"

#define MIB		((uint64_t)1 << 20)
#define SIZE		(4 * MIB)
#define DEADLINE_US	(20 * USEC_PER_SEC)

static struct daemon daemon_;
static struct peer peer = { .daemon = &daemon_ };
static struct device device;
static struct export export;
static struct backing backing;
static struct session *session;
static uint8_t buffer[RDMABLK_MSG_MAX] __attribute__((aligned(8)));
static uint8_t *memory, *maps;
static struct reason why;

static int on_timer(sd_event_source *timer, uint64_t now_us, void *data)
{
	(void)timer;
	(void)now_us;
	(void)data;
	return 0;
}

static int on_burial(sd_event_source *source, void *data)
{
	(void)source;
	sd_event_source_disable_unref(session->timer);
	sd_event_source_disable_unref(session->burial);
	free(data);
	session = NULL;
	return 0;
}

static void open_session(bool write)
{
	session = calloc(1, sizeof(*session));
	assert_non_null(session);
	session->daemon = &daemon_;
	session->peer = &peer;
	session->state = SESSION_OPEN;
	session->export = &export;
	session->ctrl.conn.device = &device;
	session->claim.write = write;
	TAILQ_INSERT_TAIL(&export.claims, &session->claim, entry);
	assert_int_equal(timer_new(daemon_.event, &session->timer, on_timer,
				   session), 0);
	assert_return_code(sd_event_add_defer(daemon_.event, &session->burial,
					      on_burial, session), 0);
	assert_return_code(sd_event_source_set_enabled(session->burial,
						       SD_EVENT_OFF), 0);
}

static int setup(void **state)
{
	struct dirty dirty;

	(void)state;
	strcpy(backing.path, "/tmp/rdmablk-test-XXXXXX");
	backing.fd = mkstemp(backing.path);
	backing.size = SIZE;
	assert_return_code(ftruncate(backing.fd, SIZE), errno);
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	maps = calloc(3, 4);
	dirty = (struct dirty){
		.coarse = { maps, maps + 4 }, .orphan = maps + 8,
		.nr_chunks = 4, .chunk_shift = 20, .size = SIZE,
	};
	memset(memory, 'm', SIZE);
	export = (struct export){
		.map = memory, .store.size = SIZE, .spec.block_size = 512,
	};
	TAILQ_INIT(&export.claims);
	assert_return_code(sd_event_new(&daemon_.event), 0);
	return writeback_new(&export.writeback, daemon_.event, "x", &backing,
			     &dirty, memory, &why);
}

static int teardown(void **state)
{
	(void)state;
	writeback_free(export.writeback);
	daemon_.event = sd_event_unref(daemon_.event);
	munmap(memory, SIZE);
	free(maps);
	close(backing.fd);
	unlink(backing.path);
	return 0;
}

static void run_until_gone(void)
{
	uint64_t deadline = clock_now_us() + DEADLINE_US;

	while (session || export.writeback->round.phase != ROUND_IDLE) {
		assert_true(clock_now_us() < deadline);
		assert_return_code(sd_event_run(daemon_.event, USEC_PER_SEC),
				   0);
	}
	assert_true(TAILQ_EMPTY(&export.claims));
}

static int flush(unsigned int flags, unsigned int epoch, uint64_t offset,
		 uint64_t length)
{
	struct rdmablk_msg_flush *msg = (void *)buffer;

	memset(buffer, 0, sizeof(buffer));
	msg->hdr.type = htole16(RDMABLK_MSG_FLUSH);
	msg->flags = (uint8_t)flags;
	msg->epoch = (uint8_t)epoch;
	msg->count = htole32(!!length);
	msg->range[0].offset = htole64(offset);
	msg->range[0].length = htole64(length);
	return flush_message(session, msg);
}

static int zero(unsigned int flags, unsigned int epoch, uint64_t offset,
		uint64_t length)
{
	struct rdmablk_msg_zero msg = {
		.hdr.type = htole16(RDMABLK_MSG_ZERO),
		.range = { htole64(offset), htole64(length) },
		.flags = (uint8_t)flags,
		.epoch = (uint8_t)epoch,
	};

	return flush_zero(session, &msg);
}

static void assert_backing(uint64_t offset, int byte)
{
	char got[4096];

	assert_int_equal(pread(backing.fd, got, sizeof(got), (off_t)offset),
			 sizeof(got));
	assert_int_equal(got[0], byte);
	assert_int_equal(got[4095], byte);
}

static void out_of_bounds(void **state)
{
	(void)state;
	open_session(true);
	assert_int_equal(flush(0, 0, SIZE, 512), -EPROTO);
	assert_int_equal(flush(0, 0, 1, 512), -EPROTO);
	assert_int_equal(flush(0, 0, UINT64_MAX - 511, 1024), -EPROTO);
	assert_int_equal(zero(0, 0, SIZE - 512, 1024), -EPROTO);
	assert_int_equal(blockmap_count(&export.writeback->named), 0);
	session_end(session);
	run_until_gone();
}

static int flush_two(uint64_t first, uint64_t second)
{
	struct rdmablk_msg_flush *msg = (void *)buffer;

	memset(buffer, 0, sizeof(buffer));
	msg->hdr.type = htole16(RDMABLK_MSG_FLUSH);
	msg->count = htole32(2);
	msg->range[0] = (struct rdmablk_range){ htole64(first), htole64(512) };
	msg->range[1] = (struct rdmablk_range){ htole64(second), htole64(512) };
	return flush_message(session, msg);
}

/* To name all of a large export again and again would cost the daemon seconds. */
static void out_of_order(void **state)
{
	(void)state;
	open_session(true);
	assert_int_equal(flush_two(MIB, MIB), -EPROTO);
	assert_int_equal(flush_two(MIB, 0), -EPROTO);
	/* A part is behind those before it. */
	session->flush.named_end = MIB;
	assert_int_equal(flush(RDMABLK_FLUSH_MORE, 0, MIB - 512, 512), -EPROTO);
	assert_int_equal(flush(0, 0, 0, MIB), -EPROTO);
	assert_int_equal(blockmap_count(&export.writeback->named), 0);
	assert_int_equal(flush(RDMABLK_FLUSH_MORE, 0, MIB, 8192), 0);
	assert_int_equal(session->flush.named_end, MIB + 8192);
	run_until_gone();
	/* The last part ends it. */
	open_session(true);
	session->flush.named_end = MIB;
	assert_int_equal(flush(0, 0, MIB, 512), 0);
	assert_int_equal(session->flush.named_end, 0);
	run_until_gone();
	open_session(true);
	assert_int_equal(flush_two(MIB, MIB + 512), 0);
	run_until_gone();
	assert_backing(MIB, 'm');
}

/* Its epoch's marks go when all is durable, the other one's do not. */
static void cleaned(void **state)
{
	(void)state;
	open_session(true);
	maps[0] = maps[4 + 2] = 1;
	assert_int_equal(flush(RDMABLK_FLUSH_CLEAN, 0, 0, 4096), 0);
	assert_true(session->flush.busy);
	assert_int_equal(maps[0], 1);
	/* Nothing may rely on marks that are about to go. */
	assert_int_equal(zero(0, 0, MIB, 4096), -EPROTO);
	run_until_gone();
	assert_backing(0, 'm');
	assert_backing(4096, 0);
	assert_backing(2 * MIB, 'm');
	assert_int_equal(export.writeback->stats.written, 4096 + MIB);
	assert_int_equal(dirty_bytes(&export.writeback->dirty), 0);
}

/* The session ends while its flush runs: what it marked is written. */
static void ended_meanwhile(void **state)
{
	(void)state;
	open_session(true);
	maps[0] = maps[1] = 1;
	assert_int_equal(flush(RDMABLK_FLUSH_CLEAN, 0, 0, 4096), 0);
	/* A second one is refused. */
	assert_int_equal(flush(0, 0, 8192, 4096), 0);
	assert_int_equal(session->state, SESSION_DEAD);
	assert_int_equal(maps[8] && maps[9], 1);
	run_until_gone();
	assert_backing(0, 'm');
	assert_backing(2 * MIB - 4096, 'm');
	assert_int_equal(dirty_bytes(&export.writeback->dirty), 0);
}

/* Named, but never flushed: not the next session's matter. */
static void parts_are_forgotten(void **state)
{
	(void)state;
	open_session(true);
	assert_int_equal(flush(RDMABLK_FLUSH_MORE, 0, 0, 4096), 0);
	run_until_gone();
	assert_int_equal(blockmap_count(&export.writeback->named), 0);
	assert_backing(0, 0);
}

static void zeroed(void **state)
{
	(void)state;
	assert_int_equal(pwrite(backing.fd, memory, SIZE, 0), SIZE);
	open_session(true);
	assert_int_equal(zero(RDMABLK_ZERO_UNMAP, 1, MIB + 512, 8192), 0);
	assert_int_equal(memory[MIB + 511], 'm');
	assert_int_equal(memory[MIB + 512], 0);
	assert_int_equal(memory[MIB + 512 + 8191], 0);
	assert_int_equal(memory[MIB + 512 + 8192], 'm');
	run_until_gone();
	assert_backing(MIB + 4096, 0);
	assert_backing(2 * MIB, 'm');
	assert_int_equal(dirty_bytes(&export.writeback->dirty), 0);
}

static void readers(void **state)
{
	(void)state;
	open_session(false);
	assert_int_equal(flush(0, 0, 0, 4096), 0);
	run_until_gone();
	assert_backing(0, 0);
	open_session(false);
	assert_int_equal(zero(0, 0, 0, 4096), 0);
	run_until_gone();
	assert_int_equal(memory[0], 'm');
	/* What earlier sessions left is durable when it is answered. */
	maps[8 + 1] = 1;
	open_session(false);
	assert_int_equal(flush(0, 0, 0, 0), 0);
	run_until_gone();
	assert_backing(MIB, 'm');
	assert_int_equal(export.writeback->stats.flushes, 1);
}

static void refused(void **state)
{
	(void)state;
	assert_return_code(ftruncate(backing.fd, 0), errno);
	open_session(true);
	maps[0] = 1;
	assert_int_equal(flush(RDMABLK_FLUSH_CLEAN, 0, 0, 4096), 0);
	run_until_gone();
	assert_int_equal(export.writeback->error.err, -ESTALE);
	assert_int_equal(dirty_bytes(&export.writeback->dirty), SIZE);
}

static void no_cache(void **state)
{
	struct writeback *wb = export.writeback;

	(void)state;
	export.writeback = NULL;
	open_session(true);
	assert_int_equal(zero(0, 1, 0, 4096), -EPROTO);
	assert_int_equal(flush(0, 0, 0, 0), 0);
	assert_int_equal(session->state, SESSION_DEAD);
	export.writeback = wb;
	run_until_gone();
}

#define DURABLE_TEST(function)						\
	cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DURABLE_TEST(out_of_bounds),
		DURABLE_TEST(out_of_order),
		DURABLE_TEST(cleaned),
		DURABLE_TEST(ended_meanwhile),
		DURABLE_TEST(parts_are_forgotten),
		DURABLE_TEST(zeroed),
		DURABLE_TEST(readers),
		DURABLE_TEST(refused),
		DURABLE_TEST(no_cache),
	};

	return cmocka_run_group_tests_name("durable", tests, NULL, NULL);
}
