// SPDX-License-Identifier: GPL-2.0
/*
 * What uevents say of RDMA devices that go away (target/hotplug.c), and what is done
 * when some of them got lost.
 */
#include "test.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

/* What a device has open, and it is not /dev/null. */
static struct ibv_context opened(struct ibv_device *device)
{
	return (struct ibv_context){
		.device = device,
		.async_fd = eventfd(0, EFD_CLOEXEC),
		.cmd_fd = eventfd(0, EFD_CLOEXEC),
	};
}

static bool is_let_go(const struct ibv_context *verbs)
{
	struct stat null, async, cmd;

	assert_int_equal(stat("/dev/null", &null), 0);
	assert_int_equal(fstat(verbs->async_fd, &async), 0);
	assert_int_equal(fstat(verbs->cmd_fd, &cmd), 0);
	return async.st_rdev == null.st_rdev && cmd.st_rdev == null.st_rdev;
}

static void closed(const struct ibv_context *verbs)
{
	close(verbs->async_fd);
	close(verbs->cmd_fd);
}

/*
 * Only then is it looked whether the devices are still there, those that are in use and
 * the others.
 */
static void uevents_get_lost(void **state)
{
	struct ibv_device used = { .dev_name = "uverbs-gone" };
	struct ibv_device other = { .dev_name = "uverbs-too" };
	struct ibv_context verbs = opened(&used), unused = opened(&other);
	struct ibv_context *listed[] = { &verbs, &unused, NULL };
	struct daemon daemon = { .listed = listed };
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
	assert_false(device.gone || is_let_go(&verbs) || is_let_go(&unused));
	receive_error = ENOBUFS;
	assert_true(sd_event_run(daemon.event, 0) > 0);
	assert_true(device.gone);
	assert_true(is_let_go(&verbs));
	assert_true(is_let_go(&unused));
	hotplug_close(&daemon);
	sd_event_unref(daemon.event);
	closed(&verbs);
	closed(&unused);
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
