// SPDX-License-Identifier: GPL-2.0
/*
 * What uevents say of RDMA devices that go away (target/hotplug.c), and what is done
 * when some of them got lost.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device.h"
#include "hotplug.h"

#define PATH	"/devices/virtual/infiniband_verbs/uverbs1"

/* A string literal ends with one zero byte more than its strings do. */
#define REMOVED(uevent)	hotplug_removed(uevent, sizeof(uevent))

static void a_device_goes(void **state)
{
	(void)state;
	assert_string_equal(REMOVED("remove@" PATH "\0ACTION=remove\0DEVPATH="
				    PATH "\0SUBSYSTEM=infiniband_verbs\0SEQNUM=7"),
			    "uverbs1");
	assert_string_equal(REMOVED("SUBSYSTEM=infiniband_verbs\0DEVPATH="
				    PATH "\0ACTION=remove"), "uverbs1");
}

static void something_else_happens(void **state)
{
	(void)state;
	assert_null(REMOVED("add@" PATH "\0ACTION=add\0DEVPATH="
			    PATH "\0SUBSYSTEM=infiniband_verbs"));
	assert_null(REMOVED("ACTION=remove\0DEVPATH=/devices/virtual/net/eth0\0"
			    "SUBSYSTEM=net"));
	assert_null(REMOVED("ACTION=remove\0SUBSYSTEM=infiniband_verbs_too\0"
			    "DEVPATH=" PATH));
}

static void nonsense(void **state)
{
	(void)state;
	assert_null(REMOVED(""));
	assert_null(REMOVED("ACTION"));
	assert_null(REMOVED("ACTION=remove\0SUBSYSTEM=infiniband_verbs"));
	assert_null(REMOVED("ACTION=remove\0SUBSYSTEM=infiniband_verbs\0"
			    "DEVPATH=uverbs1"));
}

/* ---- In place of the kernel's socket ---------------------------------------- */

static int receive_error;

int socket(int domain, int type, int protocol)
{
	(void)domain;
	(void)type;
	(void)protocol;
	return eventfd(1, EFD_CLOEXEC);
}

int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	(void)fd;
	(void)addr;
	(void)len;
	return 0;
}

ssize_t recvfrom(int fd, void *restrict buf, size_t len, int flags,
		 struct sockaddr *restrict from, socklen_t *restrict from_len)
{
	(void)fd;
	(void)buf;
	(void)len;
	(void)flags;
	(void)from;
	(void)from_len;
	errno = receive_error;
	return -1;
}

/* Only then is it looked whether the devices are still there. */
static void uevents_get_lost(void **state)
{
	struct ibv_context verbs = {
		.async_fd = open("/dev/null", O_RDWR | O_CLOEXEC),
		.cmd_fd = open("/dev/null", O_RDWR | O_CLOEXEC),
	};
	struct daemon daemon = { .listener = NULL };
	struct device device = {
		.daemon = &daemon, .node = "uverbs-gone", .verbs = &verbs,
	};
	struct reason why;

	(void)state;
	TAILQ_INIT(&device.goodbyes);
	TAILQ_INIT(&daemon.devices);
	TAILQ_INIT(&daemon.sessions);
	TAILQ_INIT(&daemon.exports);
	TAILQ_INSERT_TAIL(&daemon.devices, &device, entry);
	assert_true(sd_event_new(&daemon.event) >= 0);
	assert_int_equal(hotplug_open(&daemon, &why), 0);
	receive_error = EAGAIN;
	assert_true(sd_event_run(daemon.event, 0) > 0);
	assert_false(device.gone);
	receive_error = ENOBUFS;
	assert_true(sd_event_run(daemon.event, 0) > 0);
	assert_true(device.gone);
	hotplug_close(&daemon);
	sd_event_unref(daemon.event);
	close(verbs.async_fd);
	close(verbs.cmd_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_goes),
		cmocka_unit_test(something_else_happens),
		cmocka_unit_test(nonsense),
		cmocka_unit_test(uevents_get_lost),
	};

	return cmocka_run_group_tests_name("hotplug", tests, NULL, NULL);
}
