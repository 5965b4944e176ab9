// SPDX-License-Identifier: GPL-2.0
/*
 * Requests on the control socket (lib/jsonl.c, target/control.c and what is
 * behind it), in a daemon that stops, so that it adds nothing. An input is what a
 * client writes; 0xff begins another write.
 */
#include <errno.h>
#include <sys/un.h>
#include <unistd.h>

#include "config.h"
#include "control.h"
#include "daemon.h"
#include "input.h"

static struct config config;
static struct daemon daemon_;

static void take_down(void)
{
	control_close(&daemon_);
	sd_event_unref(daemon_.event);
}

static void bring_up(void)
{
	struct reason why;

	config_init(&config);
	snprintf(config.socket, sizeof(config.socket), "/tmp/rdmablk-fuzz-%d.sock",
		 getpid());
	daemon_init(&daemon_, &config);
	daemon_.stopping = true;
	MUST(sd_event_new(&daemon_.event) >= 0);
	MUST(!control_open(&daemon_, &why));
	atexit(take_down);
}

/* Lets the daemon do all that there is to do. */
static void run(void)
{
	while (sd_event_run(daemon_.event, 0) > 0)
		;
}

static int dial(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	MUST(fd >= 0);
	memcpy(addr.sun_path, config.socket, sizeof(addr.sun_path));
	MUST(!connect(fd, (struct sockaddr *)&addr, sizeof(addr)));
	return fd;
}

/* Every line that comes back is one answer. */
static void read_answers(int fd)
{
	static char answers[1 << 16];
	ssize_t got;

	while ((got = recv(fd, answers, sizeof(answers), 0)) > 0)
		run();
	MUST(!got || errno == EAGAIN || errno == ECONNRESET);
}

static void write_part(int fd, const uint8_t *data, size_t size)
{
	/* A client that was thrown out goes on writing. */
	MUST(send(fd, data, size, MSG_NOSIGNAL) >= 0 || errno == EPIPE ||
	     errno == EAGAIN || errno == ECONNRESET);
	run();
	read_answers(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size, *cut;
	int fd;

	if (!daemon_.event)
		bring_up();
	fd = dial();
	for (; data < end; data = cut + 1) {
		cut = memchr(data, 0xff, (size_t)(end - data));
		cut = cut ? cut : end;
		write_part(fd, data, (size_t)(cut - data));
	}
	shutdown(fd, SHUT_WR);
	run();
	read_answers(fd);
	close(fd);
	run();
	return 0;
}
