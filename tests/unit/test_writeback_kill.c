// SPDX-License-Identifier: GPL-2.0
/*
 * Write-back that is killed (target/writeback.c, round.c, dirty.c): what a
 * flush acknowledged is in the file, and the maps find the rest.
 */
#include "test.h"

#include <sys/wait.h>

#include "fixture_writeback.h"

#define KILLS		30
#define BLOCKS		256U	/* one in every fourth part of a chunk */
#define STRIDE		(MIB / 4)

struct ledger {
	_Atomic uint32_t stored[BLOCKS];	/* acknowledged writes */
	_Atomic uint32_t flushed[BLOCKS];	/* acknowledged flushes */
};

static void store_number(struct ledger *ledger, unsigned int block,
			 uint32_t number)
{
	uint64_t offset = block * STRIDE;

	dirty_mark(&wb->dirty, 0, offset, 4096);
	memcpy(memory + offset, &number, sizeof(number));
	memcpy(memory + offset + 4092, &number, sizeof(number));
	ledger->stored[block] = number;
	writeback_name(wb, offset, 4096);
}

static void child(struct ledger *ledger, uint32_t number)
{
	uint32_t was[BLOCKS];
	unsigned int i, j;

	/* A daemon that starts. */
	writeback_adopt(wb);
	for (;; number++) {
		for (i = 0; i < 10; i++)
			store_number(ledger, (unsigned int)random() % BLOCKS,
				     number);
		for (j = 0; j < BLOCKS; j++)
			was[j] = ledger->stored[j];
		if (ask(WRITEBACK_FLUSH))
			_exit(1);
		for (j = 0; j < BLOCKS; j++)
			ledger->flushed[j] = was[j];
		if (number % 4 == 0) {
			dirty_clear(&wb->dirty, 0);
		} else if (number % 7 == 0) {
			store_number(ledger, number % BLOCKS, number);
			writeback_forget(wb);
			writeback_adopt(wb);
		}
	}
}

static void assert_numbers(const struct ledger *ledger, bool all)
{
	int fd = open(backing.path, O_RDONLY);
	uint32_t block[1024];
	unsigned int i;

	assert_return_code(fd, errno);
	for (i = 0; i < BLOCKS; i++) {
		assert_int_equal(pread(fd, block, 4096, (off_t)(i * STRIDE)),
				 4096);
		assert_in_range(block[0], all ? ledger->stored[i] :
				ledger->flushed[i], UINT32_MAX);
		assert_int_equal(block[0], block[1023]);
	}
	close(fd);
}

/*
 * What a flush that was acknowledged covered is in the file; what was not
 * flushed is found by the maps. The child has no more than the daemon has.
 */
static void killed(void **state)
{
	struct ledger *ledger;
	unsigned int kills;
	pid_t pid;

	(void)state;
	ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(ledger != MAP_FAILED);
	for (kills = 0; kills < KILLS; kills++) {
		writeback_free(wb);
		wb = NULL;
		pid = fork();
		assert_return_code(pid, errno);
		if (!pid) {
			srandom(kills);
			assert_return_code(sd_event_new(&event), 0);
			open_writeback();
			child(ledger, 1 + kills * 100000);
		}
		usleep(1000 + (unsigned int)random() % 60000);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_numbers(ledger, false);
		open_writeback();
		if (kills % 3)
			continue;	/* the next child finds it */
		writeback_adopt(wb);
		run_until_idle();
		assert_numbers(ledger, true);
		assert_int_equal(dirty_bytes(&wb->dirty), 0);
	}
	writeback_adopt(wb);
	run_until_idle();
	assert_numbers(ledger, true);
	munmap(ledger, sizeof(*ledger));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		FIXTURE(killed),
	};

	return cmocka_run_group_tests_name("killed write-back", tests, make_dir,
					   remove_dir);
}
